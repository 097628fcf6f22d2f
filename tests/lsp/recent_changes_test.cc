// SPDX-License-Identifier: Apache-2.0
#include "lsp/server/recent_changes.h"

#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace hloscope::lsp {
namespace {

TEST(RecentChangesTest, WhatIsNotKnownIsEverything) {
  RecentChanges changes;
  EXPECT_FALSE(changes.Since(0).is_everything);
  EXPECT_FALSE(changes.Since(0).change.has_value());
  changes.AddEverything(1);
  EXPECT_TRUE(changes.Since(0).is_everything);
  EXPECT_FALSE(changes.Since(1).is_everything);
  for (uint64_t revision = 2; revision < 2 + RecentChanges::kMaxKept; ++revision) {
    const TextChange change = {{5, 6}, {5, 7}};
    changes.Add(revision, {&change, 1});
  }
  EXPECT_FALSE(changes.Since(1).is_everything);
  const TextChange one_more = {{0, 0}, {0, 1}};
  changes.Add(1000, {&one_more, 1});
  EXPECT_TRUE(changes.Since(1).is_everything);
  EXPECT_FALSE(changes.Since(2).is_everything);
  EXPECT_FALSE(changes.Since(1000).change.has_value());
}

// Outside of the change, texts are the same.
TEST(RecentChangesTest, RandomEditsLieInTheChange) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    RecentChanges changes;
    std::vector<std::string> texts = {"0123456789abcdefghij"};
    for (uint64_t revision = 1; revision < 8; ++revision) {
      std::string text = texts.back();
      std::vector<TextChange> parts;
      uint32_t from = 0, shift = 0;  // in the old text; modulo 2^32
      for (int part = static_cast<int>(random() % 3); part >= 0; --part) {
        const uint32_t size = static_cast<uint32_t>(texts.back().size());
        if (from >= size) break;
        const uint32_t begin = from + static_cast<uint32_t>(random() % (size - from));
        const uint32_t end = begin + static_cast<uint32_t>(random() % (size - begin + 1)) / 2;
        const std::string put(random() % 4, static_cast<char>('A' + random() % 26));
        parts.push_back({{begin, end}, {begin + shift, begin + shift + static_cast<uint32_t>(put.size())}});
        text.replace(begin + shift, end - begin, put);
        shift += static_cast<uint32_t>(put.size()) - (end - begin);
        from = end + 1;
      }
      changes.Add(revision, parts);
      texts.push_back(text);
    }
    for (uint64_t since = 0; since < 8; ++since) {
      const auto difference = changes.Since(since);
      ASSERT_FALSE(difference.is_everything);
      const std::string &before = texts[since], &after = texts.back();
      const TextChange change = difference.change.value_or(TextChange{});
      if (!difference.change.has_value()) {
        ASSERT_EQ(before, after);
        continue;
      }
      ASSERT_EQ(before.substr(0, change.before.begin), after.substr(0, change.after.begin));
      ASSERT_EQ(before.substr(change.before.end), after.substr(change.after.end));
    }
  }
}

}  // namespace
}  // namespace hloscope::lsp
