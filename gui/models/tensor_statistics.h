// SPDX-License-Identifier: Apache-2.0
// Statistics and histogram of an array's elements, made off the UI thread.
#ifndef HLOSCOPE_GUI_MODELS_TENSOR_STATISTICS_H_
#define HLOSCOPE_GUI_MODELS_TENSOR_STATISTICS_H_

#include <QString>
#include <atomic>
#include <cstdint>
#include <vector>

#include "evaluator/tensor/summary.h"
#include "gui/models/element_reader.h"

namespace hloscope::gui {

struct TensorStatistics {
  evaluator::TensorSummary summary;  // min and max include infinities
  int64_t negative_count = 0;
  int64_t denormal_count = 0;  // of floats: not 0 and smaller than every normal number of the type
  // Of the finite elements; 0 if there are none.
  double finite_min = 0, finite_max = 0;
  // Smallest magnitude above 0 of the finite elements; 0 if there is none. Where a logarithmic scale begins.
  double least_magnitude = 0;
};

// Reads every element once.
TensorStatistics StatisticsOf(const ElementReader& reader, const std::atomic<bool>& cancelled);

struct Histogram {
  double low = 0, high = 0;
  std::vector<int64_t> bins;  // equally wide, from low to high; high belongs to the last one
  int64_t below = 0, above = 0;
};

// Of the finite elements, between `low` and `high`; counts nothing if low > high.
Histogram HistogramOf(const ElementReader& reader, double low, double high, int bins,
                      const std::atomic<bool>& cancelled);

// One line: "min -1   max 2.5   mean 0.1   ...", without what the type cannot have.
QString StatisticsText(const TensorStatistics& statistics, ElementType type);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_TENSOR_STATISTICS_H_
