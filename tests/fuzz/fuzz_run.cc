// SPDX-License-Identifier: Apache-2.0
// Whatever a module without errors computes, it ends within its limits, with a result or with a reason.
#include <cstdio>

#include "tests/fuzz/fuzz_module.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hloscope;
  FuzzBytes bytes(data, size);
  const std::shared_ptr<const Document> document = FuzzedDocument(bytes);
  if (document == nullptr) return 0;
  const std::vector<evaluator::Value> arguments = FuzzArguments(document->module());
  if (arguments.size() != document->module().computation(document->module().entry()).parameters.size()) return 0;
  auto session = evaluator::Session::Create(document->shared_module(), FuzzLimits());
  if (!session.ok()) return 0;
  for (size_t k = 0; k < arguments.size(); ++k) {
    if (!(*session)->SetArgument(static_cast<int64_t>(k), arguments[k]).ok()) return 0;
  }
  const evaluator::StopReason reason = (*session)->Run();
  if (reason == evaluator::StopReason::kFinished || !(*session)->status().ok()) return 0;
  std::fprintf(stderr, "the run ended without a reason\n");
  __builtin_trap();
}
