// SPDX-License-Identifier: Apache-2.0
// Values of large snapshots stay in the file until a run needs them.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "core/document/document.h"
#include "gtest/gtest.h"
#include "interop/files/open_file.h"
#include "interop/files/write_file.h"
#include "replay/recorded_values.h"

namespace hloscope::replay {
namespace {

// A snapshot with an argument of so many bytes, whose number i is i, and half of them as its result.
class MappedSnapshotTest : public ::testing::Test {
 protected:
  void Write(int64_t bytes) {
    count_ = bytes / 4;
    module_ = absl::StrCat("HloModule m\n\nENTRY e {\n  p = f32[", count_, "] parameter(0)\n  ROOT s = f32[",
                           count_ / 2, "] slice(p), slice={[0:", count_ / 2, "]}\n}\n");
    const auto document = Document::Parse(SourceText::FromString("m", module_));
    ASSERT_FALSE(document->has_errors());
    interop::RecordedValues values;
    values.arguments.push_back(Numbers(count_));
    values.result = Numbers(count_ / 2);
    const auto encoded = interop::EncodeModule(document->module(), interop::OutputForm::kSnapshot, values);
    ASSERT_TRUE(encoded.ok()) << encoded.status();
    std::ofstream(path_, std::ios::binary) << *encoded;
  }
  ~MappedSnapshotTest() override { unlink(path_.c_str()); }

  static Literal Numbers(int64_t count) {
    Literal literal(Shape::Array(ElementType::kF32, {count}));
    literal.mutable_bytes().resize(static_cast<size_t>(count) * 4);
    float* const numbers = reinterpret_cast<float*>(literal.mutable_bytes().data());
    for (int64_t i = 0; i < count; ++i) numbers[i] = static_cast<float>(i);
    return literal;
  }

