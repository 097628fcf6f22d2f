// SPDX-License-Identifier: Apache-2.0
// A run beside dumped values, and called computations alone.
#include <cstring>
#include <filesystem>
#include <fstream>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_replace.h"
#include "evaluator/tensor/npy.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "insight/values/isolation.h"
#include "insight/values/value_files.h"
#include "tests/support/test_folder.h"

namespace hloscope::insight {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kValuesModule[] = R"(HloModule m

fused {
  q = f32[4] parameter(0)
  s = f32[4] sqrt(q)
  ROOT d = f32[4] negate(s)
}

ENTRY e {
  p = f32[4] parameter(0)
  n.1 = f32[4] negate(p)
  x = f32[4] exponential(n.1), origin={{"source_exp"}}
  f = f32[4] fusion(n.1), kind=kLoop, calls=fused
  ROOT r = f32[4] add(x, f)
}
)";

class ValuesTest : public ::testing::Test {
 protected:
  ValuesTest() {
    document_ = Document::Parse(SourceText::FromString("m.hlo", kValuesModule));
    EXPECT_FALSE(document_->has_errors());
  }

  void Write(const std::string& name, const std::vector<float>& values) const {
    absl::StatusOr<evaluator::Tensor> tensor = evaluator::Tensor::Zeros(ElementType::kF32, {4});
    ASSERT_TRUE(tensor.ok());
    std::memcpy(tensor->mutable_data(), values.data(), 16);
    ASSERT_TRUE(evaluator::WriteNpy(folder_ / name, *tensor).ok());
  }
  FilesComparison Compare() const { return CompareRunOf(document_); }
  FilesComparison CompareRunOf(const std::shared_ptr<const Document>& document) const {
    evaluator::RunOptions options;
    TakeArguments(document->module(), folder_.path(), &options);
    ModuleRun run(document, options, nullptr);
    EXPECT_TRUE(run.Prepare().ok());
    const auto comparison = CompareWithFiles(run, folder_.path(), {});
    EXPECT_TRUE(comparison.ok()) << comparison.status().message();
    return comparison.ok() ? *comparison : FilesComparison();
  }

  const TestFolder folder_;
  std::shared_ptr<const Document> document_;
};

TEST_F(ValuesTest, WhereAgreementEnds) {
  Write("p.npy", {-1, -4, -9, -16});
  Write("n_1.npy", {1, 4, 9, 16});
  Write("source_exp.npy", {2.7182817F, 54.59815F, 8103.084F, 9e6F});  // the last is wrong
  Write("r.npy", {1, 1, 1, 1});                                       // and so is this, which comes of it
  Write("other.npy", {0, 0, 0, 0});
  const FilesComparison comparison = Compare();
  EXPECT_FALSE(comparison.Agrees());
  ASSERT_EQ(comparison.values.size(), 3);
  EXPECT_TRUE(comparison.values[0].Agrees());
  EXPECT_EQ(comparison.values[1].file, "source_exp.npy");
  EXPECT_TRUE(comparison.values[1].is_frontier);
  EXPECT_EQ(comparison.values[1].comparison.difference.beyond, 1);
  EXPECT_FALSE(comparison.values[2].Agrees());
  EXPECT_FALSE(comparison.values[2].is_frontier);
  EXPECT_THAT(comparison.unused, ElementsAre("other.npy"));
}

TEST_F(ValuesTest, FilesOfOtherShapesAreSaid) {
  Write("p.npy", {1, 2, 3, 4});
  std::ofstream(folder_ / "x.npy") << "no array";
  const FilesComparison comparison = Compare();
  ASSERT_EQ(comparison.values.size(), 1);
  EXPECT_THAT(comparison.values[0].problem, HasSubstr("x.npy"));
  EXPECT_FALSE(comparison.Agrees());
}

