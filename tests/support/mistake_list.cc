// SPDX-License-Identifier: Apache-2.0
#include "tests/support/mistake_list.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "gtest/gtest.h"

namespace hloscope {
namespace {

std::string CellText(absl::string_view cell) {
  cell = absl::StripAsciiWhitespace(cell);
  if (!absl::ConsumePrefix(&cell, "`` ") || !absl::ConsumeSuffix(&cell, " ``")) return std::string(cell);
  return absl::StrReplaceAll(cell, {{"\\n", "\n"}});
}

}  // namespace

std::vector<Lesson> LessonsOf(const std::string& page) {
  std::vector<Lesson> lessons;
  bool in_module = false;
  for (const std::string& line : std::vector<std::string>(absl::StrSplit(page, '\n'))) {
    if (line == "```hlo") {
      in_module = true;
      lessons.emplace_back();
    } else if (line == "```") {
      in_module = false;
    } else if (in_module) {
      absl::StrAppend(&lessons.back().module, line, "\n");
    } else {
      const std::vector<std::string> cells = absl::StrSplit(line, '|');
      if (cells.size() != 6 || !isdigit(static_cast<unsigned char>(cells[1].c_str()[1]))) continue;
      lessons.back().mistakes.push_back(
          {CellText(cells[1]), CellText(cells[2]), CellText(cells[3]), CellText(cells[4])});
    }
  }
  return lessons;
}

MistakenText WithMistake(const std::string& module, const Mistake& mistake) {
  const size_t at = module.find(mistake.right);
  EXPECT_NE(at, std::string::npos) << mistake.number;
  if (at == std::string::npos) return {};
  std::string text = module;
  text.replace(at, mistake.right.size(), mistake.wrong);
  const size_t line = text.rfind('\n', at > 0 ? at - 1 : 0) + 1;
  const size_t line_end = std::min(text.find('\n', at + mistake.wrong.size()), text.size());
  return {std::move(text), {static_cast<uint32_t>(line), static_cast<uint32_t>(line_end)}};
}

}  // namespace hloscope
