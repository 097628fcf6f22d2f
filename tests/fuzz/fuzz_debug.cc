// SPDX-License-Identifier: Apache-2.0
// Random moves through a run, backwards too: at each position everything looks as it did the first time.
#include <cstdio>
#include <map>

#include "evaluator/debugger/debugger.h"
#include "evaluator/debugger/timeline.h"
#include "tests/fuzz/fuzz_module.h"

namespace {

// Where the run is, and the latest value there.
std::string Picture(hloscope::evaluator::Timeline& timeline) {
  const hloscope::evaluator::Inspection& inspection = timeline.inspection(0);
  std::string text = hloscope::evaluator::ExecutionPath(timeline.module(), inspection.frames());
  if (inspection.frames().empty()) return text;
  const hloscope::evaluator::Frame& frame = inspection.frames().back();
  for (const hloscope::InstructionId id : timeline.module().computation(frame.computation).instructions) {
    const hloscope::evaluator::Value* value = inspection.ValueOf(inspection.frames().size() - 1, id);
    if (value != nullptr) text += hloscope::evaluator::BriefValue(*value) + ";";
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hloscope;
  FuzzBytes bytes(data, size);
  evaluator::TimelineOptions options;
  options.snapshot_seconds = bytes.Byte() % 2 == 0 ? 0 : 1e9;
  options.history_bytes = bytes.Byte() % 2 == 0 ? 1 : int64_t{1} << 24;
  const std::shared_ptr<const Document> document = FuzzedDocument(bytes);
  if (document == nullptr) return 0;
  const std::vector<evaluator::Value> arguments = FuzzArguments(document->module());
  if (arguments.size() != document->module().computation(document->module().entry()).parameters.size()) return 0;
  evaluator::SessionOptions limits = FuzzLimits();
  limits.step_limit = 0;
  auto timeline = evaluator::Timeline::Create(document->shared_module(), {}, limits, options);
  if (!timeline.ok()) return 0;
  for (size_t k = 0; k < arguments.size(); ++k) {
    if (!(*timeline)->run().device(0).SetArgument(static_cast<int64_t>(k), arguments[k]).ok()) return 0;
  }
  evaluator::StopReason reason = (*timeline)->Start();
  std::map<int64_t, std::string> pictures;
  for (int moves = 0; moves < 60 && !bytes.empty() && reason != evaluator::StopReason::kFailed; ++moves) {
    const uint8_t move = bytes.Byte();
    switch (move % 6) {
      case 0:
        reason = (*timeline)->StepInto(0);
        break;
      case 1:
        reason = (*timeline)->StepOver(0);
        break;
      case 2:
        reason = (*timeline)->StepOut(0);
        break;
      case 3:
      case 4:
        if (!(*timeline)->StepBack(0, move % 6 == 3, 1 + move / 6).ok()) return 0;
        break;
      default:
        if (!(*timeline)->GoTo(bytes.Byte() % ((*timeline)->position() + 1)).ok()) return 0;
    }
    if (reason == evaluator::StopReason::kFailed) return 0;
    const std::string picture = Picture(**timeline);
    const auto [first, is_new] = pictures.emplace((*timeline)->position(), picture);
    if (is_new || first->second == picture) continue;
    std::fprintf(stderr, "position %lld\n%s\nwas\n%s\n", static_cast<long long>(first->first), picture.c_str(),
                 first->second.c_str());
    __builtin_trap();
  }
  return 0;
}
