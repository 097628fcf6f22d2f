// SPDX-License-Identifier: Apache-2.0
#include "gui/models/preferences.h"

#include <unistd.h>

#include <QSettings>
#include <algorithm>

namespace hloscope::gui {
namespace {

constexpr char kAppearance[] = "appearance";
constexpr char kCodeFont[] = "code_font";
constexpr char kValueHints[] = "value_hints";
constexpr char kFill[] = "fill";
constexpr char kMemory[] = "memory_percent";
constexpr char kThreads[] = "threads";
constexpr char kWholeComputation[] = "whole_computation";
constexpr char kGraphviz[] = "graphviz_boxes";

}  // namespace

Preferences Preferences::Load() {
  const QSettings settings;
  Preferences p;
  auto number = [&](const char* key, int standard, int least, int most) {
    bool is_number = false;
    const int value = settings.value(QLatin1String(key), standard).toInt(&is_number);
    return is_number ? std::clamp(value, least, most) : standard;
  };
  const QString appearance = settings.value(QLatin1String(kAppearance), p.appearance).toString();
  if (appearance == QLatin1String("light") || appearance == QLatin1String("dark")) p.appearance = appearance;
  p.code_font = number(kCodeFont, p.code_font, kLeastFont, kMostFont);
  p.value_hints = settings.value(QLatin1String(kValueHints), p.value_hints).toBool();
  const int fill = number(kFill, static_cast<int>(p.fill), 0, 100);
  for (const evaluator::FillKind kind : {evaluator::FillKind::kRandom, evaluator::FillKind::kZeros,
                                         evaluator::FillKind::kOnes, evaluator::FillKind::kIota}) {
    if (fill == static_cast<int>(kind)) p.fill = kind;
  }
  p.memory_percent = number(kMemory, p.memory_percent, kLeastMemory, kMostMemory);
  p.threads = number(kThreads, p.threads, 0, kMostThreads);
  p.whole_computation = number(kWholeComputation, p.whole_computation, kLeastComputation, kMostComputation);
  p.graphviz_boxes = number(kGraphviz, p.graphviz_boxes, 0, kMostGraphviz);
  return p;
}

void Preferences::Save() const {
  QSettings settings;
  settings.setValue(QLatin1String(kAppearance), appearance);
  settings.setValue(QLatin1String(kCodeFont), code_font);
  settings.setValue(QLatin1String(kValueHints), value_hints);
  settings.setValue(QLatin1String(kFill), static_cast<int>(fill));
  settings.setValue(QLatin1String(kMemory), memory_percent);
  settings.setValue(QLatin1String(kThreads), threads);
  settings.setValue(QLatin1String(kWholeComputation), whole_computation);
  settings.setValue(QLatin1String(kGraphviz), graphviz_boxes);
}

int64_t Preferences::MemoryLimit() const {
  const int64_t pages = sysconf(_SC_PHYS_PAGES);
  const int64_t page_bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && page_bytes > 0 ? pages / 100 * memory_percent * page_bytes : 0;
}

}  // namespace hloscope::gui
