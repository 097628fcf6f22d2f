// SPDX-License-Identifier: Apache-2.0
// The elements of a slice as an array of their own.
#ifndef HLOSCOPE_GUI_MODELS_SLICE_READER_H_
#define HLOSCOPE_GUI_MODELS_SLICE_READER_H_

#include <memory>

#include "gui/models/element_reader.h"
#include "gui/models/tensor_slice.h"

namespace hloscope::gui {

// slice.rows() x slice.columns() elements. Requires a slice of the reader's dimensions.
std::shared_ptr<const ElementReader> SliceReaderOf(std::shared_ptr<const ElementReader> reader,
                                                   const TensorSlice& slice);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_SLICE_READER_H_
