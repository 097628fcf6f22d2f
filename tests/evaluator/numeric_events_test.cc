// SPDX-License-Identifier: Apache-2.0
// What goes wrong in a step without making the run fail.
#include "evaluator/debugger/numeric_events.h"

#include <string>
#include <vector>

#include "evaluator/engine/session.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/session_test_support.h"

namespace hloscope::evaluator {
namespace {

using ::testing::HasSubstr;

// Executes a module without parameters and asks of its root; "" if nothing happened.
std::string EventOf(NumericEvent event, const std::string& entry, const std::string& rest = "") {
  const std::shared_ptr<const Module> module = ModuleFromText(rest + "ENTRY e { " + entry + " }");
  if (module == nullptr) return "the module cannot be read";
  const std::unique_ptr<Session> session = *Session::Create(module, SessionOptions());
  if (session->Run() != StopReason::kFinished) return std::string(session->status().message());
  const InstructionId root = module->computation(module->entry()).root;
  std::vector<Value> operands;
  for (InstructionId operand : module->operands(root)) operands.push_back(*session->inspection().ValueOf(0, operand));
  QuestionLimit limit;
  return FindNumericEvent(event, *module, root, operands, session->result(), limit).value_or("");
}

TEST(NumericEventTest, NansAndInfinitiesAreToldWhereTheyAreMade) {
  EXPECT_EQ(EventOf(NumericEvent::kNan, "p = f32[3] constant({1, -1, 0}) ROOT r = f32[3] log(p)"),
            "r[1] is a NaN; no operand holds one");
  EXPECT_EQ(EventOf(NumericEvent::kInfinity, "p = f32[3] constant({1, -1, 0}) ROOT r = f32[3] log(p)"),
            "r[2] is infinite; no operand holds an infinity");
  // Handed on, not made.
  EXPECT_EQ(EventOf(NumericEvent::kNan, "p = f32[2] constant({nan, 1}) ROOT r = f32[2] negate(p)"), "");
  EXPECT_EQ(EventOf(NumericEvent::kInfinity, "p = f32[2] constant({inf, 1}) ROOT r = f32[2] negate(p)"), "");
  // A NaN out of an infinity is made.
  EXPECT_EQ(EventOf(NumericEvent::kNan, "p = f32[] constant(inf) ROOT r = f32[] subtract(p, p)"),
            "r is a NaN; no operand holds one");
  EXPECT_EQ(EventOf(NumericEvent::kNan, "p = s32[2] constant({1, 2}) ROOT r = s32[2] negate(p)"), "");
}

TEST(NumericEventTest, ConvertsOfNumbersThatDoNotFit) {
  const auto convert = [](const std::string& from, const std::string& literal, const std::string& to) {
    return EventOf(NumericEvent::kConvertOverflow,
                   "p = " + from + "[1] constant({" + literal + "}) ROOT r = " + to + "[1] convert(p)");
  };
  EXPECT_THAT(convert("f32", "1e10", "s32"), HasSubstr("does not fit s32"));
  EXPECT_EQ(convert("f32", "2147483520", "s32"), "");
  EXPECT_THAT(convert("f32", "2147483648", "s32"), HasSubstr("does not fit s32"));
  EXPECT_EQ(convert("f32", "-2147483648", "s32"), "");
  EXPECT_THAT(convert("f32", "nan", "s32"), HasSubstr("nan does not fit s32"));
  EXPECT_THAT(convert("f32", "-1", "u8"), HasSubstr("-1 does not fit u8"));
  EXPECT_EQ(convert("f32", "-0.5", "u8"), "");  // truncated
  EXPECT_THAT(convert("s32", "200", "s8"), HasSubstr("200 does not fit s8"));
  EXPECT_EQ(convert("s32", "-128", "s8"), "");
  EXPECT_THAT(convert("s64", "-1", "u64"), HasSubstr("does not fit u64"));
  EXPECT_THAT(convert("u64", "18446744073709551615", "s64"), HasSubstr("does not fit s64"));
  EXPECT_THAT(convert("f64", "1e300", "f32"), HasSubstr("does not fit f32"));
  EXPECT_EQ(convert("f64", "0.1", "f32"), "");
  EXPECT_EQ(convert("f32", "inf", "f16"), "");  // it was infinite before
  EXPECT_THAT(convert("f32", "70000", "f16"), HasSubstr("does not fit f16"));
  EXPECT_THAT(convert("f32", "1000", "f8e4m3fn"), HasSubstr("does not fit f8e4m3fn"));
  EXPECT_EQ(convert("f32", "1e-30", "f16"), "");
  EXPECT_EQ(convert("s32", "5", "pred"), "");
  // Of other instructions nothing is said.
  EXPECT_EQ(EventOf(NumericEvent::kConvertOverflow, "p = f32[] constant(1e30) ROOT r = f32[] multiply(p, p)"), "");
}

TEST(NumericEventTest, IndicesOutOfBounds) {
  const std::string array = "f = f32[] constant(1) p = f32[4,5] broadcast(f), dimensions={} zero = s32[] constant(0) ";
  EXPECT_EQ(EventOf(NumericEvent::kIndexOutOfBounds,
                    array + "i = s32[] constant(2) ROOT r = f32[2,5] dynamic-slice(p, i, zero), "
                            "dynamic_slice_sizes={2,5}"),
            "");
  EXPECT_EQ(EventOf(NumericEvent::kIndexOutOfBounds,
                    array + "i = s32[] constant(3) ROOT r = f32[2,5] dynamic-slice(p, i, zero), "
                            "dynamic_slice_sizes={2,5}"),
            "dynamic-slice r: index 3 of dimension 0 is outside 0..2: it is clamped");
  EXPECT_EQ(EventOf(NumericEvent::kIndexOutOfBounds,
                    array + "u = f32[1,5] broadcast(f), dimensions={} i = s32[] constant(-1) "
                            "ROOT r = f32[4,5] dynamic-update-slice(p, u, i, zero)"),
            "dynamic-update-slice r: index -1 of dimension 0 is outside 0..3: it is clamped");
  EXPECT_EQ(EventOf(NumericEvent::kIndexOutOfBounds,
                    array + "i = s32[3] constant({0, 4, 1}) ROOT r = f32[3,5] gather(p, i), offset_dims={1}, "
                            "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,5}"),
            "gather r: index 4 of dimension 0 is outside 0..3: it is clamped (batch[1])");
  EXPECT_EQ(EventOf(NumericEvent::kIndexOutOfBounds,
                    array + "i = s32[2] constant({0, 3}) ROOT r = f32[2,5] gather(p, i), offset_dims={1}, "
                            "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,5}"),
            "");
  EXPECT_EQ(EventOf(NumericEvent::kIndexOutOfBounds,
                    array + "i = s32[2] constant({0, -2}) u = f32[2,5] broadcast(f), dimensions={} "
                            "ROOT r = f32[4,5] scatter(p, i, u), update_window_dims={1}, inserted_window_dims={0}, "
                            "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=sum",
                    "sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) } "),
            "scatter r: index -2 of dimension 0 is outside 0..3: its update is left out (batch[1])");
}

}  // namespace
}  // namespace hloscope::evaluator
