// SPDX-License-Identifier: Apache-2.0
// Results do not depend on how many threads compute them.
#include <string>

#include "absl/strings/str_cat.h"
#include "evaluator/engine/session.h"
#include "evaluator/tensor/fill.h"
#include "gtest/gtest.h"
#include "tests/support/session_test_support.h"

namespace hloscope::evaluator {
namespace {

constexpr absl::string_view kReducer =
    "plus { x = f32[] parameter(0)\n y = f32[] parameter(1)\n"
    " ROOT s = f32[] add(x, y) }\n";

Value ResultOn(const std::shared_ptr<const Module>& module, int threads) {
  SessionOptions options;
  options.threads = threads;
  const std::unique_ptr<Session> session = *Session::Create(module, options);
  session->set_keep_values(false);
  const auto& parameters = module->computation(module->entry()).parameters;
  for (size_t k = 0; k < parameters.size(); ++k) {
    const int64_t number = static_cast<int64_t>(k);
    EXPECT_TRUE(
        session->SetArgument(number, *FillValue(module->shape(parameters[k]), FillKind::kRandom, 3, number)).ok());
  }
  EXPECT_EQ(session->Run(), StopReason::kFinished) << session->status();
  return session->result();
}

TEST(ThreadCountTest, ResultsAreTheSameBits) {
  for (const absl::string_view entry :
       {" a = f32[300,700] parameter(0)\n b = f32[700,130] parameter(1)\n ROOT r = f32[300,130] dot(a, b), "
        "lhs_contracting_dims={1}, rhs_contracting_dims={0}\n",
        " a = bf16[300,700] parameter(0)\n b = bf16[700,130] parameter(1)\n ROOT r = bf16[300,130] dot(a, b), "
        "lhs_contracting_dims={1}, rhs_contracting_dims={0}\n",
        " a = f32[9,60,70] parameter(0)\n b = f32[9,70,50] parameter(1)\n ROOT r = f32[9,60,50] dot(a, b), "
        "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}\n",
        " a = f32[2,30,30,24] parameter(0)\n b = f32[3,3,24,40] parameter(1)\n ROOT r = f32[2,30,30,40] "
        "convolution(a, b), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f\n",
        " a = f32[1000000] parameter(0)\n z = f32[] constant(0)\n ROOT r = f32[] reduce(a, z), dimensions={0}, "
        "to_apply=plus\n",
        " a = f32[700,900] parameter(0)\n z = f32[] constant(0)\n ROOT r = f32[900] reduce(a, z), dimensions={0}, "
        "to_apply=plus\n",
        " a = f32[500,1000] parameter(0)\n e = f32[500,1000] exponential(a)\n z = f32[] constant(0)\n s = f32[500] "
        "reduce(e, z), dimensions={1}, to_apply=plus\n b = f32[500,1000] broadcast(s), dimensions={0}\n"
        " ROOT r = f32[500,1000] divide(e, b)\n"}) {
    const std::shared_ptr<const Module> module =
        ModuleFromText(absl::StrCat("HloModule m\n", kReducer, "ENTRY e {\n", entry, "}\n"));
    ASSERT_NE(module, nullptr) << entry;
    const Value one = ResultOn(module, 1);
    for (int threads : {2, 3, 7}) EXPECT_TRUE(one.BitwiseEqual(ResultOn(module, threads))) << threads << entry;
  }
}

}  // namespace
}  // namespace hloscope::evaluator
