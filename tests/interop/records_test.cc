// SPDX-License-Identifier: Apache-2.0
// Records of real files, and how long reading takes.
#include "interop/records/records.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/document/document.h"
#include "gtest/gtest.h"
#include "interop/files/open_file.h"
#include "interop/hlo_proto/module_reader.h"
#include "interop/hlo_proto/module_writer.h"
#include "tests/support/generated_module.h"
#include "tests/support/processor_time.h"
#include "tests/support/shared_files.h"

namespace hloscope::interop {
namespace {

TEST(RecordsTest, BufferAssignmentOfAProfile) {
  SKIP_WITHOUT_SHARED_FILES();
  const auto file = OpenFile(absl::StrCat(SharedDirectory(), "/interop/legacy.jit_forward_3d_conv.hlo.pb"));
  ASSERT_TRUE(file.ok());
  ASSERT_NE(file->buffer_assignment, nullptr);
  const BufferAssignment assignment = ReadBufferAssignment(*file->buffer_assignment);
  EXPECT_TRUE(assignment.contradictions.empty()) << assignment.contradictions[0];
  bool has_planned = false;
  for (const AssignedAllocation& allocation : assignment.allocations) has_planned |= allocation.size == 579072128;
  EXPECT_TRUE(has_planned);
}

TEST(RecordsTest, ContradictionsAreFound) {
  proto::BufferAssignmentProto assignment;
  auto* allocation = assignment.add_buffer_allocations();
  allocation->set_size(8);
  auto* value = allocation->add_assigned();
  value->set_logical_buffer_id(3);
  value->set_offset(INT64_MAX);
  value->set_size(16);
  EXPECT_EQ(ReadBufferAssignment(assignment).contradictions.size(), 2);
}

TEST(RecordsTest, AutotuneResults) {
  SKIP_WITHOUT_SHARED_FILES();
  const auto records = ReadAutotuneResults(
      ReadFileOrDie(absl::StrCat(SharedDirectory(), "/interop/xla_aot_compile_test_autotune_results.txtpb")));
  ASSERT_TRUE(records.ok()) << records.status();
  EXPECT_EQ(records->version, 3);
  ASSERT_FALSE(records->records.empty());
  EXPECT_TRUE(absl::StrContains(records->records[0].hlo, "__cublas$gemm"));
  EXPECT_TRUE(absl::StartsWith(records->records[0].choice, "gemm algorithm"));
  EXPECT_FALSE(ReadAutotuneResults("version: {").ok());
}

TEST(ReadingSpeedTest, AProtoTakesNoLongerThanText) {
  const auto source = SourceText::FromString("generated", GenerateModule(4000000));
  const auto document = Document::Parse(source, {{}, /*parse_only=*/true});
  proto::HloModuleProto written;
  ASSERT_TRUE(WriteHloModule(document->module(), &written).ok());
  const std::string bytes = written.SerializeAsString();
  double text = 1e9, message = 1e9;
  for (int run = 0; run < 5; ++run) {
    const auto seconds = [](auto work) {
      const double start = ProcessorSeconds();
      work();
      return ProcessorSeconds() - start;
    };
    text = std::min(text, seconds([&] { Document::Parse(source, {{}, /*parse_only=*/true}); }));
    message = std::min(message, seconds([&] {
                         ProtoPlace place;
                         ASSERT_TRUE(ReadHloModule(bytes, &place).ok());
                       }));
  }
  const double count = static_cast<double>(document->module().instruction_count());
  printf("text %.0f ns, proto %.0f ns an instruction\n", text / count * 1e9, message / count * 1e9);
  EXPECT_LT(message, text);
}

}  // namespace
}  // namespace hloscope::interop
