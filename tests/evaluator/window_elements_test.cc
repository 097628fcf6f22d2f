// SPDX-License-Identifier: Apache-2.0
#include "evaluator/debugger/window_elements.h"

#include <algorithm>
#include <atomic>
#include <random>
#include <vector>

#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "numerics/windows/window_dimension.h"

namespace hloscope::evaluator {
namespace {

// Offset by offset.
std::vector<std::vector<int64_t>> ElementsInWindow(const Window& window, const std::vector<int64_t>& sizes,
                                                   const std::vector<int64_t>& number) {
  std::vector<std::vector<int64_t>> found;
  std::vector<int64_t> offset(sizes.size(), 0);
  for (;;) {
    std::vector<int64_t> index;
    for (size_t d = 0; d < sizes.size(); ++d) {
      index.push_back(numerics::BasePosition(window.dimensions[d], sizes[d], number[d], offset[d]));
    }
    if (std::none_of(index.begin(), index.end(), [](int64_t i) { return i < 0; })) found.push_back(index);
    size_t d = sizes.size();
    while (d > 0 && ++offset[d - 1] == window.dimensions[d - 1].size) offset[--d] = 0;
    if (d == 0) return found;
  }
}

TEST(WindowElementsTest, AreThoseAtWhichAnOffsetIsReal) {
  std::mt19937 random(7);
  const auto pick = [&](int64_t least, int64_t most) {
    return least + static_cast<int64_t>(random() % static_cast<uint32_t>(most - least + 1));
  };
  for (int trial = 0; trial < 2000; ++trial) {
    Window window;
    std::vector<int64_t> sizes, number;
    for (int64_t d = pick(0, 3); d > 0; --d) {
      window.dimensions.push_back({pick(1, 6), pick(1, 3), pick(-2, 4), pick(-2, 4), pick(1, 4), pick(1, 3)});
      sizes.push_back(pick(0, 5));
      number.push_back(pick(0, 5));
    }
    std::vector<std::vector<int64_t>> found;
    QuestionLimit limit;
    EXPECT_TRUE(ForEachInWindow(
        window, sizes, number,
        [&](const std::vector<int64_t>& index) {
          found.push_back(index);
          return true;
        },
        limit));
    EXPECT_EQ(found, ElementsInWindow(window, sizes, number)) << trial << ": sizes " << absl::StrJoin(sizes, ",");
  }
}

TEST(WindowElementsTest, EndWithTheVisitorOrTheLimit) {
  Window window;
  window.dimensions = {{1000000000, 1, 0, 0, 500000000, 1}, {1000000000, 1, 0, 0, 500000000, 1}};
  const std::vector<int64_t> sizes = {3, 3}, number = {1, 1};
  QuestionLimit none;
  int visited = 0;
  const auto stop = [&](const std::vector<int64_t>&) { return ++visited < 1; };
  window.dimensions[0].size = window.dimensions[1].size = 4;
  window.dimensions[0].base_dilation = window.dimensions[1].base_dilation = 1;
  EXPECT_FALSE(ForEachInWindow(window, sizes, number, stop, none));
  EXPECT_EQ(visited, 1);
  // Holes take time too.
  window.dimensions[0].size = window.dimensions[1].size = 1000000000;
  window.dimensions[0].base_dilation = window.dimensions[1].base_dilation = 500000000;
  std::atomic<bool> interrupted{true};
  QuestionLimit limit(0, &interrupted);
  EXPECT_FALSE(ForEachInWindow(
      window, sizes, number, [](const std::vector<int64_t>&) { return true; }, limit));
  EXPECT_TRUE(absl::IsCancelled(limit.status()));
}

TEST(QuestionLimitTest, SaysWhyItIsOver) {
  QuestionLimit none;
  for (int i = 0; i < 5000; ++i) EXPECT_FALSE(none.IsOver());
  EXPECT_TRUE(none.status().ok());
  QuestionLimit short_one(1e-9, nullptr);
  while (!short_one.IsOver()) {
  }
  EXPECT_TRUE(absl::IsResourceExhausted(short_one.status()));
  std::atomic<bool> interrupted{false};
  QuestionLimit interruptible(1000, &interrupted);
  EXPECT_FALSE(interruptible.Look());
  interrupted = true;
  EXPECT_TRUE(interruptible.Look());
  EXPECT_EQ(interruptible.status().message(), "interrupted");
}

}  // namespace
}  // namespace hloscope::evaluator
