// HLO text that a call of the builder interface expands to (spec/ops-b-tensor.md 11).
#ifndef HLOSCOPE_CORE_BUILDER_SNIPPET_H_
#define HLOSCOPE_CORE_BUILDER_SNIPPET_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/ir/shape.h"
#include "core/ops/opcode.h"

namespace hloscope {

// A value that an expansion reads or makes: its name in the text, without `%`, and its shape.
struct BuilderValue {
  std::string name;
  Shape shape;
};

// The instructions of an expansion, to stand in the computation that defines the operands.
struct Snippet {
  std::vector<std::string> computations;  // called ones, whole; they stand before the computation
  std::vector<std::string> instructions;  // "name = shape opcode(operands), attributes", in order
  BuilderValue result;                    // of the last instruction; the operand itself if nothing has to be done

  // A module that takes `parameters` and returns the result, with the given header attributes ("replica_count=2").
  std::string ModuleText(absl::Span<const BuilderValue> parameters, absl::string_view header = "") const;
};

// Collects instructions under names that nothing else has. Names are made from the opcode: "broadcast", "broadcast.1".
class SnippetWriter {
 public:
  // Names in use where the snippet goes; also those of its operands.
  explicit SnippetWriter(absl::Span<const std::string> taken_names = {});
  void Take(absl::string_view name) { taken_.emplace(name); }

  // Appends `opcode(operands)attributes`; attributes begin with ", " if there are any.
  BuilderValue Add(Opcode opcode, const Shape& shape, absl::Span<const BuilderValue> operands,
                   absl::string_view attributes = "");
  // Appends a computation that applies `opcode` to two scalars; returns its name.
  std::string AddScalarComputation(Opcode opcode, ElementType type);
  Snippet Finish(BuilderValue result);

 private:
  std::string Unique(absl::string_view base);

  absl::flat_hash_set<std::string> taken_;
  Snippet snippet_;
};

// "{0,2}".
std::string ListText(absl::Span<const int64_t> list);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_BUILDER_SNIPPET_H_
