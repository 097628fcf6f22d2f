// SPDX-License-Identifier: Apache-2.0
#include "gui/models/view_state.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace hloscope::gui {
namespace {

constexpr const char* kGraphs[] = {"automatic", "whole", "around", "groups"};
constexpr const char* kColors[] = {"operation", "flop", "bytes", "numbers", "sharding", "changes", "time"};
constexpr int kLargestDepth = 30;

// Its number in the table; -1 if it is not there.
template <size_t n>
int NumberOf(const char* const (&words)[n], const QString& word) {
  const auto* at =
      std::find_if(std::begin(words), std::end(words), [&](const char* known) { return word == QLatin1String(known); });
  return at == std::end(words) ? -1 : static_cast<int>(at - words);
}

bool SetNumber(const QString& value, double most, double* number) {
  bool is_number = false;
  const double read = value.toDouble(&is_number);
  if (!is_number || !std::isfinite(read) || read <= 0 || read > most) return false;
  *number = read;
  return true;
}

bool SetField(const QString& key, const QString& value, ViewState* state) {
  if (key == QLatin1String("graph")) {
    const int number = NumberOf(kGraphs, value);
    if (number >= 0) state->graph = static_cast<ViewState::Graph>(number);
    return number >= 0;
  }
  if (key == QLatin1String("colors")) {
    const int number = NumberOf(kColors, value);
    if (number >= 0) state->colors = static_cast<ViewState::Colors>(number);
    return number >= 0;
  }
  if (key == QLatin1String("depth")) {
    double depth = 0;
    const bool good = SetNumber(value, kLargestDepth, &depth);
    if (good) state->depth = static_cast<int>(depth);
    return good;
  }
  if (key == QLatin1String("zoom")) return SetNumber(value, 1e3, &state->zoom);
  if (key == QLatin1String("constants") && value == QLatin1String("no")) {
    state->constants = false;
    return true;
  }
  if (key == QLatin1String("beside") && value == QLatin1String("yes")) return state->beside = true;
  QStringList panels = value.split(QLatin1Char('+'), Qt::SkipEmptyParts);
  if (key == QLatin1String("show")) {
    state->shown = std::move(panels);
  } else if (key == QLatin1String("hide")) {
    state->hidden = std::move(panels);
  } else if (key == QLatin1String("large")) {
    state->enlarged = value;
  } else {
    return false;
  }
  return true;
}

}  // namespace

QString ViewState::ToString() const {
  QStringList words;
  auto add = [&](const char* key, const QString& value) { words << QLatin1String(key) + QLatin1Char('=') + value; };
  if (graph != Graph::kAutomatic) add("graph", QLatin1String(kGraphs[static_cast<int>(graph)]));
  if (colors != Colors::kOperation) add("colors", QLatin1String(kColors[static_cast<int>(colors)]));
  if (depth > 0) add("depth", QString::number(depth));
  if (zoom > 0) add("zoom", QString::number(zoom, 'g', 3));
  if (!constants) add("constants", QStringLiteral("no"));
  if (beside) add("beside", QStringLiteral("yes"));
  if (!shown.isEmpty()) add("show", shown.join(QLatin1Char('+')));
  if (!hidden.isEmpty()) add("hide", hidden.join(QLatin1Char('+')));
  if (!enlarged.isEmpty()) add("large", enlarged);
  return words.join(QLatin1Char(','));
}

ViewState ViewState::Parse(const QString& text, QString* problem) {
  ViewState state;
  problem->clear();
  for (const QString& word : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
    const qsizetype equals = word.indexOf(QLatin1Char('='));
    const bool known = equals > 0 && SetField(word.left(equals), word.mid(equals + 1), &state);
    if (!known && problem->isEmpty()) *problem = word;
  }
  return state;
}

}  // namespace hloscope::gui
