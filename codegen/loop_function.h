// SPDX-License-Identifier: Apache-2.0
// One loop nest as a C++ function of its own. Equal nests share a function, whatever their instructions are called.
#ifndef HLOSCOPE_CODEGEN_LOOP_FUNCTION_H_
#define HLOSCOPE_CODEGEN_LOOP_FUNCTION_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "codegen/index_map.h"

namespace hloscope::codegen {

// The body of nested loops. Texts refer to the loops by marks that Print replaces, once it is known which neighbouring
// loops can be walked as one.
class LoopNest {
 public:
  // `group_begins`: loops that must not be joined with the one before, in ascending order. Names begin with `prefix`.
  explicit LoopNest(std::vector<int64_t> sizes, std::vector<size_t> group_begins = {}, std::string prefix = "v")
      : sizes_(std::move(sizes)), group_begins_(std::move(group_begins)), prefix_(std::move(prefix)) {}

  const std::vector<int64_t>& sizes() const { return sizes_; }
  // A mark for an index that is linear in the loop variables.
  std::string Index(LinearIndex index);
  void AddLine(absl::string_view line) { lines_.emplace_back(line); }
  // A line `const TYPE name = expression;`; returns the name.
  std::string Name(absl::string_view type, absl::string_view expression);

  // Joins neighbouring loops. To be called once, when everything has been added. Loops of one iteration vanish.
  void Join();
  // Afterwards: loops that are left, and how many of them lie before the loop that was number `loop`.
  const std::vector<int64_t>& joined_sizes() const { return joined_sizes_; }
  size_t JoinedBefore(size_t loop) const;
  // Strides of each index by joined loop.
  const std::vector<LinearIndex>& joined_indices() const { return joined_; }
  // The lines with the loop variables' names in place of marks, each after `indent`.
  std::string Body(absl::string_view indent, absl::Span<const std::string> variables) const;
  std::string Replace(absl::string_view text, absl::Span<const std::string> variables) const;

 private:
  std::vector<int64_t> sizes_;
  std::vector<size_t> group_begins_;
  std::string prefix_;
  std::vector<LinearIndex> indices_;
  std::vector<std::string> lines_;
  int names_ = 0;
  std::vector<int64_t> joined_sizes_;
  std::vector<size_t> joined_of_;  // by loop: the number of joined loops that end before it
  std::vector<LinearIndex> joined_;
};

// "i0", "i1", ...
std::vector<std::string> LoopVariables(size_t count);

// A parameter of a loop function.
struct LoopParameter {
  std::string type;  // of the elements: "float"
  std::string name;
  bool is_output = false;
};
// "const float* __restrict a0, float* __restrict r0".
std::string ParameterList(absl::Span<const LoopParameter> parameters);

// The text of a function `name` that runs `body` (a function from the names of the variables of the outer loops to
// text), for all of `outer` loops, on all threads if `nanoseconds`, the work of one iteration of all outer loops, says
// that it pays.
std::string FunctionOfLoops(absl::string_view name, absl::Span<const LoopParameter> parameters,
                            absl::Span<const int64_t> outer, double nanoseconds, absl::string_view body,
                            bool last_is_vector);

// The same for a joined nest with a vector loop inside. Where two loops run along the memory of different arrays, as in
// a transposition, they are walked in small blocks, so that every cache line is read and written once.
std::string FunctionOfNest(absl::string_view name, absl::Span<const LoopParameter> parameters, const LoopNest& nest,
                           double nanoseconds);

// The same for a joined nest that only moves elements of `element_bytes` from the first parameter to the second, with
// the index it reads at added before the one it writes at. Large transpositions are left to CopyStrided of the runtime:
// then `uses_copy` becomes true.
std::string FunctionOfMoves(absl::string_view name, absl::Span<const LoopParameter> parameters, const LoopNest& nest,
                            double nanoseconds, int64_t element_bytes, bool* uses_copy);

}  // namespace hloscope::codegen

#endif  // HLOSCOPE_CODEGEN_LOOP_FUNCTION_H_
