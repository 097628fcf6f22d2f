// SPDX-License-Identifier: Apache-2.0
#include "insight/html/html_report.h"

#include <algorithm>

#include "absl/base/casts.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "insight/html/lives_script.h"
#include "insight/html/page_assets.h"
#include "insight/html/sha256.h"
#include "insight/html/tensor_script.h"
#include "insight/html/timeline_script.h"

namespace hloscope::insight {
namespace {

// Lines that a browser lays out together: it skips blocks that are out of sight.
constexpr size_t kLinesPerBlock = 200;

std::string Escaped(absl::string_view text) {
  std::string out;
  AppendEscaped(text, &out);
  return out;
}

std::string IdAttribute(int anchor) { return anchor == 0 ? "" : absl::StrCat(" id=a", anchor); }

// Lines of a data attribute.
void AppendLines(absl::Span<const std::string> lines, std::string* out) {
  for (size_t i = 0; i < lines.size(); ++i) {
    std::string line = lines[i];
    std::replace(line.begin(), line.end(), '\n', ' ');
    if (i > 0) out->push_back('\n');
    AppendEscaped(line, out);
  }
}

// As the elements of a Float64Array.
void AppendNumber(double number, std::string* out) {
  const uint64_t bits = absl::bit_cast<uint64_t>(number);
  for (int shift = 0; shift < 64; shift += 8) out->push_back(static_cast<char>(bits >> shift & 0xFF));
}

absl::string_view ClassOf(LineKind kind) {
  switch (kind) {
    case LineKind::kSame:
      return "";
    case LineKind::kRemoved:
      return " class=d";
    case LineKind::kAdded:
      return " class=i";
    case LineKind::kChanged:
      return " class=c";
    case LineKind::kMarked:
      return " class=m";
  }
  return "";
}

// As the script calls them.
absl::string_view NameOf(HtmlTensor::Numbers numbers) {
  switch (numbers) {
    case HtmlTensor::Numbers::kFloat32:
      return "f4";
    case HtmlTensor::Numbers::kFloat64:
      return "f8";
    case HtmlTensor::Numbers::kInt32:
      return "i4";
    case HtmlTensor::Numbers::kUint32:
      return "u4";
    case HtmlTensor::Numbers::kInt64:
      return "i8";
    case HtmlTensor::Numbers::kUint64:
      return "u8";
    case HtmlTensor::Numbers::kBool:
      return "b";
  }
  return "";
}

}  // namespace

HtmlReport::HtmlReport(absl::string_view title, absl::string_view subtitle) : title_(title), subtitle_(subtitle) {}

void HtmlReport::BeginPart(const HtmlText& title, bool is_open, int anchor) {
  absl::StrAppend(&body_, "<details", IdAttribute(anchor), is_open ? " open" : "", "><summary>", title.html(),
                  "</summary>\n");
  ++open_parts_;
}

void HtmlReport::EndPart() {
  if (open_parts_ == 0) return;
  body_ += "</details>\n";
  --open_parts_;
}

void HtmlReport::AddParagraph(const HtmlText& text) { absl::StrAppend(&body_, "<p>", text.html(), "</p>\n"); }

void HtmlReport::AddFacts(absl::Span<const std::pair<std::string, HtmlText>> facts) {
  body_ += "<dl>\n";
  for (const auto& [name, value] : facts) {
    absl::StrAppend(&body_, "<dt>", Escaped(name), "<dd>", value.html(), "\n");
  }
  body_ += "</dl>\n";
}

void HtmlReport::BeginTable(absl::Span<const HtmlColumn> columns) {
  columns_.assign(columns.begin(), columns.end());
  body_ += "<div class=w><table><thead><tr>";
  for (const HtmlColumn& column : columns_) {
    absl::StrAppend(&body_, column.is_number ? "<th class=n>" : "<th>", Escaped(column.title));
  }
  body_ += "</thead><tbody>\n";
}

void HtmlReport::AddRow(absl::Span<const HtmlText> cells, int anchor) {
  absl::StrAppend(&body_, "<tr class=r", IdAttribute(anchor), ">");
  for (size_t i = 0; i < cells.size(); ++i) {
    const bool is_number = i < columns_.size() && columns_[i].is_number;
    absl::StrAppend(&body_, is_number ? "<td class=n>" : "<td>", cells[i].html());
  }
  body_ += "\n";
}

void HtmlReport::EndTable() { body_ += "</tbody></table></div>\n"; }

void HtmlReport::AddCode(absl::Span<const CodeLine> lines) {
  body_ += "<div class=k>";
  for (size_t first = 0; first < lines.size(); first += kLinesPerBlock) {
    body_ += "<div class=b>";
    for (const CodeLine& line : lines.subspan(first, std::min(kLinesPerBlock, lines.size() - first))) {
      absl::StrAppend(&body_, "<p", IdAttribute(line.anchor), ClassOf(line.kind), ">");
      AppendEscaped(line.text, &body_);
      body_ += "\n";
    }
    body_ += "</div>";
  }
  body_ += "</div>\n";
}

void HtmlReport::AddText(absl::string_view text) {
  std::vector<CodeLine> lines;
  for (absl::string_view line : absl::StrSplit(absl::StripSuffix(text, "\n"), '\n')) {
    lines.push_back({LineKind::kSame, std::string(line)});
  }
  AddCode(lines);
}

void HtmlReport::AddCodePairs(absl::string_view left_title, absl::string_view right_title,
                              absl::Span<const CodePair> lines) {
  absl::StrAppend(&body_, "<div class=w><table class=s><thead><tr><th>", Escaped(left_title), "<th>",
                  Escaped(right_title), "</thead>\n");
  for (size_t first = 0; first < lines.size(); first += kLinesPerBlock) {
    body_ += "<tbody>";
    for (const CodePair& line : lines.subspan(first, std::min(kLinesPerBlock, lines.size() - first))) {
      const bool left = line.kind == LineKind::kRemoved || line.kind == LineKind::kChanged;
      const bool right = line.kind == LineKind::kAdded || line.kind == LineKind::kChanged;
      absl::StrAppend(&body_, "<tr class=r><td", left ? " class=d>" : ">", Escaped(line.left), "<td",
                      right ? " class=i>" : ">", Escaped(line.right), "\n");
    }
    body_ += "</tbody>";
  }
  body_ += "</table></div>\n";
}

void HtmlReport::AddPicture(absl::string_view svg, absl::string_view description) {
  absl::StrAppend(&body_, "<div class=w><img alt=\"", Escaped(description), "\" src=\"data:image/svg+xml;base64,",
                  absl::Base64Escape(svg), "\"></div>\n");
}

void HtmlReport::AddTimeline(absl::Span<const std::string> lanes, absl::Span<const std::string> names,
                             absl::Span<const HtmlEvent> events, double seconds, absl::string_view description) {
  has_timeline_ = true;
  absl::StrAppend(&body_, "<p>");
  AppendEscaped(description, &body_);
  absl::StrAppend(&body_, "</p><div class=tl data-seconds=\"", seconds, "\" data-lanes=\"");
  AppendLines(lanes, &body_);
  absl::StrAppend(&body_, "\" data-names=\"");
  AppendLines(names, &body_);
  absl::StrAppend(&body_, "\" data-events=\"");
  std::string packed;
  packed.reserve(events.size() * 16);
  for (const HtmlEvent& event : events) {
    for (uint32_t number : {event.lane, event.name, event.begin, event.duration}) {
      for (int shift = 0; shift < 32; shift += 8) packed.push_back(static_cast<char>(number >> shift & 0xFF));
    }
  }
  absl::StrAppend(&body_, absl::Base64Escape(packed), "\"></div>\n");
}

void HtmlReport::AddLives(absl::Span<const std::string> arrays, absl::Span<const HtmlLife> lives,
                          absl::Span<const std::string> steps, absl::Span<const int64_t> alive, size_t first,
                          absl::string_view description) {
  has_lives_ = true;
  absl::StrAppend(&body_, "<p>");
  AppendEscaped(description, &body_);
  absl::StrAppend(&body_, "</p><div class=lv data-first=", first, " data-names=\"");
  AppendLines(arrays, &body_);
  absl::StrAppend(&body_, "\" data-steps=\"");
  AppendLines(steps, &body_);
  std::string packed;
  for (const HtmlLife& life : lives) {
    for (const double number :
         {static_cast<double>(life.begin), static_cast<double>(life.end), static_cast<double>(life.bytes)}) {
      AppendNumber(number, &packed);
    }
  }
  absl::StrAppend(&body_, "\" data-lives=\"", absl::Base64Escape(packed), "\" data-alive=\"");
  packed.clear();
  for (int64_t bytes : alive) AppendNumber(static_cast<double>(bytes), &packed);
  absl::StrAppend(&body_, absl::Base64Escape(packed), "\"></div>\n");
}

void HtmlReport::AddTensor(const HtmlTensor& tensor, absl::string_view svg, absl::string_view description) {
  has_tensor_ = true;
  absl::StrAppend(&body_, "<div class=tv data-type=", NameOf(tensor.numbers), " data-parts=", tensor.parts,
                  " data-digits=", tensor.digits, " data-sizes=\"", absl::StrJoin(tensor.dimensions, ","),
                  "\" data-steps=\"", absl::StrJoin(tensor.steps, ","), "\" data-ramp=\"");
  const char* gap = "";
  for (const auto& color : kHeatColors) {
    absl::StrAppend(&body_, gap, int{color[0]}, ",", int{color[1]}, ",", int{color[2]});
    gap = " ";
  }
  absl::StrAppend(&body_, "\" data-elements=\"", absl::Base64Escape(tensor.elements), "\">\n");
  AddPicture(svg, description);
  body_ += "</div>\n";
}

std::string HtmlReport::Finish() && {
  while (open_parts_ > 0) EndPart();
  const absl::string_view style = PageStyle();
  std::vector<absl::string_view> scripts = {PageScript()};
  if (has_timeline_) scripts.push_back(TimelineScript());
  if (has_lives_) scripts.push_back(LivesScript());
  if (has_tensor_) scripts.push_back(TensorScript());
  std::string hashes, code;
  for (absl::string_view script : scripts) {
    absl::StrAppend(&hashes, " '", PolicyHash(script), "'");
    absl::StrAppend(&code, "<script>", script, "</script>");
  }
  return absl::StrCat(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n",
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src '",
      PolicyHash(style), "'; script-src", hashes, "; base-uri 'none'; form-action 'none'\">\n",
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>", Escaped(title_), "</title>\n<style>", style,
      "</style></head>\n<body><header><h1>", Escaped(title_), "</h1><span>", Escaped(subtitle_), "</span>",
      "<div class=t><input id=q type=search placeholder=\"Search\" aria-label=\"Search\"><output id=h></output>",
      "<button id=n>Next</button><button id=o>Unfold all</button><button id=f>Fold all</button>",
      "<button id=l>Light or dark</button></div></header>\n<main>\n", body_, "</main>\n", code, "</body></html>\n");
}

}  // namespace hloscope::insight
