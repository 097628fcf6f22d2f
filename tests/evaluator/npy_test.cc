// SPDX-License-Identifier: Apache-2.0
#include "evaluator/tensor/npy.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "evaluator/tensor/fill.h"
#include "evaluator/tensor/summary.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "numerics/elements/float_conversion.h"
#include "numerics/elements/numeric.h"
#include "tests/support/shared_files.h"

namespace hloscope::evaluator {
namespace {

using ::testing::HasSubstr;

class NpyTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/hloscope_npy_XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    directory_ = name;
  }
  void TearDown() override {
    for (const std::string& file : Files()) unlink((directory_ + "/" + file).c_str());
    rmdir(directory_.c_str());
  }
  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    DIR* const stream = opendir(directory_.c_str());
    while (const dirent* entry = readdir(stream)) {
      if (entry->d_name[0] != '.') names.push_back(entry->d_name);
    }
    closedir(stream);
    return names;
  }
  std::string Path() const { return directory_ + "/a.npy"; }
  // A version 1 file with this dictionary and data.
  void Write(const std::string& header, const std::string& data) const {
    WriteRaw(Preamble(header.size()) + header + data);
  }
  void WriteRaw(const std::string& bytes) const { std::ofstream(Path(), std::ios::binary) << bytes; }
  static std::string Preamble(size_t length) {
    return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(length & 0xff) + static_cast<char>(length >> 8);
  }
  void ExpectError(const Shape& shape, absl::string_view message) const {
    const absl::StatusOr<Tensor> tensor = ReadNpy(Path(), shape);
    ASSERT_FALSE(tensor.ok());
    EXPECT_EQ(tensor.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(tensor.status().message(), HasSubstr(std::string(message)));
    EXPECT_THAT(tensor.status().message(), HasSubstr("a.npy"));
  }

  std::string directory_;
};

const Shape kF32x2 = Shape::Array(ElementType::kF32, {2});

TEST_F(NpyTest, EveryTypeComesBack) {
#define HLO_ELEMENT_TYPE(Enum, spelling, bits, storage_bytes, kind, number) ElementType::k##Enum,
  for (ElementType type : {
#include "numerics/elements/element_types.def"
       }) {
    if (!IsArrayElement(type)) continue;
    for (const std::vector<int64_t>& dimensions :
         std::vector<std::vector<int64_t>>{{}, {5}, {0}, {2, 3}, {4, 1, 2}, {3, 0, 2}}) {
      const Shape shape = Shape::Array(type, dimensions);
      const Value value = *FillValue(shape, FillKind::kRandom, 7, 0);
      ASSERT_TRUE(WriteNpy(Path(), value.tensor()).ok());
      const absl::StatusOr<Tensor> read = ReadNpy(Path(), shape);
      ASSERT_TRUE(read.ok()) << read.status().message();
      EXPECT_TRUE(read->BitwiseEqual(value.tensor())) << shape.ToString();
    }
  }
  EXPECT_EQ(Files(), std::vector<std::string>{"a.npy"});
}

// The header is longer than the first version of the format can say.
TEST_F(NpyTest, ShapesOfVeryManyDimensions) {
  std::vector<int64_t> dimensions(30000, 1);
  dimensions[7] = 3;
  absl::StatusOr<Tensor> tensor = Tensor::Allocate(ElementType::kS32, dimensions);
  ASSERT_TRUE(tensor.ok());
  const int32_t elements[] = {5, 6, 7};
  std::memcpy(tensor->mutable_data(), elements, sizeof elements);
  ASSERT_TRUE(WriteNpy(Path(), *tensor).ok());
  EXPECT_EQ(std::filesystem::file_size(Path()) % 64, sizeof elements);
  const absl::StatusOr<Tensor> read = ReadNpy(Path(), Shape::Array(ElementType::kS32, dimensions));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(std::memcmp(read->data(), elements, sizeof elements), 0);
}

TEST_F(NpyTest, ViewsAreWrittenInLogicalOrder) {
  const Tensor t = FillValue(Shape::Array(ElementType::kS32, {2, 3}), FillKind::kIota, 0, 0)->tensor();
  ASSERT_TRUE(WriteNpy(Path(), t.View({3, 2}, {1, 3}, 0)).ok());
  const Tensor read = *ReadNpy(Path());
  EXPECT_EQ(std::vector<int32_t>(read.data_as<int32_t>(), read.data_as<int32_t>() + 6),
            (std::vector<int32_t>{0, 3, 1, 4, 2, 5}));
}

TEST_F(NpyTest, SmallSignedIntegersHaveZeroHighBits) {
  const int8_t values[] = {-1, 1, -8};
  ASSERT_TRUE(WriteNpy(Path(), *Tensor::FromValues<int8_t>(ElementType::kS4, {3}, values)).ok());
  const Tensor raw = *ReadNpy(Path());
  EXPECT_EQ(raw.element_type(), ElementType::kU8);
  EXPECT_EQ(raw.data()[0], 0x0f);
  EXPECT_EQ(raw.data()[2], 0x08);
  EXPECT_EQ(static_cast<int8_t>(ReadNpy(Path(), Shape::Array(ElementType::kS4, {3}))->data()[2]), -8);
}

