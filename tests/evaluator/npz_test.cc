// SPDX-License-Identifier: Apache-2.0
// .npz archives: written ones read back, damaged ones are named.
#include "evaluator/tensor/npz.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/test_folder.h"

namespace hloscope::evaluator {
namespace {

using ::testing::HasSubstr;

const TestFolder& Folder() {
  static const TestFolder folder;
  return folder;
}

std::string Path(const std::string& name) { return Folder() / name; }

TEST(NpzTest, WhatIsWrittenReadsBack) {
  const std::string path = Path("good.npz");
  NpzWriter writer(path);
  const Tensor a = *Tensor::FromValues<float>(ElementType::kF32, {2, 2}, {1, 2, 3, 4});
  const Tensor b = *Tensor::FromValues<int32_t>(ElementType::kS32, {}, {-7});
  writer.Add("result0", a);
  writer.Add("result1.r0", b);
  ASSERT_TRUE(writer.Write().ok());
  ASSERT_TRUE(writer.Write().ok());  // replaces the file
  const absl::StatusOr<std::unique_ptr<NpzReader>> reader = NpzReader::Open(path);
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_TRUE((*reader)->Has("result0"));
  EXPECT_FALSE((*reader)->Has("result"));
  EXPECT_TRUE((*reader)->Read("result0", a.shape())->BitwiseEqual(a));
  EXPECT_TRUE((*reader)->Read("result1.r0", b.shape())->BitwiseEqual(b));
  EXPECT_EQ((*reader)->Read("result2", b.shape()).status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string((*reader)->Read("result0", b.shape()).status().message()), HasSubstr("good.npz:result0.npy"));
}

std::string ArchiveOfBytes(const std::string& name, absl::string_view hexadecimal) {
  const std::string path = Path(name);
  std::ofstream(path, std::ios::binary) << absl::HexStringToBytes(hexadecimal);
  return path;
}

// As numpy.savez_compressed writes it: deflated, sizes in the 64-bit extension. `a` is float32[4] 1, 2, 3, 4.
constexpr absl::string_view kDeflated =
    "504b03042d0000000800000021008d3cd455ffffffffffffffff05001400612e6e70790100100090000000000000005100000000000000"
    "9bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e9366a2aea3a09e965f54529498179f5f94920a12774bcc294e058a17672416a402"
    "f91a263a9a3a0ab50a14002e0686067b060606072002e2060700504b01022d032d0000000800000021008d3cd455510000009000000005"
    "0000000000000000000000800100000000612e6e7079504b0506000000000100010033000000880000000000";

TEST(NpzTest, ReadsDeflatedEntries) {
  const auto reader = NpzReader::Open(ArchiveOfBytes("deflated.npz", kDeflated));
  ASSERT_TRUE(reader.ok()) << reader.status();
  const Tensor a = *Tensor::FromValues<float>(ElementType::kF32, {4}, {1, 2, 3, 4});
  const absl::StatusOr<Tensor> read = (*reader)->Read("a", a.shape());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_TRUE(read->BitwiseEqual(a));
}

TEST(NpzTest, TruncatedArchivesAndStreamsAreErrors) {
  // Without its end there is no list of entries; with a byte of the stream changed the checksum differs.
  EXPECT_EQ(NpzReader::Open(ArchiveOfBytes("cut.npz", kDeflated.substr(0, 300))).status().code(),
            absl::StatusCode::kInvalidArgument);
  std::string changed(kDeflated);
  changed[2 * 100] = changed[2 * 100] == '0' ? '1' : '0';
  const auto reader = NpzReader::Open(ArchiveOfBytes("changed.npz", changed));
  ASSERT_TRUE(reader.ok()) << reader.status();
  const Tensor a = *Tensor::FromValues<float>(ElementType::kF32, {4}, {1, 2, 3, 4});
  EXPECT_EQ((*reader)->Read("a", a.shape()).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(NpzTest, AnImpossibleSizeIsNotBelieved) {
  std::string huge(kDeflated);
  const size_t size_in_list = huge.rfind("51000000900000000500");  // compressed size, size, length of the name
  ASSERT_NE(size_in_list, std::string::npos);
  huge.replace(size_in_list + 8, 8, "ffffff7f");
  const auto reader = NpzReader::Open(ArchiveOfBytes("huge.npz", huge));
  ASSERT_TRUE(reader.ok()) << reader.status();
  const Tensor a = *Tensor::FromValues<float>(ElementType::kF32, {4}, {1, 2, 3, 4});
  EXPECT_THAT(std::string((*reader)->Read("a", a.shape()).status().message()), HasSubstr("impossible size"));
}

TEST(NpzTest, ALaterArrayOfTheSameNameReplacesTheFirst) {
  const std::string path = Path("replaced.npz");
  NpzWriter writer(path);
  const Tensor first = *Tensor::FromValues<int32_t>(ElementType::kS32, {}, {1});
  const Tensor second = *Tensor::FromValues<int32_t>(ElementType::kS32, {}, {2});
  writer.Add("a", first);
  writer.Add("a", second);
  ASSERT_TRUE(writer.Write().ok());
  EXPECT_TRUE((*NpzReader::Open(path))->Read("a", second.shape())->BitwiseEqual(second));
}

TEST(NpzTest, NoPartIsLeftWhereAnArchiveCannotBeWritten) {
  const std::string folder = Path("taken.npz");
  std::filesystem::create_directories(folder + "/inside");  // a file cannot take the place of a folder
  NpzWriter writer(folder);
  writer.Add("a", *Tensor::FromValues<int32_t>(ElementType::kS32, {}, {1}));
  EXPECT_FALSE(writer.Write().ok());
  for (const auto& file : std::filesystem::directory_iterator(Folder().path())) {
    EXPECT_EQ(file.path().string().find(folder + ".part"), std::string::npos) << file.path();
  }
  std::filesystem::remove_all(folder);
}

TEST(NpzTest, BadArchivesAreNamed) {
  EXPECT_EQ(NpzReader::Open(Path("absent.npz")).status().code(), absl::StatusCode::kNotFound);
  const std::string path = Path("bad.npz");
  std::ofstream(path) << "this is no zip file, but it is long enough to be looked at as one";
  const absl::Status status = NpzReader::Open(path).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("bad.npz"));

  // A byte of the stored array changed: the checksum of the entry tells.
  const std::string damaged = Path("damaged.npz");
  NpzWriter writer(damaged);
  const Tensor a = *Tensor::FromValues<int64_t>(ElementType::kS64, {4}, {11, 22, 33, 44});
  writer.Add("a", a);
  ASSERT_TRUE(writer.Write().ok());
  std::fstream file(damaged, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(180);
  file.put('\x55');
  file.close();
  const absl::StatusOr<std::unique_ptr<NpzReader>> reader = NpzReader::Open(damaged);
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_THAT(std::string((*reader)->Read("a", a.shape()).status().message()), HasSubstr("is damaged"));

  NpzWriter nowhere(Path("no/such/folder.npz"));
  nowhere.Add("a", a);
  EXPECT_FALSE(nowhere.Write().ok());
}

}  // namespace
}  // namespace hloscope::evaluator
