// SPDX-License-Identifier: Apache-2.0
#include "memory_policy/memory_policy.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "core/document/document.h"
#include "core/source/memory_hooks.h"

namespace hloscope {
namespace {

// Bytes of this process that are in memory; 0 where that is unknown.
int64_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  int64_t total = 0, resident = 0;
  file >> total >> resident;
  return resident * 4096;
}

std::vector<std::string> g_calls;

// The hooks belong to the process: each test sets its own.
class MemoryPolicyTest : public testing::Test {
 protected:
  void TearDown() override { SetMemoryHooks(MemoryHooks()); }
};

TEST_F(MemoryPolicyTest, ParsingIsReportedFromItsBeginningToItsEnd) {
  g_calls.clear();
  MemoryHooks hooks;
  hooks.before_parsing = [](size_t bytes) { g_calls.push_back("before " + std::to_string(bytes)); };
  hooks.after_parsing = [](size_t bytes) { g_calls.push_back("after " + std::to_string(bytes)); };
  SetMemoryHooks(hooks);
  const std::string text = "HloModule m\n";
  Document::Parse(SourceText::FromString("m.hlo", text), DocumentOptions());
  const std::string bytes = std::to_string(text.size());
  EXPECT_EQ(g_calls, (std::vector<std::string>{"before " + bytes, "after " + bytes}));
}

TEST_F(MemoryPolicyTest, RoomForALargeTextIsNotUsedMemory) {
  memory_policy::SetUpMemory(memory_policy::TextThreads::kMain);
  const int64_t before = ResidentBytes();
  ReportReading(size_t{200} << 20);
  const ParsingReport parsing(size_t{200} << 20);
  EXPECT_LT(ResidentBytes() - before, int64_t{16} << 20);
}

TEST_F(MemoryPolicyTest, WhatIsAllocatedWhileTextsOfAllSizesAreParsedStaysAsItWas) {
  memory_policy::SetUpMemory(memory_policy::TextThreads::kMain);
  for (const size_t text_bytes : {size_t{0}, size_t{1} << 10, size_t{1} << 19, size_t{10} << 20, size_t{40} << 20}) {
    std::vector<std::unique_ptr<char[]>> blocks;
    {
      ReportReading(text_bytes);
      const ParsingReport first(text_bytes), second(text_bytes);
      for (size_t bytes = 16; bytes < (size_t{64} << 20); bytes *= 3) {
        blocks.push_back(std::make_unique_for_overwrite<char[]>(bytes));
        ReportFreshBlock(blocks.back().get(), bytes);
        std::memset(blocks.back().get(), static_cast<int>(blocks.size()), bytes);
      }
    }
    for (size_t i = 0; i < blocks.size(); ++i) EXPECT_EQ(blocks[i][15], static_cast<char>(i + 1));
  }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_F(MemoryPolicyTest, WhatIsFreeBetweenBlocksInUseIsGivenBack) {
  memory_policy::SetUpMemory(memory_policy::TextThreads::kMain);
  constexpr size_t kBytes = 4 << 20;
  std::vector<std::unique_ptr<char[]>> blocks;
  for (int i = 0; i < 100; ++i) {
    blocks.push_back(std::make_unique_for_overwrite<char[]>(kBytes));
    std::memset(blocks.back().get(), 1, kBytes);
  }
  const int64_t full = ResidentBytes();
  blocks.erase(blocks.begin(), blocks.end() - 1);  // the last one is at the end of the heap
  ReleaseFreeMemory();
  EXPECT_LT(ResidentBytes(), full - int64_t{80 * kBytes});
}
#endif

TEST_F(MemoryPolicyTest, ATextThatNoMemoryIsThereForDoesNoHarm) {
  memory_policy::SetUpMemory(memory_policy::TextThreads::kMain);
  const ParsingReport parsing(size_t{1} << 40);
  EXPECT_NE(std::make_unique<char[]>(1 << 20), nullptr);
}

}  // namespace
}  // namespace hloscope
