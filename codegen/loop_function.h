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

// How expressions pass on which form of a function is meant (resources/compile/hlo_forms.h).
inline constexpr absl::string_view kFormArgument = "form, ";

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
  // "name[index]": the element of a parameter. RowElements must know of every use of it.
  std::string Element(absl::string_view parameter, LinearIndex index);
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
  // A row is one iteration of all of the first `loops` joined loops. The elements of the parameter that belong to a
  // row, which lie side by side, row after row, if no row uses those of another; else 0.
  int64_t RowElements(absl::string_view parameter, size_t loops) const;
  bool Uses(absl::string_view parameter) const;
  // Whether one of the lines has this text.
  bool Contains(absl::string_view text) const;
  // The lines with the loop variables' names in place of marks, each after `indent`.
  std::string Body(absl::string_view indent, absl::Span<const std::string> variables) const;
  std::string Replace(absl::string_view text, absl::Span<const std::string> variables) const;

 private:
  std::vector<int64_t> sizes_;
  std::vector<size_t> group_begins_;
  std::string prefix_;
  std::vector<LinearIndex> indices_;
  std::vector<std::pair<std::string, size_t>> uses_;  // parameters, and the numbers of indices they have
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

// The parameters in front of those of a form for rows.
inline constexpr absl::string_view kRowRange = "int64_t begin, int64_t end, ";

// The rows of a loop function, if it has a form that computes some of them: `void name(int64_t begin, int64_t end,
// ...)`.
struct LoopRows {
  int64_t count = 0;              // 0: it has no such form
  std::vector<int64_t> elements;  // by parameter, as LoopNest::RowElements gives them
  double nanoseconds = 0;         // of a row, roughly
};

// A loop function, still without a name (kLoopNameMark).
struct LoopText {
  LoopText(std::string text) : whole(std::move(text)) {}  // NOLINT: a function without rows is its text
  std::string whole;
  std::string of_rows;  // its other form
  LoopRows rows;
};

// How many of `rows` a thread takes at once, if a row takes so many nanoseconds: all of them if threads do not pay.
int64_t RowsOfBlock(double nanoseconds, int64_t rows);

// A name in texts of loop functions that stands for the one they get when they are added to a program.
inline constexpr absl::string_view kLoopNameMark = "\x03";

// The text of a function that runs `body` for all of `outer` loops, whose variables are i0, i1, ..., on all threads if
// `nanoseconds`, the work of one iteration of all outer loops, says that it pays.
std::string FunctionOfLoops(absl::Span<const LoopParameter> parameters, absl::Span<const int64_t> outer,
                            double nanoseconds, absl::string_view body, bool last_is_vector);

// The same function, and its form for rows of the first `row_loops` of the outer loops, which must be loops of the
// joined nest. There is none if rows share elements of a result.
LoopText LoopWithRows(absl::Span<const LoopParameter> parameters, const LoopNest& nest, absl::Span<const int64_t> outer,
                      size_t row_loops, double nanoseconds, absl::string_view body, bool last_is_vector);

// A function of one line that computes rows [begin, end), and its form for some of them.
LoopText FunctionOfRange(absl::Span<const LoopParameter> parameters, const LoopRows& rows, absl::string_view line);

// Whether to look results up (numerics/rows/result_table.h) pays for so many elements, each of the second of two
// parameters computed from one of the first, of 16 bits, in so many nanoseconds.
bool PaysToLookUp(absl::Span<const LoopParameter> parameters, int64_t count, double nanoseconds);
// A function of `rows` that are elements, which looks results up. `body` computes `count` elements from where the
// parameters point to on.
LoopText FunctionOfLookUps(absl::Span<const LoopParameter> parameters, const LoopRows& rows, absl::string_view body);

// The function of a joined nest with a vector loop inside. Unless `looks_up` is null, results are looked up where that
// pays, and it becomes true.
// Where two loops run along the memory of different arrays, as in a transposition, they are walked in small blocks, so
// that every cache line is read and written once.
LoopText FunctionOfNest(absl::Span<const LoopParameter> parameters, const LoopNest& nest, double nanoseconds,
                        bool* looks_up = nullptr);

// The same for a joined nest that only moves elements of `element_bytes` from the first parameter to the second, with
// the index it reads at added before the one it writes at. Large transpositions are left to CopyStrided of the runtime:
// then `uses_copy` becomes true.
LoopText FunctionOfMoves(absl::Span<const LoopParameter> parameters, const LoopNest& nest, double nanoseconds,
                         int64_t element_bytes, bool* uses_copy);

}  // namespace hloscope::codegen

#endif  // HLOSCOPE_CODEGEN_LOOP_FUNCTION_H_
