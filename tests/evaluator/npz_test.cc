// .npz archives: written ones read back, damaged ones are named.
#include "evaluator/tensor/npz.h"

#include <cstdio>
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace hloscope {
namespace {

using ::testing::HasSubstr;

std::string Path(const std::string& name) { return absl::StrCat(::testing::TempDir(), "npz_test_", name); }

TEST(NpzTest, WhatIsWrittenReadsBack) {
  const std::string path = Path("good.npz");
  NpzWriter writer(path);
  const Tensor a = *Tensor::FromValues<float>(ElementType::kF32, {2, 2}, {1, 2, 3, 4});
  const Tensor b = *Tensor::FromValues<int32_t>(ElementType::kS32, {}, {-7});
  ASSERT_TRUE(writer.Add("result0", a).ok());
  ASSERT_TRUE(writer.Add("result1.r0", b).ok());
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
  ASSERT_TRUE(writer.Add("a", a).ok());
  ASSERT_TRUE(writer.Write().ok());
  std::fstream file(damaged, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(180);
  file.put('\x55');
  file.close();
  const absl::StatusOr<std::unique_ptr<NpzReader>> reader = NpzReader::Open(damaged);
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_THAT(std::string((*reader)->Read("a", a.shape()).status().message()), HasSubstr("is damaged"));

  NpzWriter nowhere(Path("no/such/folder.npz"));
  ASSERT_TRUE(nowhere.Add("a", a).ok());
  EXPECT_FALSE(nowhere.Write().ok());
}

}  // namespace
}  // namespace hloscope
