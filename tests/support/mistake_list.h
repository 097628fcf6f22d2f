// SPDX-License-Identifier: Apache-2.0
// Lists of mistakes: Markdown with modules, and after each a table of what is written wrong in it.
#ifndef HLOSCOPE_TESTS_SUPPORT_MISTAKE_LIST_H_
#define HLOSCOPE_TESTS_SUPPORT_MISTAKE_LIST_H_

#include <string>
#include <vector>

#include "core/source/source_text.h"

namespace hloscope {

// A row | number | right | wrong | words of the message |, cells as `` text `` with \n for line ends.
struct Mistake {
  std::string number, right, wrong, message;
};

// A module of the page, and the mistakes in it that the page lists after it.
struct Lesson {
  std::string module;
  std::vector<Mistake> mistakes;
};

std::vector<Lesson> LessonsOf(const std::string& page);

// The module with the first `right` replaced, and the lines of it that are wrong. A text without `right` fails the
// test.
struct MistakenText {
  std::string text;
  SourceRange lines;
};
MistakenText WithMistake(const std::string& module, const Mistake& mistake);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_MISTAKE_LIST_H_
