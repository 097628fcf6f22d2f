// SPDX-License-Identifier: Apache-2.0
// Reports as one HTML file: no network, searchable, foldable, light and dark; readable without script.
//
// Nothing of a module can run as script: texts are escaped wherever they are added (html_text.h), pictures are shown as
// images, and a content security policy allows the page's own script and style by their hashes and nothing else.
#ifndef HLOSCOPE_INSIGHT_HTML_HTML_REPORT_H_
#define HLOSCOPE_INSIGHT_HTML_HTML_REPORT_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "insight/html/html_text.h"

namespace hloscope::insight {

struct HtmlColumn {
  std::string title;
  bool is_number = false;  // to the right
};

// A line of code, or of two versions of it beside each other.
enum class LineKind : uint8_t { kSame, kRemoved, kAdded, kChanged, kMarked };

struct CodeLine {
  LineKind kind = LineKind::kSame;
  std::string text;
  int anchor = 0;  // 0: none
};

struct CodePair {
  LineKind kind = LineKind::kSame;
  std::string left, right;
};

// An event of AddTimeline: which lane and name, and where it is, in units of a 2^32th of the whole time.
struct HtmlEvent {
  uint32_t lane = 0, name = 0, begin = 0, duration = 0;
};

// An array of AddLives: in memory from step `begin` to step `end`, both included.
struct HtmlLife {
  uint32_t begin = 0, end = 0;
  int64_t bytes = 0;
};

// The elements of AddTensor, as a browser's typed array holds them.
struct HtmlTensor {
  enum class Numbers : uint8_t { kFloat32, kFloat64, kInt32, kUint32, kInt64, kUint64, kBool };
  Numbers numbers = Numbers::kFloat32;
  int parts = 1;    // numbers of an element
  int digits = 17;  // of a number that count
  std::vector<int64_t> dimensions;
  std::vector<int64_t> steps;  // by dimension: which indices are here, 1 if all are
  std::string elements;        // in row-major order, little-endian
};

// The colours of heat maps from low to high, red, green and blue.
inline constexpr uint8_t kHeatColors[][3] = {{68, 1, 84},    {72, 40, 120},  {62, 74, 137},
                                             {49, 104, 142}, {38, 130, 142}, {31, 158, 137},
                                             {53, 183, 121}, {144, 215, 67}, {253, 231, 37}};

class HtmlReport {
 public:
  // `subtitle` says what of: files, options.
  HtmlReport(absl::string_view title, absl::string_view subtitle);

  // A part that can be folded; parts nest. What is folded costs a browser nearly nothing.
  void BeginPart(const HtmlText& title, bool is_open = true, int anchor = 0);
  void EndPart();
  // A new target for links (HtmlText::Link); give it to one part, row or line.
  int NewAnchor() { return ++anchors_; }

  void AddParagraph(const HtmlText& text);
  // Names and values.
  void AddFacts(absl::Span<const std::pair<std::string, HtmlText>> facts);

  // A table, row by row. Readers can sort by a column.
  void BeginTable(absl::Span<const HtmlColumn> columns);
  void AddRow(absl::Span<const HtmlText> cells, int anchor = 0);
  void EndTable();

  // Lines in the fixed-width font. A name that is clicked leads to the line that begins with it.
  void AddCode(absl::Span<const CodeLine> lines);
  // The lines of a text, such as what a command prints.
  void AddText(absl::string_view text);
  // Two versions side by side, which scroll together.
  void AddCodePairs(absl::string_view left_title, absl::string_view right_title, absl::Span<const CodePair> lines);

  // An SVG picture, as an image: no script in it runs, and it loads nothing.
  void AddPicture(absl::string_view svg, absl::string_view description);

  // Events of a time of so many seconds in lanes, to be zoomed and moved; sorted by lane and begin. Without script
  // there is only `description`.
  void AddTimeline(absl::Span<const std::string> lanes, absl::Span<const std::string> names,
                   absl::Span<const HtmlEvent> events, double seconds, absl::string_view description);

  // What is alive at a step that the reader chooses, `first` to begin with. `arrays` are the names of `lives`, the
  // largest first; `alive` are the bytes at each of `steps`. Without script there is only `description`.
  void AddLives(absl::Span<const std::string> arrays, absl::Span<const HtmlLife> lives,
                absl::Span<const std::string> steps, absl::Span<const int64_t> alive, size_t first,
                absl::string_view description);

  // An array, to be sliced and looked at as a table and a heat map. Without script there is only the picture, an SVG.
  void AddTensor(const HtmlTensor& tensor, absl::string_view svg, absl::string_view description);

  // The page. Open parts are ended.
  std::string Finish() &&;
  // Bytes so far.
  size_t size() const { return body_.size(); }

 private:
  std::string title_, subtitle_, body_;
  std::vector<HtmlColumn> columns_;  // of the table at hand
  int open_parts_ = 0;
  int anchors_ = 0;
  bool has_timeline_ = false, has_tensor_ = false, has_lives_ = false;
};

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_HTML_HTML_REPORT_H_
