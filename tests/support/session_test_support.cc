// SPDX-License-Identifier: Apache-2.0
#include "tests/support/session_test_support.h"

#include "core/document/document.h"
#include "gtest/gtest.h"

namespace hloscope {

std::shared_ptr<const Module> ModuleFromText(absl::string_view text) {
  const std::shared_ptr<const Document> document =
      Document::Parse(SourceText::FromString("test.hlo", std::string(text)));
  if (document->has_errors()) {
    ADD_FAILURE() << document->diagnostics()[0].Message();
    return nullptr;
  }
  return document->shared_module();
}

std::unique_ptr<evaluator::Session> SessionFromText(absl::string_view text, const evaluator::SessionOptions& options) {
  std::shared_ptr<const Module> module = ModuleFromText(text);
  if (module == nullptr) return nullptr;
  absl::StatusOr<std::unique_ptr<evaluator::Session>> session = evaluator::Session::Create(std::move(module), options);
  if (!session.ok()) {
    ADD_FAILURE() << session.status().message();
    return nullptr;
  }
  return *std::move(session);
}

InstructionId InstructionNamed(const Module& module, absl::string_view name) {
  for (size_t i = 0; i < module.instruction_count(); ++i) {
    if (module.InstructionName(InstructionId(i)) == name) return InstructionId(i);
  }
  return InstructionId();
}

}  // namespace hloscope
