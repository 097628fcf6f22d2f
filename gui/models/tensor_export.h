// SPDX-License-Identifier: Apache-2.0
// Writing arrays to files for other programs.
#ifndef HLOSCOPE_GUI_MODELS_TENSOR_EXPORT_H_
#define HLOSCOPE_GUI_MODELS_TENSOR_EXPORT_H_

#include <QString>
#include <atomic>

#include "absl/status/status.h"
#include "gui/models/element_reader.h"
#include "gui/models/tensor_slice.h"

namespace hloscope::gui {

// One line for each row of the slice, elements as text, those with a comma in quotes. Written to a temporary file that
// is renamed: a failure leaves no partial file. Errors: Cancelled; Unavailable, with the reason, for what the file
// system refuses.
absl::Status WriteCsv(const QString& path, const ElementReader& reader, const TensorSlice& slice,
                      const std::atomic<bool>& cancelled);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_TENSOR_EXPORT_H_
