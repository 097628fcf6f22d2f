// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/source_frames.h"

#include "gtest/gtest.h"

namespace hloscope {
namespace {

Module ModuleWithTables() {
  Module module;
  StackFrameTables& tables = module.mutable_header().stack_frames;
  tables.file_names = {"model.py"};
  tables.function_names = {"main", "step"};
  tables.locations = {{1, 1, 10, 10, 2, 9}, {1, 2, 31, 33, 4, 5}};
  return module;
}

Metadata AtFrame(int32_t id) {
  Metadata metadata;
  metadata.stack_frame_id = id;
  return metadata;
}

TEST(SourceFramesTest, FollowsParentsWhichAreOffByOne) {
  Module module = ModuleWithTables();
  module.mutable_header().stack_frames.frames = {{1, 1}, {2, 2}};
  const std::vector<SourceFrame> stack = SourceFramesOf(module, AtFrame(2));
  ASSERT_EQ(stack.size(), 2u);
  EXPECT_EQ(stack[0].file, "model.py");
  EXPECT_EQ(stack[0].function, "step");
  EXPECT_EQ(stack[0].line, 31);
  EXPECT_EQ(stack[0].column, 4);
  EXPECT_EQ(stack[1].function, "main");
  EXPECT_EQ(SourceFramesOf(module, AtFrame(1)).size(), 1u);
}

TEST(SourceFramesTest, BrokenTablesEndTheStack) {
  Module module = ModuleWithTables();
  module.mutable_header().stack_frames.frames = {{1, 3}, {2, 2}, {99, 1}};  // 1 and 2 are each other's parents
  EXPECT_LE(SourceFramesOf(module, AtFrame(1)).size(), 3u);
  EXPECT_TRUE(SourceFramesOf(module, AtFrame(3)).empty());
  for (int32_t id : {0, -1, 4, 2147483647, -2147483647 - 1}) EXPECT_TRUE(SourceFramesOf(module, AtFrame(id)).empty());
}

TEST(SourceFramesTest, FallsBackToTheMetadata) {
  Module module;
  Metadata metadata;
  metadata.source_file = module.InternString("f.py");
  metadata.source_line = 3;
  const std::vector<SourceFrame> stack = SourceFramesOf(module, metadata);
  ASSERT_EQ(stack.size(), 1u);
  EXPECT_EQ(stack[0].file, "f.py");
  EXPECT_EQ(stack[0].line, 3);
  EXPECT_TRUE(SourceFramesOf(module, Metadata()).empty());
}

}  // namespace
}  // namespace hloscope
