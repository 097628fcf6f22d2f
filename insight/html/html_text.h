// SPDX-License-Identifier: Apache-2.0
// Pieces of HTML that hold texts of modules.
#ifndef HLOSCOPE_INSIGHT_HTML_HTML_TEXT_H_
#define HLOSCOPE_INSIGHT_HTML_HTML_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"

namespace hloscope::insight {

// Appends text so that a browser shows it and nothing of it is markup: & < > " ' become references; control characters,
// those that turn the direction of writing, and bytes that are not UTF-8 are spelled out. Line feeds and tabs stay.
void AppendEscaped(absl::string_view text, std::string* out);

// Markup that is made of escaped texts only.
class HtmlText {
 public:
  HtmlText() = default;
  // A text, escaped. Implicit, so that a plain text can be wherever a piece of markup can.
  HtmlText(absl::string_view text) { Add(text); }   // NOLINT(google-explicit-constructor)
  HtmlText(const char* text) { Add(text); }         // NOLINT(google-explicit-constructor)
  HtmlText(const std::string& text) { Add(text); }  // NOLINT(google-explicit-constructor)

  HtmlText& Add(absl::string_view text);
  // In the fixed-width font.
  HtmlText& Code(absl::string_view text);
  HtmlText& Strong(absl::string_view text);
  // In the colour of what is gone or new.
  HtmlText& Removed(absl::string_view text);
  HtmlText& Added(absl::string_view text);
  // Leads to what HtmlReport::Anchor gave a name to.
  HtmlText& Link(absl::string_view text, int anchor);
  // A bar of `value` out of `whole`.
  HtmlText& Bar(double value, double whole);

  const std::string& html() const { return html_; }
  bool empty() const { return html_.empty(); }

 private:
  HtmlText& Wrapped(absl::string_view open, absl::string_view text, absl::string_view close);
  std::string html_;
};

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_HTML_HTML_TEXT_H_
