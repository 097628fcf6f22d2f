#include "core/source/heap_room.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <vector>

namespace hloscope {
namespace {

// Bytes of this process that are in memory; 0 where that is not told.
int64_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  int64_t total = 0, resident = 0;
  file >> total >> resident;
  return resident * 4096;
}

TEST(HeapRoomTest, RoomForALargeTextIsNotUsedMemory) {
  const int64_t before = ResidentBytes();
  const HeapRoom room(size_t{200} << 20);
  EXPECT_LT(ResidentBytes() - before, int64_t{16} << 20);
}

TEST(HeapRoomTest, RoomsOfAllSizesHoldWhatIsAllocated) {
  for (const size_t text_bytes : {size_t{0}, size_t{1} << 10, size_t{1} << 19, size_t{10} << 20, size_t{40} << 20}) {
    std::vector<std::unique_ptr<char[]>> blocks;
    {
      const HeapRoom room(text_bytes);
      const HeapRoom second(text_bytes);
      for (size_t bytes = 16; bytes < (size_t{4} << 20); bytes *= 3) {
        blocks.push_back(std::make_unique<char[]>(bytes));
        std::memset(blocks.back().get(), static_cast<int>(blocks.size()), bytes);
      }
    }
    for (size_t i = 0; i < blocks.size(); ++i) EXPECT_EQ(blocks[i][15], static_cast<char>(i + 1));
  }
}

TEST(HeapRoomTest, ATextThatNoMemoryIsThereForDoesNoHarm) {
  const HeapRoom room(size_t{1} << 40);
  EXPECT_NE(std::make_unique<char[]>(1 << 20), nullptr);
}

}  // namespace
}  // namespace hloscope
