// SPDX-License-Identifier: Apache-2.0
// HLOSCOPE_GUARD=1: what touches memory after a tensor dies. In a process of its own, because the mode is chosen at
// the start.
#include <cstdint>
#include <cstdlib>

#include "evaluator/tensor/arena.h"
#include "evaluator/tensor/tensor.h"
#include "gtest/gtest.h"

namespace hloscope::evaluator {
namespace {

bool IsGuarded() {
  const char* const value = std::getenv("HLOSCOPE_GUARD");
  return value != nullptr && *value == '1';
}

TEST(GuardDeathTest, ReadingBehindATensorDies) {
  if (!IsGuarded()) GTEST_SKIP() << "needs HLOSCOPE_GUARD=1";
  const Tensor tensor = *Tensor::Zeros(ElementType::kF32, {1024});
  volatile const float* const data = tensor.data_as<float>();
  EXPECT_EQ(data[1023], 0);
  EXPECT_DEATH(
      {
        const float after = data[1024];
        std::exit(after == 0 ? 0 : 1);
      },
      "");
}

TEST(GuardDeathTest, WritingIntoTheGapDiesWhenTheTensorGoes) {
  if (!IsGuarded()) GTEST_SKIP() << "needs HLOSCOPE_GUARD=1";
  EXPECT_DEATH(
      {
        Tensor tensor = *Tensor::Zeros(ElementType::kU8, {3});
        volatile uint8_t* const data = tensor.mutable_data();
        data[3] = 1;
      },
      "after a block of 3 bytes");
}

TEST(GuardDeathTest, WhatWasFreedIsGone) {
  if (!IsGuarded()) GTEST_SKIP() << "needs HLOSCOPE_GUARD=1";
  uint8_t* const block = *Arena::Global().Allocate(100);
  Arena::Global().Free(block, 100);
  EXPECT_DEATH({ *static_cast<volatile uint8_t*>(block) = 1; }, "");
}

}  // namespace
}  // namespace hloscope::evaluator