TEST_F(NpyTest, FortranOrderAndBigEndian) {
  Write("{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3), }\n", std::string("\1\0\4\0\2\0\5\0\3\0\6\0", 12));
  const Tensor fortran = *ReadNpy(Path(), Shape::Array(ElementType::kS16, {2, 3}));
  EXPECT_EQ(std::vector<int16_t>(fortran.data_as<int16_t>(), fortran.data_as<int16_t>() + 6),
            (std::vector<int16_t>{1, 2, 3, 4, 5, 6}));
  Write("{'shape': (2,), 'fortran_order': False, 'descr': '>u4'}", std::string("\0\0\1\2\0\0\0\7", 8));
  const Tensor big = *ReadNpy(Path(), Shape::Array(ElementType::kU32, {2}));
  EXPECT_EQ(big.data_as<uint32_t>()[0], 258u);
  EXPECT_EQ(big.data_as<uint32_t>()[1], 7u);
  Write("{\"descr\": \">c8\", \"fortran_order\": False, \"shape\": ()}", std::string("\x3f\x80\0\0\x40\0\0\0", 8));
  const Tensor complex = *ReadNpy(Path(), Shape::Scalar(ElementType::kC64));
  EXPECT_EQ(complex.data_as<float>()[0], 1.0f);
  EXPECT_EQ(complex.data_as<float>()[1], 2.0f);
}

TEST_F(NpyTest, RawBitsUnderTheCodesFoundInTheWild) {
  for (const char* code : {"|V1", "<V1", "<f1", "|u1", "|i1", "|b1"}) {
    Write(absl::StrCat("{'descr': '", code, "', 'fortran_order': False, 'shape': (1,)}"), "\x3c");
    const absl::StatusOr<Tensor> tensor = ReadNpy(Path(), Shape::Array(ElementType::kF8E5M2, {1}));
    ASSERT_TRUE(tensor.ok()) << tensor.status().message();
    EXPECT_EQ(tensor->element_type(), ElementType::kF8E5M2);
  }
  Write("{'descr': '<V2', 'fortran_order': False, 'shape': (1,)}", "\x80\x3f");
  EXPECT_TRUE(ReadNpy(Path(), Shape::Array(ElementType::kBF16, {1})).ok());
}

TEST_F(NpyTest, MalformedFiles) {
  EXPECT_EQ(ReadNpy(directory_ + "/none.npy", kF32x2).status().code(), absl::StatusCode::kNotFound);
  WriteRaw("");
  ExpectError(kF32x2, "not an .npy file");
  WriteRaw("PK\3\4 something else entirely");
  ExpectError(kF32x2, "not an .npy file");
  WriteRaw(std::string("\x93NUMPY\x09\x00\x10\x00", 10));
  ExpectError(kF32x2, "version 9");
  WriteRaw(Preamble(200) + "{'descr': '<f4'");
  ExpectError(kF32x2, "truncated");
  WriteRaw(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12));
  ExpectError(kF32x2, "impossible size");
  for (const char* header : {"", "{", "[]", "{'descr': '<f4', 'fortran_order': False}", "{'descr': '<f4'}",
                             "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}",
                             "{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}",
                             "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",
                             "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} x",
                             "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}"}) {
    Write(header, std::string(8, '\0'));
    ExpectError(kF32x2, "header");
  }
  Write("{'descr': '|O', 'fortran_order': False, 'shape': (2,)}", std::string(8, '\0'));
  EXPECT_FALSE(ReadNpy(Path(), kF32x2).ok());
  Write("{'descr': '|O8', 'fortran_order': False, 'shape': (1,)}", std::string(8, '\0'));
  ExpectError(kF32x2, "|O8");
}

TEST_F(NpyTest, DataMustMatchTheHeader) {
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
  Write(header, std::string(7, '\0'));
  ExpectError(kF32x2, "truncated");
  Write(header, std::string(9, '\0'));
  ExpectError(kF32x2, "too long");
  Write("{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000, 1000000000)}", "");
  ExpectError(kF32x2, "truncated");
  Write("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4)}", "");
  ExpectError(kF32x2, "too large");
}

TEST_F(NpyTest, TypesAndShapesMustAgree) {
  Write("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", std::string(8, '\0'));
  EXPECT_TRUE(ReadNpy(Path(), kF32x2).ok());
  ExpectError(Shape::Array(ElementType::kS32, {2}), "s32 needs '<i4'");
  ExpectError(Shape::Array(ElementType::kF64, {2}), "f64");
  ExpectError(Shape::Array(ElementType::kF32, {1, 2}), "f32[1,2]");
  ExpectError(Shape::Array(ElementType::kF32, {3}), "[2]");
}

