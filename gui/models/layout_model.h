// SPDX-License-Identifier: Apache-2.0
// An array beside its memory: what is where, in pictures of cells.
#ifndef HLOSCOPE_GUI_MODELS_LAYOUT_MODEL_H_
#define HLOSCOPE_GUI_MODELS_LAYOUT_MODEL_H_

#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/layout/physical_layout.h"
#include "core/layout/relayout.h"
#include "gui/models/shape_text.h"
#include "gui/models/tensor_slice.h"

namespace hloscope::gui {

// What is written into the cells.
enum class CellText : uint8_t {
  kIndex,    // (1,2)
  kNumber,   // row-major number
  kLetter,   // a, b, ..., z, aa, ...: as in textbooks
  kAddress,  // where it is
};

// The pictures of one layout: a logical array and its memory, a piece at a time. Cells of the memory are in rows of
// memory_columns().
class LayoutPicture {
 public:
  using Cell = TensorSlice::Cell;

  explicit LayoutPicture(PhysicalLayout layout);

  const PhysicalLayout& layout() const { return layout_; }
  // The row-major number of an element: what it is called in every picture.
  int64_t NumberOf(absl::Span<const int64_t> index) const;
  PhysicalLayout::Index IndexOf(int64_t number) const;

  int64_t memory_columns() const { return memory_columns_; }
  // Two memories side by side are easier to compare in rows of one length.
  void set_memory_columns(int64_t columns) { memory_columns_ = columns; }
  int64_t memory_rows() const;
  // How many elements of a dimension lie in one tile of the outermost level; 1: it is not tiled, or tiles combine
  // dimensions.
  int64_t TileSize(int64_t dimension) const;
  // The size of the dimension with the padding that its last tile needs.
  int64_t PaddedSize(int64_t dimension) const;
  // Cells of one innermost tile; 0 without tiles.
  int64_t tile_cells() const;
  Cell MemoryCell(int64_t address) const { return {address / memory_columns_, address % memory_columns_}; }
  int64_t AddressOf(Cell cell) const { return cell.row * memory_columns_ + cell.column; }

  // The text of the element with this number.
  QString TextOf(int64_t number, CellText text) const;
  // The whole memory of a piece in the order of addresses, with `padding` for padding cells: for small arrays.
  std::vector<QString> MemoryTexts(int64_t piece, CellText text, const QString& padding) const;

 private:
  PhysicalLayout layout_;
  int64_t memory_columns_ = 1;
};

// What a person asks for.
struct LayoutQuestion {
  QString shape;   // "f32[2,3]{0,1:T(2,2)}"
  QString padded;  // widths of the old form of padding: "3,5"; empty: none
  // The other side of a movement; empty: none.
  QString to;
  bool is_transpose = false;
  QString permutation;  // of a transpose
};

struct LayoutAnswer {
  std::optional<LayoutPicture> from, to;
  std::optional<Relayout> relayout;
  QString movement;    // what moves, as sentences
  QString equivalent;  // of padded dimensions: the layout of today
  QString free_shape;  // a layout of the result that would move nothing; empty: none or not needed
  TextProblem shape_problem, padded_problem, to_problem, permutation_problem;

  // True if the element with this number (of `from`) has another address in `to`. Requires `to`.
  bool Moves(int64_t number) const;
  // The number in `to` of an element of `from`, and back.
  int64_t NumberThere(int64_t number) const;
  int64_t NumberHere(int64_t number_there) const;

  std::vector<int64_t> permutation;  // of a transpose; empty: numbers stay
};

LayoutAnswer AnswerLayout(const LayoutQuestion& question);

// The shape with another order of its dimensions; everything else of the layout stays. Requires a permutation.
Shape WithMinorToMajor(const Shape& array, const std::vector<int64_t>& minor_to_major);

// Layouts that are worth a look.
struct LayoutExample {
  const char* title;  // untranslated, of the context "LayoutModel"
  const char* shape;
  const char* padded;
};
absl::Span<const LayoutExample> LayoutExamples();

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_LAYOUT_MODEL_H_
