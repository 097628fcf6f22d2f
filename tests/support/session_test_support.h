// SPDX-License-Identifier: Apache-2.0
// Sessions from module texts.
#ifndef HLOSCOPE_TESTS_SUPPORT_SESSION_TEST_SUPPORT_H_
#define HLOSCOPE_TESTS_SUPPORT_SESSION_TEST_SUPPORT_H_

#include <cstring>
#include <memory>

#include "absl/strings/string_view.h"
#include "core/ir/module.h"
#include "evaluator/engine/session.h"
#include "evaluator/tensor/value.h"

namespace hloscope {

// The module of a text that must be without errors; reports a test failure and returns null otherwise.
std::shared_ptr<const Module> ModuleFromText(absl::string_view text);

// A session on such a module; null after a failure.
std::unique_ptr<evaluator::Session> SessionFromText(absl::string_view text,
                                                    const evaluator::SessionOptions& options = {});

// The first instruction of that name in any computation; none if there is none.
InstructionId InstructionNamed(const Module& module, absl::string_view name);

// The element of a scalar tensor, or the first of an array.
template <typename T>
T FirstElement(const evaluator::Value& value) {
  T element;
  std::memcpy(&element, value.tensor().data(), sizeof(T));
  return element;
}

template <typename T>
evaluator::Value ScalarValue(ElementType type, T element) {
  return *evaluator::Tensor::FromValues<T>(type, {}, {element});
}

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_SESSION_TEST_SUPPORT_H_
