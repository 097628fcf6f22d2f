// SPDX-License-Identifier: Apache-2.0
// Repairs of mistakes, found by trying.
#ifndef HLOSCOPE_CORE_EDITING_REPAIRS_H_
#define HLOSCOPE_CORE_EDITING_REPAIRS_H_

#include <functional>
#include <string>
#include <vector>

#include "core/document/document.h"

namespace hloscope {

struct Repair {
  std::string title;
  std::vector<TextEdit> edits;  // sorted
  int errors_left = 0;          // of the text after them
  bool is_guess = false;        // another value in place of one, or of none: what fits need not be what was meant
};

// Changes of the statement on the line of the offset after which it has no error and the text has fewer: what people
// mean by what they write (another language's spelling, a bracket, an order of operands, a number), as far as it can be
// guessed. They are in no order; at most kMaxRepairs. Each try costs an edit of the document: some milliseconds, or
// for a line that cannot be read the time of reading the text again. Nothing is tried once `cancelled` says so.
std::vector<Repair> FindRepairs(const Document& document, uint32_t offset, const std::function<bool()>& cancelled);
inline constexpr size_t kMaxRepairs = 12;

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_EDITING_REPAIRS_H_
