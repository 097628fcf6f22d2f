// SPDX-License-Identifier: Apache-2.0
// HLO text that a call of the builder interface expands to (docs/ops/tensor.md 11).
#ifndef HLOSCOPE_CORE_BUILDER_SNIPPET_H_
#define HLOSCOPE_CORE_BUILDER_SNIPPET_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/ir/opcode.h"
#include "core/ir/shape.h"

namespace hloscope {

// A value that an expansion reads or makes: its name as the text writes it, with or without `%`, and its shape.
struct BuilderValue {
  std::string name;
  Shape shape;
};

// The instructions of an expansion, for the computation that defines the operands.
struct Snippet {
  std::vector<std::string> computations;  // called ones, whole; they come before the computation
  std::vector<std::string> instructions;  // "name = shape opcode(operands), attributes", in order
  std::vector<Opcode> opcodes;            // of the instructions
  BuilderValue result;                    // of the last instruction; the operand itself if nothing has to be done

  // A module that takes `parameters` and returns the result, with the given header attributes ("replica_count=2").
  std::string ModuleText(absl::Span<const BuilderValue> parameters, absl::string_view header = "") const;
};

// The names that are in use where snippets go.
class SnippetNames {
 public:
  // Whether new names are written with `%`.
  explicit SnippetNames(bool writes_percent = false) : writes_percent_(writes_percent) {}
  void set_writes_percent(bool writes_percent) { writes_percent_ = writes_percent; }
  // The name, with or without `%`, is in use.
  void Take(absl::string_view name);
  // A name like `base` that was not in use until now, as it is written.
  std::string Unique(absl::string_view base);
  // A name that may be in use already, as it is written.
  std::string Spelled(absl::string_view name) const;

 private:
  bool writes_percent_;
  absl::flat_hash_set<std::string> taken_;  // without `%`
};

// Collects instructions under names that nothing else has. Names are made from the opcode: "broadcast", "broadcast.1".
class SnippetWriter {
 public:
  // `names`: those in use where the snippet goes, which its own then belong to; null if only its operands have any.
  explicit SnippetWriter(SnippetNames* names = nullptr, absl::Span<const BuilderValue> operands = {})
      : names_(names != nullptr ? names : &own_names_) {
    for (const BuilderValue& operand : operands) Take(operand.name);
  }
  SnippetWriter(const SnippetWriter&) = delete;
  SnippetWriter& operator=(const SnippetWriter&) = delete;
  void Take(absl::string_view name) { names_->Take(name); }

  // Appends `opcode(operands)attributes`; attributes begin with ", " if there are any.
  BuilderValue Add(Opcode opcode, const Shape& shape, absl::Span<const BuilderValue> operands,
                   absl::string_view attributes = "");
  // Appends a computation that applies `opcode` to two scalars; returns its name.
  std::string AddScalarComputation(Opcode opcode, ElementType type);
  Snippet Finish(BuilderValue result);

 private:
  SnippetNames own_names_;
  SnippetNames* const names_;
  Snippet snippet_;
};

// "{0,2}".
std::string ListText(absl::Span<const int64_t> list);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_BUILDER_SNIPPET_H_
