// SPDX-License-Identifier: Apache-2.0
// What the user has chosen once and for all.
#ifndef HLOSCOPE_GUI_MODELS_PREFERENCES_H_
#define HLOSCOPE_GUI_MODELS_PREFERENCES_H_

#include <QString>
#include <cstdint>

#include "evaluator/tensor/fill.h"

namespace hloscope::gui {

struct Preferences {
  static constexpr int kLeastFont = 6, kMostFont = 32;       // points
  static constexpr int kLeastMemory = 5, kMostMemory = 100;  // percent
  static constexpr int kMostThreads = 256;
  static constexpr int kLeastComputation = 50, kMostComputation = 50'000;
  static constexpr int kMostGraphviz = 1000;  // more take it minutes

  QString appearance = QStringLiteral("system");            // or "light", "dark"
  int code_font = 10;                                       // points
  bool value_hints = true;                                  // at the ends of lines
  evaluator::FillKind fill = evaluator::FillKind::kRandom;  // of arguments without a file
  int memory_percent = 50;                                  // of the machine's memory that values may take
  int threads = 0;                                          // of a run; 0: one per core
  // Largest computation that is drawn instruction by instruction without being asked for.
  int whole_computation = 400;
  // Graphviz lays out what has at most so many boxes; 0: nothing.
  int graphviz_boxes = 300;

  // As saved by the user's last session; what is not there, or makes no sense, is as above.
  static Preferences Load();
  void Save() const;
  // 0 if the machine does not say how much it has.
  int64_t MemoryLimit() const;

  friend bool operator==(const Preferences&, const Preferences&) = default;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_PREFERENCES_H_
