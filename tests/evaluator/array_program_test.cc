// SPDX-License-Identifier: Apache-2.0
// Elementwise instructions on large arrays, whose results are written past the caches.
#include "evaluator/kernels/lanes/array_program.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/substitute.h"
#include "evaluator/engine/session.h"
#include "evaluator/tensor/fill.h"
#include "gtest/gtest.h"
#include "numerics/data_movement/past_cache.h"
#include "tests/support/session_test_support.h"

namespace hloscope::evaluator {
namespace {

// No whole number of lines of the cache, of blocks or of what a thread computes.
constexpr int64_t kManyRows = 2051, kManyColumns = 4099;

std::vector<Value> RandomArguments(const Module& module) {
  std::vector<Value> arguments;
  for (InstructionId parameter : module.computation(module.entry()).parameters) {
    const int64_t number = static_cast<int64_t>(arguments.size());
    arguments.push_back(*FillValue(module.shape(parameter), FillKind::kRandom, 7, number));
  }
  return arguments;
}

// The result for `expression` of f32 arrays %x and %w of kManyRows x kManyColumns, of the columns %v (%b: broadcast).
Value LargeResultOf(const std::string& expression, int threads, std::vector<Value>* arguments) {
  const std::string text = absl::Substitute(
      R"(HloModule m
ENTRY e {
  x = f32[$0,$1] parameter(0)
  w = f32[$0,$1] parameter(1)
  v = f32[$1] parameter(2)
  b = f32[$0,$1] broadcast(v), dimensions={1}
  $2 })",
      kManyRows, kManyColumns, expression);
  const std::shared_ptr<const Module> module = ModuleFromText(text);
  SessionOptions options;
  options.threads = threads;
  const std::unique_ptr<Session> session = *Session::Create(module, options);
  session->set_keep_values(false);
  *arguments = RandomArguments(*module);
  for (size_t k = 0; k < arguments->size(); ++k) {
    EXPECT_TRUE(session->SetArgument(static_cast<int64_t>(k), (*arguments)[k]).ok());
  }
  EXPECT_EQ(session->Run(), StopReason::kFinished) << session->status();
  return session->result();
}

template <typename T, typename Function>
void ExpectLargeElements(const std::string& expression, const Function& expected) {
  static_assert(kManyRows * kManyColumns * static_cast<int64_t>(sizeof(T)) >= numerics::kPastCacheBytes);
  for (int threads : {1, 3}) {
    std::vector<Value> arguments;
    const Tensor result = *LargeResultOf(expression, threads, &arguments).tensor().Copy();
    const float* const x = reinterpret_cast<const float*>(arguments[0].tensor().data());
    const float* const w = reinterpret_cast<const float*>(arguments[1].tensor().data());
    const float* const v = reinterpret_cast<const float*>(arguments[2].tensor().data());
    const T* const got = reinterpret_cast<const T*>(result.data());
    ASSERT_EQ(result.element_count(), kManyRows * kManyColumns);
    for (int64_t i = 0; i < kManyRows * kManyColumns; ++i) {
      ASSERT_EQ(got[i], expected(x[i], w[i], v[i % kManyColumns]))
          << expression << " at " << i << ", threads " << threads;
    }
  }
}

TEST(ArrayProgramTest, LargeResultsHaveEveryElement) {
  ExpectLargeElements<float>("ROOT y = f32[2051,4099] add(x, w)", [](float x, float w, float) { return x + w; });
  ExpectLargeElements<float>("ROOT y = f32[2051,4099] negate(x)", [](float x, float, float) { return -x; });
  ExpectLargeElements<double>("ROOT y = f64[2051,4099] convert(x)", [](float x, float, float) { return double{x}; });
}

TEST(ArrayProgramTest, LargeResultsOfChainsAndRepeatedRows) {
  ExpectLargeElements<float>("ROOT y = f32[2051,4099] subtract(x, b)", [](float x, float, float v) { return x - v; });
  ExpectLargeElements<float>(
      "a = f32[2051,4099] multiply(x, b)\n  c = f32[2051,4099] maximum(a, w)\n  ROOT y = f32[2051,4099] subtract(c, b)",
      [](float x, float w, float v) { return std::max(x * v, w) - v; });
}

}  // namespace
}  // namespace hloscope::evaluator