// NumPy has no bf16: what JAX computes in it is saved as f32.
TEST_F(ValuesTest, WidenedValuesAreCompared) {
  const auto document = Document::Parse(SourceText::FromString("m.hlo", R"(HloModule m
ENTRY e {
  p = bf16[4] parameter(0)
  n = bf16[4] negate(p)
  s = bf16[4] add(n, n)
  ROOT r = bf16[4] multiply(s, s)
}
)"));
  Write("p.npy", {1, 2, 3, 4});
  Write("n.npy", {-1, -2, -3, -4});
  Write("s.npy", {-2, -4, -6, -9});
  Write("r.npy", {4, 16, 36.001F, 64});
  const FilesComparison comparison = CompareRunOf(document);
  ASSERT_EQ(comparison.values.size(), 3u);
  EXPECT_TRUE(comparison.values[0].Agrees());
  EXPECT_EQ(comparison.values[1].problem, "");
  EXPECT_FALSE(comparison.values[1].Agrees());
  EXPECT_TRUE(comparison.values[1].is_frontier);
  EXPECT_THAT(comparison.values[2].problem, HasSubstr("bf16 does not represent 1 of them (element 2 is 36.001)"));
}

TEST_F(ValuesTest, CallsAlone) {
  Write("p.npy", {1, -4, -9, -16});  // the root of -1 is none
  evaluator::RunOptions options;
  TakeArguments(document_->module(), folder_.path(), &options);
  ModuleRun run(document_, options, nullptr);
  ASSERT_TRUE(run.Prepare().ok());
  IsolationOptions isolation;
  isolation.directory = folder_ / "out";
  const auto calls = IsolateCalls(run, options, isolation);
  ASSERT_TRUE(calls.ok()) << calls.status().message();
  ASSERT_EQ(calls->size(), 1);
  const IsolatedCall& call = (*calls)[0];
  EXPECT_EQ(call.problem, "");
  EXPECT_TRUE(call.Agrees());
  EXPECT_TRUE(call.has_nan);
  EXPECT_EQ(call.files.size(), 3);
  for (const std::string& file : call.files) EXPECT_TRUE(std::filesystem::exists(file)) << file;
  // What was written runs alone and gives what was written.
  const auto alone = Document::Open(folder_ / "out/f/module.hlo");
  ASSERT_TRUE(alone.ok());
  evaluator::RunOptions alone_options;
  alone_options.arguments_directory = folder_ / "out/f";
  ModuleRun again(*alone, alone_options, nullptr);
  ASSERT_TRUE(again.Prepare().ok());
  ASSERT_TRUE(again.Run().ok());
  const auto written = evaluator::ReadNpy(folder_ / "out/f/result0.npy", Shape::Array(ElementType::kF32, {4}));
  ASSERT_TRUE(written.ok());
  const auto leaves = evaluator::CompareValues(evaluator::Value(*written), again.run().device(0).result(), {});
  ASSERT_TRUE(leaves.ok());
  EXPECT_TRUE((*leaves)[0].Agrees());
}

// Names are those of a computation only, and no folder takes all of them.
TEST_F(ValuesTest, CallsOfOneNameAreWrittenApart) {
  const std::string name(300, 'n');
  std::string text = R"(HloModule m
fused { q = f32[4] parameter(0) ROOT d = f32[4] negate(q) }
d { p = f32[4] parameter(0) ROOT d = f32[4] cosine(p) }
a { p = f32[4] parameter(0) ROOT f = f32[4] fusion(p), kind=kLoop, calls=fused }
b { p = f32[4] parameter(0) g = f32[4] call(p), to_apply=d ROOT f = f32[4] sine(g) }
c { p = f32[4] parameter(0) f-2 = f32[4] call(p), to_apply=b ROOT f = f32[4] call(f-2), to_apply=a }
ENTRY e { p = f32[4] parameter(0) f = f32[4] call(p), to_apply=c LONG = f32[4] call(f), to_apply=a ROOT r = f32[4] negate(LONG) }
)";
  absl::StrReplaceAll({{"LONG", name}}, &text);
  const auto document = Document::Parse(SourceText::FromString("m.hlo", text));
  ASSERT_FALSE(document->has_errors());
  Write("p.npy", {1, 2, 3, 4});
  evaluator::RunOptions options;
  TakeArguments(document->module(), folder_.path(), &options);
  ModuleRun run(document, options, nullptr);
  ASSERT_TRUE(run.Prepare().ok());
  IsolationOptions isolation;
  isolation.directory = folder_ / "out";
  const auto calls = IsolateCalls(run, options, isolation);
  ASSERT_TRUE(calls.ok()) << calls.status().message();
  ASSERT_EQ(calls->size(), 6);
  absl::flat_hash_set<std::string> files;
  for (const IsolatedCall& call : *calls) {
    EXPECT_EQ(call.problem, "");
    EXPECT_EQ(call.files.size(), 3);
    for (const std::string& file : call.files) {
      EXPECT_TRUE(std::filesystem::exists(file)) << file;
      EXPECT_TRUE(files.insert(file).second) << file;
    }
  }
}

}  // namespace
}  // namespace hloscope::insight
