// SPDX-License-Identifier: Apache-2.0
// Reading stages that a test made.
#ifndef HLOSCOPE_TESTS_INSIGHT_STAGES_FIXTURE_H_
#define HLOSCOPE_TESTS_INSIGHT_STAGES_FIXTURE_H_

#include <memory>
#include <string>
#include <vector>

#include "core/document/document.h"
#include "insight/passes/stages.h"
#include "tests/support/dump_stages.h"

namespace hloscope::insight {

// The stages as a folder would give them; `file` is the number.
inline std::vector<Stage> StagesOfTexts(const std::vector<DumpedStage>& texts) {
  std::vector<Stage> stages;
  for (size_t k = 0; k < texts.size(); ++k) {
    StagePass pass = PassOfStage(texts[k].name);
    stages.push_back({static_cast<int64_t>(k), texts[k].name, pass.pass, pass.pipeline, std::to_string(k), "", {}});
  }
  return stages;
}

inline StageReader ReaderOfTexts(const std::vector<DumpedStage>& texts) {
  return [&texts](const Stage& stage) -> absl::StatusOr<std::shared_ptr<const Document>> {
    DocumentOptions options;
    options.verify.allow_mixed_precision = true;
    auto document =
        Document::Parse(SourceText::FromString(stage.name, texts[static_cast<size_t>(stage.order)].text), options);
    if (document->has_errors()) return absl::InvalidArgumentError("the module has errors");
    return document;
  };
}

}  // namespace hloscope::insight

#endif  // HLOSCOPE_TESTS_INSIGHT_STAGES_FIXTURE_H_
