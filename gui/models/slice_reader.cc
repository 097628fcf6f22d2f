// SPDX-License-Identifier: Apache-2.0
#include "gui/models/slice_reader.h"

#include <utility>

namespace hloscope::gui {
namespace {

class SliceReader : public ElementReader {
 public:
  SliceReader(std::shared_ptr<const ElementReader> reader, const TensorSlice& slice)
      : reader_(std::move(reader)), slice_(slice) {
    dimensions_.push_back(slice.rows());
    dimensions_.push_back(slice.columns());
  }
  absl::Span<const int64_t> dimensions() const override { return dimensions_; }
  ElementType element_type() const override { return reader_->element_type(); }
  void Read(absl::Span<const int64_t> begin, int64_t axis, int64_t count, double* out) const override {
    // Where the slice has no such axis, it has one element along it.
    const int64_t along = axis < 0 ? axis : axis == 0 ? slice_.row_axis() : slice_.column_axis();
    reader_->Read(slice_.IndexOf({begin[0], begin[1]}), along < 0 ? -1 : along, count, out);
  }
  std::string TextOf(absl::Span<const int64_t> index) const override {
    return reader_->TextOf(slice_.IndexOf({index[0], index[1]}));
  }

 private:
  std::shared_ptr<const ElementReader> reader_;
  TensorSlice slice_;
  evaluator::DimensionVector dimensions_;
};

}  // namespace

std::shared_ptr<const ElementReader> SliceReaderOf(std::shared_ptr<const ElementReader> reader,
                                                   const TensorSlice& slice) {
  return std::make_shared<SliceReader>(std::move(reader), slice);
}

}  // namespace hloscope::gui