  // Resident bytes of a process at its highest.
  static int64_t PeakOf(const std::vector<std::string>& arguments) {
    const pid_t child = fork();
    if (child == 0) {
      std::vector<char*> words;
      for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
      words.push_back(nullptr);
      if (freopen("/dev/null", "w", stdout) == nullptr || freopen("/dev/null", "w", stderr) == nullptr) _exit(126);
      execv(words[0], words.data());
      _exit(127);
    }
    int status = 0;
    rusage usage = {};
    EXPECT_EQ(wait4(child, &status, 0, &usage), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return int64_t{usage.ru_maxrss} * 1024;
  }

  const std::string path_ = absl::StrCat(testing::TempDir(), "/mapped_", getpid(), ".pb");
  std::string module_;
  int64_t count_ = 0;
};

// Whether the address is in a mapping of the file, by what the system says.
bool IsMapped(const void* address, const std::string& path) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::string range, rights, offset, device, inode, file;
    words >> range >> rights >> offset >> device >> inode >> file;
    uint64_t begin = 0, end = 0;
    const size_t dash = range.find('-');
    if (!absl::SimpleHexAtoi(range.substr(0, dash), &begin) || !absl::SimpleHexAtoi(range.substr(dash + 1), &end))
      continue;
    const uint64_t at = reinterpret_cast<uintptr_t>(address);
    if (at >= begin && at < end) return std::filesystem::equivalent(file, path);
  }
  return false;
}

TEST_F(MappedSnapshotTest, NothingIsCopiedBeforeARunNeedsIt) {
  Write(2 << 20);
  const absl::StatusOr<interop::OpenedFile> file = interop::OpenFile(path_);
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_TRUE(file->snapshot.has_value());
  const auto argument = file->snapshot->arguments[0][0].InPlace();
  const auto result = file->snapshot->result->InPlace();
  ASSERT_TRUE(argument.has_value() && result.has_value());
  EXPECT_TRUE(IsMapped(argument->bytes.data(), path_));
  EXPECT_TRUE(IsMapped(&argument->bytes.back(), path_));
  EXPECT_TRUE(IsMapped(&result->bytes.back(), path_));
  EXPECT_EQ(static_cast<int64_t>(argument->bytes.size()), count_ * 4);

  // A run gets a tensor, and that is the only copy.
  const auto document = Document::Parse(file->modules[0].text);
  evaluator::Buffer::ResetPeak();
  const int64_t before = evaluator::Buffer::LiveBytes();
  const auto arguments = RecordedArguments(*file->snapshot, document->module());
  ASSERT_TRUE(arguments.ok()) << arguments.status();
  EXPECT_EQ(evaluator::Buffer::PeakBytes() - before, count_ * 4);
  EXPECT_EQ((*arguments)[0].tensor().data_as<float>()[count_ - 1], static_cast<float>(count_ - 1));
}

// Somebody else writes the file again while it is open here.
TEST_F(MappedSnapshotTest, AFileThatBecomesShorterIsAnError) {
  Write(2 << 20);
  const absl::StatusOr<interop::OpenedFile> file = interop::OpenFile(path_);
  ASSERT_TRUE(file.ok()) << file.status();
  const auto document = Document::Parse(file->modules[0].text);
  ASSERT_TRUE(RecordedArguments(*file->snapshot, document->module()).ok());
  ASSERT_EQ(truncate(path_.c_str(), 1 << 20), 0);
  for (int i = 0; i < 2; ++i) {
    const auto arguments = RecordedArguments(*file->snapshot, document->module());
    ASSERT_FALSE(arguments.ok());
    EXPECT_EQ(arguments.status().message(), "the file became shorter while it was read");
  }
  EXPECT_FALSE(RecordedResult(*file->snapshot).ok());
  // Others are not concerned, and the place of the mapping is used again.
  Write(2 << 20);
  const absl::StatusOr<interop::OpenedFile> again = interop::OpenFile(path_);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_TRUE(RecordedArguments(*again->snapshot, document->module()).ok());
}

TEST_F(MappedSnapshotTest, ElementsOfATupleAreInPlaceToo) {
  interop::RecordedValues values;
  std::vector<Literal> elements = {Numbers(3), Numbers(2)};
  Shape shape = Shape::Tuple({elements[0].shape(), elements[1].shape()});
  values.arguments.push_back(Literal::Tuple(shape, std::move(elements)));
  const auto document = Document::Parse(
      SourceText::FromString("m", "HloModule m\n\nENTRY e {\n  ROOT p = (f32[3], f32[2]) parameter(0)\n}\n"));
  const auto encoded = interop::EncodeModule(document->module(), interop::OutputForm::kSnapshot, values);
  ASSERT_TRUE(encoded.ok());
  const auto file = interop::OpenBytes("m", *encoded);
  ASSERT_TRUE(file.ok());
  const std::vector<interop::LiteralData> parts = file->snapshot->arguments[0][0].Elements();
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[1].InPlace()->bytes.size(), 8u);
  const auto arguments = RecordedArguments(*file->snapshot, document->module());
  ASSERT_TRUE(arguments.ok()) << arguments.status();
  EXPECT_EQ((*arguments)[0].elements()[0].tensor().data_as<float>()[2], 2.0f);
}

// HLOSCOPE_SNAPSHOT_MB=500 takes a snapshot of that size.
TEST_F(MappedSnapshotTest, MemoryOfCommands) {
  int64_t megabytes = 32;
  if (const char* const wanted = std::getenv("HLOSCOPE_SNAPSHOT_MB")) {
    ASSERT_TRUE(absl::SimpleAtoi(wanted, &megabytes)) << wanted;
  }
  Write(megabytes << 20);
  constexpr int64_t kProgram = 48 << 20;
  const int64_t all = (megabytes << 20) * 3 / 2;  // argument and result
  const int64_t check = PeakOf({HLOSCOPE_BINARY, "check", path_});
  const int64_t run = PeakOf({HLOSCOPE_BINARY, "run", path_});
  RecordProperty("check_bytes", absl::StrCat(check));
  RecordProperty("run_bytes", absl::StrCat(run));
  printf("%lld MB recorded: check %lld MB, run %lld MB\n", static_cast<long long>(all >> 20),
         static_cast<long long>(check >> 20), static_cast<long long>(run >> 20));
  EXPECT_LT(check, kProgram);
  // The pages of the file, and a tensor of each array.
  EXPECT_LT(run, kProgram + 2 * all);
}

}  // namespace
}  // namespace hloscope::replay
