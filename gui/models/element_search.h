// SPDX-License-Identifier: Apache-2.0
// Finding the next element of an array that meets a condition.
#ifndef HLOSCOPE_GUI_MODELS_ELEMENT_SEARCH_H_
#define HLOSCOPE_GUI_MODELS_ELEMENT_SEARCH_H_

#include <QString>
#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "gui/models/element_reader.h"

namespace hloscope::gui {

struct ElementCondition {
  enum class Kind : uint8_t { kEqual, kNotEqual, kLess, kLessEqual, kGreater, kGreaterEqual, kNan, kInfinity, kIndex };
  Kind kind = Kind::kEqual;
  bool of_magnitude = false;  // compares |x|
  double number = 0;
  std::vector<int64_t> index;  // of kIndex

  bool Accepts(double value) const;
};

// "nan", "inf", "0.5", "> 3", "<= -1e-3", "!= 0", "|x| > 100", "[3, 5]". Error InvalidArgument for the user.
absl::StatusOr<ElementCondition> ReadElementCondition(const QString& text);

// The first element past `after` (or before it, backwards) in row-major order that meets the condition; goes round at
// the end, so `after` itself comes last. `after` empty: from the beginning. Nothing if there is none or the search was
// cancelled. Requires a condition that is no index.
std::optional<std::vector<int64_t>> FindElement(const ElementReader& reader, const ElementCondition& condition,
                                                const std::optional<std::vector<int64_t>>& after, bool backwards,
                                                const std::atomic<bool>& cancelled);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_ELEMENT_SEARCH_H_
