// SPDX-License-Identifier: Apache-2.0
// The choices a printer of HLO text has (docs/text-format.md 7.1).
#ifndef HLOSCOPE_CORE_PRINT_PRINT_OPTIONS_H_
#define HLOSCOPE_CORE_PRINT_PRINT_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace hloscope {

// The order of computations, and of instructions in them.
enum class PrintOrder : uint8_t {
  kText,  // that of the text; what an edit added is directly before what uses it first
  kXla,   // that of the reference (7.2, 7.3)
};

// Which layouts of arrays with dimensions are written. Reading an array without layout gives the descending one (4.3).
enum class LayoutText : uint8_t {
  kAll,            // also where the module has none
  kAsWritten,      // those that the module has
  kUnlikeDefault,  // those that are not the descending one
};

// How a text writes the operands of its instructions, where it does not do so in one way.
struct OperandForms {
  enum class Form : uint8_t {
    kName,                 // `%a`
    kShape,                // `f32[2]{0} %a`, with the layouts of PrintOptions
    kShapeWithLayouts,     // with all of them
    kShapeWithoutLayouts,  // with none
  };
  std::vector<uint32_t> first;  // by syntax node of the instruction (Instruction::syntax): its first one in `forms`
  std::vector<Form> forms;
};

// One field per row of the table in 7.1; every row is an independent switch. The styles are starting points.
struct PrintOptions {
  bool percent = true;                 // `%` before names
  bool operand_shapes = false;         // `add(f32[4]{0} %a, ...)`
  bool operand_names = true;           // off: `add(f32[4]{0}, f32[4]{0})`, which needs operand_shapes to say anything
  bool operand_index_comments = true;  // `/*index=5*/` before every fifth operand
  bool signatures = true;              // `(a: f32[]) -> f32[]` after computation names
  bool metadata = true;                // also of shardings, and the stack-frame tables
  bool backend_config = true;
  bool control_predecessors = true;
  bool large_constants = false;       // array constants over 10 elements in full instead of `{...}`
  bool inline_computations = false;   // called computations as bodies in place of their names; those then do not print
                                      // themselves, so that printing what was read again changes nothing
  bool canonical_names = false;       // instructions are called tmp_0, tmp_1, ... inside each body
  bool async_sugar = true;            // `custom-call-start` instead of `async-start` where possible
  bool compact_tuple_access = false;  // `%t#1` instead of get-tuple-element

  PrintOrder order = PrintOrder::kText;

  // The habit of a text; styles write everything (shape_printer.h finds that of layouts).
  LayoutText layouts = LayoutText::kAll;
  bool shape_index_comments = true;    // `/*index=5*/` before every fifth element of a tuple shape
  bool literal_index_comments = true;  // `/*i0=3*/` in literals of four dimensions and more
  bool header = true;                  // off: no `HloModule` line where it would say nothing but a name
  bool entry_mark = true;              // off: no ENTRY before a last computation, which is the entry anyway
  std::shared_ptr<const OperandForms> operand_forms;  // in place of operand_shapes, for what was read from the text
  // By syntax node of a computation (Computation::syntax): the thread that the text has behind it, in its quotes; empty
  // where it has none and reading again finds it, since asynchronous starts assign theirs. Null: computations say all.
  std::shared_ptr<const std::vector<std::string>> written_threads;

  // The choices above only where the text made them, so that nothing that is written is lost; no style sets them.
  bool keep_written_tuple_access = false;
  bool keep_written_async_sugar = false;
  bool keep_written_inline_computations = false;
  bool keep_written_names = false;     // names may repeat in different computations
  bool keep_written_defaults = false;  // no attribute that the text leaves out; line feeds at the end of the text

  bool keep_written_signatures = false;  // only of computations that have one in the text, or are not of it
  bool keep_written_omissions = false;   // ROOT and shapes only where the text has them or reading again needs them

  bool keep_written_digits = false;  // of numbers outside of literals, where six are another number

  // Further switches seen in tools (end of 7.1); no style sets them. Those marked * give texts that cannot be read.
  bool only_op_name = false;           // of metadata, only op_name
  bool quoted_backend_config = false;  // JSON objects in backend configurations as strings, as printers until 2022 did
  bool comparison_order = false;       // `order=TOTAL` in place of `type=TOTALORDER`, as printers since 2026 do
  bool sorted_backend_config = false;  // keys of JSON objects in backend configurations sorted, blanks removed
  bool ids = true;                     // * off: names end at their first `.`; module and computations have none
  bool essential_constants = false;    // constants as `0`, `1`, in full if they are integers, else `{...}`
  bool explicit_replica_groups = false;  // lists instead of the iota and mesh forms
  bool channel_ids = true;               // * off: `channel_id=_`
  bool closing_names = false;            // `// name` after the brace of computations of more than five instructions
  size_t max_operands = 0;               // * then `, ...(+N)`; 0: all

  // Drops the habits of a text, so that everything is written that reading adds: ROOT, ENTRY, the header, shapes with
  // layouts, comments in them.
  void WriteWhatReadingAdds();

  // Debugging default.
  static PrintOptions Long() { return PrintOptions(); }
  // Whole modules and dump files.
  static PrintOptions Dump();
  // Compact and complete enough to be read again.
  static PrintOptions Short();
  // For structural comparison: own names, metadata and configurations do not show.
  static PrintOptions Canonical();
  // "dump", "long", "short", "canonical".
  static std::optional<PrintOptions> FromStyleName(absl::string_view name);
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_PRINT_PRINT_OPTIONS_H_
