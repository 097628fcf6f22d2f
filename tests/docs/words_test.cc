// SPDX-License-Identifier: Apache-2.0
// Words that comments, messages and documents do not use, where nothing else is meant by them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "tests/docs/source_tree.h"

namespace hloscope {
namespace {

struct Word {
  const char* stem;  // is in each match
  const char* pattern;
  const char* instead;
};
constexpr Word kWords[] = {
    {"anew", "\\banew\\b", "again, or recomputed"},
    {"quietness", "\\bquietness\\b", "fused or unobserved execution"},
    {" out", "\\b(shared|sharing|shares) out\\b", "distributed"},
    {" told ", "\\b(is|are) told (once|with|and)\\b", "is listed, is reported"},
    {"stand", "\\bstands? (before|behind|in|at|there|on) (the|it|its|an?|lines?)\\b", "is"},
    {"behind", "\\bbehind (the (last|brace|opening|range)|its|computation names|`)", "after"},
};

TEST(Words, AreThoseOfTheField) {
  const std::filesystem::path root = HLOSCOPE_SOURCE_DIR;
  std::vector<std::regex> patterns;
  for (const Word& word : kWords) patterns.emplace_back(word.pattern);
  for (const std::string& file : TextFiles(root)) {
    if (file == "tests/docs/words_test.cc") continue;
    const std::string text = FileContents(root / file);
    for (size_t w = 0; w < patterns.size(); ++w) {
      const Word& word = kWords[w];
      for (size_t at = text.find(word.stem); at != std::string::npos; at = text.find(word.stem, at + 1)) {
        const size_t begin = text.rfind('\n', at) + 1;
        const size_t end = std::min(text.find('\n', at), text.size());
        std::smatch match;
        const std::string line = text.substr(begin, end - begin);
        if (!std::regex_search(line, match, patterns[w])) continue;
        ADD_FAILURE() << file << ":"
                      << 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') << ": `"
                      << match.str() << "`: " << word.instead;
      }
    }
  }
}

}  // namespace
}  // namespace hloscope
