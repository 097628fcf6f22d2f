// SPDX-License-Identifier: Apache-2.0
#include "reports/profile_drawing.h"

#include <algorithm>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/print/quantity.h"
#include "insight/html/html_text.h"

namespace hloscope::reports {
namespace {

// Points.
constexpr double kLanesWidth = 1100, kLaneHeight = 18, kHeadHeight = 22, kShareHeight = 18, kShareWidth = 420;
constexpr double kLeastNamed = 60;  // narrower boxes have no name in them
constexpr double kProfileLetter = 6.4;
constexpr size_t kMostLanes = 40, kMostShares = 30, kLongestName = 80;
constexpr const char* kEventColors[] = {"#9ecbff", "#ffd8a8", "#b7ebc6", "#e5c7f0", "#fff1a8", "#b8e6ea", "#ffc9cf"};

std::string EscapedName(absl::string_view text, size_t longest) {
  std::string out;
  insight::AppendEscaped(absl::string_view(text).substr(0, longest), &out);
  return out;
}

std::string TimeOf(int64_t ps) { return SecondsText(static_cast<double>(ps) * 1e-12); }

class ProfilePicture {
 public:
  explicit ProfilePicture(const insight::ProfileAnalysis& profile) : profile_(profile) {}

  std::string Draw() {
    Lanes();
    Shares();
    return absl::StrCat(absl::StrFormat("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                                        "font-family=\"sans-serif\" font-size=\"11\">\n"
                                        "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                                        kLanesWidth, y_ + kHeadHeight / 2),
                        body_, "</svg>\n");
  }

 private:
  void Text(double x, double y, absl::string_view escaped) {
    absl::StrAppendFormat(&body_, "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", x, y, escaped);
  }
  void Box(double x, double y, double width, double height, absl::string_view color, absl::string_view title) {
    absl::StrAppendFormat(&body_,
                          "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                          "fill=\"%s\"><title>%s</title></rect>\n",
                          x, y, width, height, color, title);
  }

  std::string NameOf(const insight::TimelineLane& lane, size_t i) const {
    const int32_t row = lane.rows[i];
    if (row >= 0) return profile_.NameOf(profile_.instructions()[static_cast<size_t>(row)]);
    return profile_.profile().planes[lane.plane].metadata[lane.events[i]->metadata].name;
  }

  void Lanes() {
    const int64_t begin = static_cast<int64_t>(profile_.begin_ps()), end = static_cast<int64_t>(profile_.end_ps());
    if (end <= begin || profile_.lanes().empty()) return;
    const double scale = kLanesWidth / static_cast<double>(end - begin);
    Text(4, y_ + 15, absl::StrCat("events of the devices over ", TimeOf(end - begin)));
    y_ += kHeadHeight;
    for (size_t l = 0; l < std::min(kMostLanes, profile_.lanes().size()); ++l) {
      const insight::TimelineLane& lane = profile_.lanes()[l];
      Text(4, y_ + 13, EscapedName(lane.name, kLongestName));
      y_ += kLaneHeight;
      double drawn_to = -1;
      for (size_t i = 0; i < lane.events.size(); ++i) {
        const interop::ProfileEvent& event = *lane.events[i];
        if (event.occurrences > 1) continue;
        const double x = static_cast<double>(static_cast<int64_t>(event.begin_ps) - begin) * scale;
        const double width = std::max(1.0, static_cast<double>(event.duration_ps) * scale);
        if (x + width < drawn_to + 1) continue;  // under what is drawn there
        drawn_to = x + width;
        const std::string name = NameOf(lane, i);
        const size_t color = absl::HashOf(name) % std::size(kEventColors);
        Box(x, y_, width, kLaneHeight - 3, kEventColors[color],
            absl::StrCat(EscapedName(name, kLongestName), " ", TimeOf(event.duration_ps)));
        if (width >= kLeastNamed) {
          Text(x + 3, y_ + 11, EscapedName(name, static_cast<size_t>((width - 6) / kProfileLetter)));
        }
      }
      y_ += kLaneHeight;
    }
    if (profile_.lanes().size() > kMostLanes) {
      Text(4, y_ + 13, absl::StrCat("and ", profile_.lanes().size() - kMostLanes, " more lanes"));
      y_ += kLaneHeight;
    }
  }

  // They come with the most time first.
  void Shares() {
    const auto& rows = profile_.instructions();
    if (rows.empty() || profile_.total_ps() <= 0) return;
    Text(4, y_ + 15, absl::StrCat("instructions that take most of ", TimeOf(profile_.total_ps())));
    y_ += kHeadHeight;
    const double most = static_cast<double>(std::max<int64_t>(rows[0].self_ps, 1));
    for (size_t i = 0; i < std::min(kMostShares, rows.size()); ++i) {
      const double time = static_cast<double>(rows[i].self_ps);
      const std::string name = EscapedName(profile_.NameOf(rows[i]), kLongestName);
      const std::string facts = absl::StrFormat("%s, %.1f %%", TimeOf(rows[i].self_ps),
                                                100 * time / static_cast<double>(profile_.total_ps()));
      Box(0, y_, std::max(1.0, kShareWidth * time / most), kShareHeight - 3, "#0969da", absl::StrCat(name, " ", facts));
      Text(kShareWidth + 10, y_ + 12, absl::StrCat(name, "  ", facts));
      y_ += kShareHeight;
    }
  }

  const insight::ProfileAnalysis& profile_;
  std::string body_;
  double y_ = 0;
};

}  // namespace

std::string ProfileSvg(const insight::ProfileAnalysis& profile) { return ProfilePicture(profile).Draw(); }

}  // namespace hloscope::reports
