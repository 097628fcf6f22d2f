// SPDX-License-Identifier: Apache-2.0
// The calls of the builder interface that have no opcode of their own, by name: the command line, texts and completion
// ask for them with named arguments, `Conv(x, kernel, padding=SAME, strides={2,2})`.
#ifndef HLOSCOPE_CORE_BUILDER_BUILDER_CALLS_H_
#define HLOSCOPE_CORE_BUILDER_BUILDER_CALLS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/builder/snippet.h"

namespace hloscope {

struct BuilderOperand {
  enum class Role : uint8_t {
    kArray,
    kMatrix,  // or vector
    kImage,   // batch, features, and spatial dimensions
    kScalar,  // of the element type of the first operand
  };
  absl::string_view name;
  Role role = Role::kArray;
};

struct BuilderParameter {
  enum class Type : uint8_t { kNumber, kNumbers, kGroups, kPadding, kOpcode };
  absl::string_view name;  // "strides"
  Type type = Type::kNumber;
  bool required = false;
  bool in_snippets = false;   // completion writes it
  absl::string_view meaning;  // "one per spatial dimension; 1 if there are none"
};

// The words of a parameter of type kPadding, and opcodes that are usual for kOpcode.
absl::Span<const absl::string_view> UsualWords(BuilderParameter::Type type);

// Values of the parameters of one call.
class BuilderArguments {
 public:
  // Reads a value: `{2,3}` or `2,3`, `4`, `{{0,1},{2,3}}`, `SAME`, `add`. InvalidArgument: "expected a list of ...".
  absl::Status Set(const BuilderParameter& parameter, absl::string_view text);

  bool Has(absl::string_view parameter) const { return values_.contains(parameter); }
  // Empty, or the default, if it was not set.
  std::vector<int64_t> Numbers(absl::string_view parameter) const;
  int64_t Number(absl::string_view parameter, int64_t default_value = 0) const;
  const std::vector<std::vector<int64_t>>& Groups(absl::string_view parameter) const;
  // In upper case if it is no opcode.
  absl::string_view Word(absl::string_view parameter, absl::string_view default_value) const;

 private:
  struct Value {
    std::vector<std::vector<int64_t>> lists;
    std::string word;
  };
  absl::flat_hash_map<std::string, Value> values_;
};

struct BuilderCall {
  absl::string_view name;  // "SliceInDim"
  absl::Span<const BuilderOperand> operands;
  bool takes_more = false;  // any number like the last operand
  absl::Span<const BuilderParameter> parameters;
  absl::string_view meaning;  // a sentence without its full stop
  // Errors: see core/builder/expansions.h. There are as many operands as the call takes, and values of all required
  // parameters.
  absl::StatusOr<Snippet> (*expand)(const BuilderArguments& arguments, absl::Span<const BuilderValue> operands,
                                    SnippetNames* names);

  // Null if it has none of that name, in any spelling.
  const BuilderParameter* FindParameter(absl::string_view name) const;
  // InvalidArgument: "takes the operands `lhs`, `rhs`; got 1", "needs `dims`".
  absl::Status Check(size_t operand_count, const BuilderArguments& arguments) const;
};

absl::Span<const BuilderCall> AllBuilderCalls();

// The call of that name, in any spelling: `ConcatInDim`, `concat_in_dim`. Null if there is none.
const BuilderCall* FindBuilderCall(absl::string_view name);

// The call that a text means by a word in the place of an opcode: names of calls begin in upper case, those of opcodes
// in lower case. Null if there is none. Quick for opcodes.
const BuilderCall* WrittenBuilderCall(absl::string_view word);

// A value of the parameter that is right for operands of these shapes: "{2,3}". Shapes may be invalid.
std::string UsualValue(const BuilderCall& call, const BuilderParameter& parameter, absl::Span<const Shape> operands);

// "SliceInDim(x, dim=0, start=0, limit=4)" with usual values, and what it becomes, line by line: an example.
struct BuilderExample {
  std::vector<BuilderValue> operands;
  std::string call;
  Snippet snippet;
};
BuilderExample ExampleOf(const BuilderCall& call);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_BUILDER_BUILDER_CALLS_H_
