// SPDX-License-Identifier: Apache-2.0
// Documents for feature tests: a small text, and positions named by the words that are there.
#ifndef HLOSCOPE_TESTS_LSP_FEATURE_FIXTURE_H_
#define HLOSCOPE_TESTS_LSP_FEATURE_FIXTURE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "lsp/features/document_view.h"

namespace hloscope::lsp {

class FeatureDocument {
 public:
  explicit FeatureDocument(std::string text, ColumnUnit unit = ColumnUnit::kUtf16);

  const DocumentView& view() const { return view_; }
  const std::string& text() const { return text_; }
  // Position of the `occurrence`th (from 0) place where `word` is; fails the test if there is none.
  protocol::Position At(absl::string_view word, int occurrence = 0) const;
  // The text of a range.
  std::string Slice(const protocol::Range& range) const;
  // "line:column text" of each range, in bytes from 1: "3:7 add".
  std::string Describe(const protocol::Range& range) const;

 private:
  std::string text_;
  std::string uri_ = "file:///test.hlo";
  std::shared_ptr<const Document> document_;
  DocumentView view_;
};

// A module with two computations, an inline computation, stack-frame tables and metadata.
extern const char kSampleModule[];

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_TESTS_LSP_FEATURE_FIXTURE_H_