// Other programs write what they have no type for as f32 or f64.
TEST_F(NpyTest, WidenedValuesAreNarrowed) {
  for (const ElementType type : {ElementType::kBF16, ElementType::kF8E4M3FN, ElementType::kF8E5M2,
                                 ElementType::kF4E2M1FN, ElementType::kF8E8M0FNU}) {
    const int64_t codes = int64_t{1} << BitWidth(type);
    Tensor narrow = *Tensor::Zeros(type, {codes}), wide = *Tensor::Zeros(ElementType::kF32, {codes});
    Tensor widest = *Tensor::Zeros(ElementType::kF64, {codes});
    for (int64_t i = 0; i < codes; ++i) {
      double number = numerics::DecodeFloat(type, static_cast<uint64_t>(i));
      if (std::isnan(number)) number = 1;  // of the many that are NaN one comes back
      WriteBits(type, numerics::EncodeFloat(type, number), narrow.mutable_data() + i * narrow.element_bytes());
      reinterpret_cast<float*>(wide.mutable_data())[i] = static_cast<float>(number);
      reinterpret_cast<double*>(widest.mutable_data())[i] = number;
    }
    const Shape shape = Shape::Array(type, {codes});
    for (const Tensor* tensor : {&wide, &widest}) {
      ASSERT_TRUE(WriteNpy(Path(), *tensor).ok());
      EXPECT_TRUE(CheckNpy(Path(), shape).ok());
      const absl::StatusOr<Tensor> read = ReadNpy(Path(), shape);
      ASSERT_TRUE(read.ok()) << read.status();
      EXPECT_EQ(read->element_type(), type);
      EXPECT_EQ(std::memcmp(read->data(), narrow.data(), static_cast<size_t>(narrow.byte_size())), 0)
          << ElementTypeName(type);
    }
    // One that is not there is said, and where.
    reinterpret_cast<float*>(wide.mutable_data())[3] = 1.0001F;
    ASSERT_TRUE(WriteNpy(Path(), wide).ok());
    ExpectError(shape, absl::StrCat(ElementTypeName(type), " does not represent 1 of them (element 3 is 1.0001)"));
  }
  // NaN, and a type that .npy has.
  Tensor nan = *Tensor::Zeros(ElementType::kF32, {2});
  reinterpret_cast<float*>(nan.mutable_data())[0] = std::numeric_limits<float>::quiet_NaN();
  ASSERT_TRUE(WriteNpy(Path(), nan).ok());
  const absl::StatusOr<Tensor> read = ReadNpy(Path(), Shape::Array(ElementType::kBF16, {2}));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_TRUE(std::isnan(ElementAsDouble(ElementType::kBF16, read->data())));
  ExpectError(Shape::Array(ElementType::kF16, {2}), "f16 needs '<f2'");
  ExpectError(Shape::Array(ElementType::kS4, {2}), "s4 needs raw bits");
}

TEST_F(NpyTest, BoundedDimensionsMayBeSmaller) {
  Write("{'descr': '|i1', 'fortran_order': False, 'shape': (2, 2), }", "\1\2\3\4");
  const Shape shape = Shape::Array(ElementType::kS8, {2, 3}, {false, true});
  const absl::StatusOr<Tensor> tensor = ReadNpy(Path(), shape);
  ASSERT_TRUE(tensor.ok()) << tensor.status().message();
  EXPECT_EQ(tensor->dimension(1), 3);
  EXPECT_EQ(tensor->dynamic_sizes(), absl::MakeConstSpan(std::vector<int64_t>{2, 2}));
  EXPECT_EQ(tensor->data()[3], 3);
  ASSERT_TRUE(WriteNpy(Path(), *tensor).ok());
  EXPECT_EQ(ReadNpy(Path())->dimension(1), 2);
}

TEST_F(NpyTest, FailedWritesLeaveNothing) {
  const Tensor tensor = *Tensor::Zeros(ElementType::kF32, {2});
  EXPECT_FALSE(WriteNpy(directory_ + "/missing/a.npy", tensor).ok());
  ASSERT_EQ(mkdir(Path().c_str(), 0777), 0);  // a folder in the way
  EXPECT_FALSE(WriteNpy(Path(), tensor).ok());
  rmdir(Path().c_str());
  EXPECT_TRUE(Files().empty());
}

TEST_F(NpyTest, WritingEndsWhenItIsCancelled) {
  const Tensor tensor = *Tensor::FromValues<float>(ElementType::kF32, {3}, {1, 2, 3});
  std::atomic<bool> cancelled{true};
  EXPECT_TRUE(absl::IsCancelled(WriteNpy(Path(), tensor, &cancelled)));
  EXPECT_TRUE(Files().empty());
  cancelled = false;
  EXPECT_TRUE(WriteNpy(Path(), tensor, &cancelled).ok());
  EXPECT_FALSE(Files().empty());
}

TEST_F(NpyTest, SharedFilesCanBeRead) {
  SKIP_WITHOUT_SHARED_FILES();
  for (const std::string& directory : VectorCases()) {
    const std::string path = directory + "/arg0.npy";
    if (access(path.c_str(), F_OK) != 0) continue;
    const absl::StatusOr<Tensor> tensor = ReadNpy(path);
    EXPECT_TRUE(tensor.ok()) << tensor.status().message();
  }
}

}  // namespace
}  // namespace hloscope::evaluator
