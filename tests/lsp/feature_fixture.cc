// SPDX-License-Identifier: Apache-2.0
#include "tests/lsp/feature_fixture.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace hloscope::lsp {

FeatureDocument::FeatureDocument(std::string text, ColumnUnit unit)
    : text_(std::move(text)),
      document_(Document::Parse(SourceText::FromString("test.hlo", text_))),
      view_(*document_, uri_, unit) {}

protocol::Position FeatureDocument::At(absl::string_view word, int occurrence) const {
  size_t at = text_.find(std::string(word));
  for (int i = 0; i < occurrence && at != std::string::npos; ++i) at = text_.find(std::string(word), at + 1);
  if (at == std::string::npos) {
    ADD_FAILURE() << "no occurrence " << occurrence << " of " << word;
    return {};
  }
  return view_.positions.ToPosition(static_cast<uint32_t>(at));
}

std::string FeatureDocument::Slice(const protocol::Range& range) const {
  const absl::string_view slice = document_->source().Slice(view_.positions.ToSourceRange(range));
  return std::string(slice);
}

std::string FeatureDocument::Describe(const protocol::Range& range) const {
  const LineColumn at = document_->source().LineColumnAt(view_.positions.ToSourceRange(range).begin);
  return absl::StrCat(at.line + 1, ":", at.column + 1, " ", Slice(range));
}

const char kSampleModule[] = R"(HloModule sample

FileNames
1 "model.py"

FunctionNames
1 "main"
2 "step"

FileLocations
1 {file_name_id=1 function_name_id=1 line=10 end_line=10 column=2 end_column=9}
2 {file_name_id=1 function_name_id=2 line=31 end_line=33 column=4 end_column=5}

StackFrames
1 {file_location_id=1 parent_frame_id=1}
2 {file_location_id=2 parent_frame_id=2}

sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}

ENTRY main {
  x = f32[8,16]{1,0} parameter(0)
  zero = f32[] constant(0)
  twice = f32[8,16]{1,0} add(x, x), metadata={op_type="add" op_name="jit(step)/add" stack_frame_id=2}
  total = f32[8] reduce(twice, zero), dimensions={1}, to_apply=sum
  ROOT largest = f32[] reduce(total, zero), dimensions={0}, to_apply={
    p = f32[] parameter(0)
    q = f32[] parameter(1)
    ROOT m = f32[] maximum(p, q)
  }, control-predecessors={twice}
}
)";

}  // namespace hloscope::lsp
