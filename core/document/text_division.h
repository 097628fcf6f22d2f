// SPDX-License-Identifier: Apache-2.0
// Divides a text into parts that can be lexed and parsed one after the other, without what is before or after them.
#ifndef HLOSCOPE_CORE_DOCUMENT_TEXT_DIVISION_H_
#define HLOSCOPE_CORE_DOCUMENT_TEXT_DIVISION_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/source/source_range.h"

namespace hloscope {

struct TextPart {
  enum class Kind : uint8_t {
    kComputations,  // whole computations; of the first part the header, too
    kFrame,         // a computation that is divided: its first line, and what follows its statements
    kStatements,    // of the computation whose frame came last
  };
  Kind kind = Kind::kComputations;
  SourceRange range;  // whole lines
  SourceRange tail;   // of a frame, the line of its closing brace: `range` is then the first line
  bool is_last_of_frame = false;
  size_t lines = 0;  // of its bodies, about as many as statements; of a frame, in all parts that follow
};

// Parts of about `part_bytes`. Lines are understood as compilers print them: computations begin and end in the first
// column, statements are indented. Where a text only looks so, parts have errors that the text has not. One look at
// each line.
class TextDivision {
 public:
  TextDivision(absl::string_view text, size_t part_bytes) : text_(text), part_bytes_(part_bytes) {}

  // Nothing at the end.
  std::optional<TextPart> Next();
  // At the end: the text does not end after a computation.
  bool is_cut() const { return is_inside_; }

 private:
  void Line(size_t begin, size_t end);
  void CloseBody(size_t begin, size_t end);
  void AddComputations(size_t end);

  struct Cut {
    size_t at;    // where a line begins
    size_t line;  // its number in the body
  };

  absl::string_view text_;
  const size_t part_bytes_;
  std::deque<TextPart> parts_;              // that are known and were not asked for
  size_t position_ = 0;                     // of the next line
  size_t part_begin_ = 0, part_lines_ = 0;  // of the part that is not added yet
  bool is_inside_ = false;
  // Of the computation that the line is in:
  SourceRange head_;
  size_t lines_ = 0;
  std::vector<Cut> cuts_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_DOCUMENT_TEXT_DIVISION_H_
