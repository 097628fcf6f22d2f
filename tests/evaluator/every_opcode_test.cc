// SPDX-License-Identifier: Apache-2.0
// Walks the table of opcodes: the evaluator computes the example of every page, or there is a reason why it does not.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "absl/strings/string_view.h"
#include "core/document/document.h"
#include "evaluator/engine/session.h"
#include "evaluator/tensor/fill.h"
#include "tests/support/op_page.h"

namespace hloscope::evaluator {
namespace {

constexpr absl::string_view kOtherDevices = "needs the other devices of its group; see collective_kernel_test.cc";
constexpr absl::string_view kHost = "needs a host, or another device, that takes part in the exchange";

// Opcodes that a run on one device cannot compute, with the reason.
const std::map<Opcode, absl::string_view>& NotEvaluated() {
  static const auto& reasons = *new std::map<Opcode, absl::string_view>{
      {Opcode::kAllGather, kOtherDevices},
      {Opcode::kAllGatherDone, kOtherDevices},
      {Opcode::kAllGatherStart, kOtherDevices},
      {Opcode::kAllReduce, kOtherDevices},
      {Opcode::kAllReduceDone, kOtherDevices},
      {Opcode::kAllReduceStart, kOtherDevices},
      {Opcode::kAllToAll, kOtherDevices},
      {Opcode::kCollectiveBroadcast, kOtherDevices},
      {Opcode::kCollectivePermute, kOtherDevices},
      {Opcode::kCollectivePermuteDone, kOtherDevices},
      {Opcode::kCollectivePermuteStart, kOtherDevices},
      {Opcode::kRaggedAllToAll, kOtherDevices},
      {Opcode::kReduceScatter, kOtherDevices},
      {Opcode::kInfeed, kHost},
      {Opcode::kOutfeed, kHost},
      {Opcode::kRecv, kHost},
      {Opcode::kRecvDone, kHost},
      {Opcode::kSend, kHost},
      {Opcode::kSendDone, kHost},
  };
  return reasons;
}

class EveryOpcode : public testing::TestWithParam<Opcode> {};

TEST_P(EveryOpcode, IsEvaluated) {
  const auto document =
      Document::Parse(SourceText::FromString("example", ExampleOfOpPage(GetParam())), ExampleOptions());
  ASSERT_FALSE(document->has_errors());
  const Module& module = document->module();
  SessionOptions options;
  options.time_limit_seconds = 60;
  auto session = Session::Create(document->shared_module(), options);
  ASSERT_TRUE(session.ok()) << session.status();
  const auto& parameters = module.computation(module.entry()).parameters;
  for (size_t k = 0; k < parameters.size(); ++k) {
    auto value = FillValue(module.shape(parameters[k]), FillKind::kRandom, 0, static_cast<int64_t>(k));
    ASSERT_TRUE(value.ok()) << value.status();
    ASSERT_TRUE((*session)->SetArgument(static_cast<int64_t>(k), *std::move(value)).ok());
  }
  const StopReason stop = (*session)->Run();
  const auto reason = NotEvaluated().find(GetParam());
  if (reason != NotEvaluated().end()) {
    EXPECT_NE(stop, StopReason::kFinished) << "it is evaluated after all; the reason was: " << reason->second;
  } else {
    EXPECT_EQ(stop, StopReason::kFinished) << (*session)->status();
  }
}

INSTANTIATE_TEST_SUITE_P(Table, EveryOpcode, testing::ValuesIn(AllOpcodes().begin(), AllOpcodes().end()),
                         [](const auto& info) {
                           std::string name(OpcodeName(info.param));
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace hloscope::evaluator
