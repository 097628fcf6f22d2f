// SPDX-License-Identifier: Apache-2.0
#include "gui/models/layout_model.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <utility>

#include "gui/models/plurals.h"
#include "gui/models/text.h"
#include "reports/layout_text.h"

namespace hloscope::gui {
namespace {

struct LayoutModelText {
  Q_DECLARE_TR_FUNCTIONS(LayoutModel)
};

constexpr int64_t kMostColumns = 16;  // of a picture of the memory
constexpr int64_t kFewColumns = 8;    // shorter runs share a row
// Of more cells, nobody reads the texts: they are drawn small, in wide rows.
constexpr int64_t kMostCellsWithTexts = 4096;
constexpr int64_t kWideColumns = 128;

// Rows end where runs of the most minor dimension end, if that is not too wide.
int64_t MemoryColumns(const PhysicalLayout& layout) {
  const absl::Span<const int64_t> stored = layout.stored_dimensions();
  const int64_t run = stored.empty() ? 1 : std::max<int64_t>(stored.back(), 1);
  int64_t cells = 1;
  for (int64_t size : stored) cells *= std::max<int64_t>(size, 1);
  if (cells > kMostCellsWithTexts && run % kWideColumns == 0) return kWideColumns;
  if (run <= kMostColumns) return run * std::max<int64_t>(1, kFewColumns / run);
  for (int64_t columns = kMostColumns; columns > kFewColumns; --columns) {
    if (run % columns == 0) return columns;
  }
  return kMostColumns;
}

TextProblem Whole(const QString& text, const QString& message) { return {message, 0, static_cast<int>(text.size())}; }

std::optional<LayoutPicture> PictureOf(const QString& text, const PaddedDimensions& padded, TextProblem* problem,
                                       TextProblem* padded_problem) {
  const std::optional<Shape> shape = ReadTypedArray(text, problem);
  if (!shape) return std::nullopt;
  absl::StatusOr<PhysicalLayout> layout = PhysicalLayout::Of(*shape, padded);
  if (layout.ok()) return LayoutPicture(*std::move(layout));
  // Widths are to blame if the shape is good without them.
  const QString message = ToQString(layout.status().message());
  if (!padded.widths.empty() && PhysicalLayout::Of(*shape).ok()) {
    *padded_problem = Whole(QStringLiteral(" "), message);
  } else {
    *problem = Whole(text, message);
  }
  return std::nullopt;
}

QString MovementText(const LayoutAnswer& answer, bool is_transpose) {
  const Relayout& relayout = *answer.relayout;
  const PhysicalLayout &from = answer.from->layout(), &to = answer.to->layout();
  const QString what = is_transpose                                           ? LayoutModelText::tr("transpose")
                       : from.shape().dimensions() == to.shape().dimensions() ? LayoutModelText::tr("copy")
                                                                              : LayoutModelText::tr("reshape");
  QStringList parts;
  if (relayout.is_free) {
    parts << LayoutModelText::tr("The %1 is free: every element keeps its address.").arg(what);
  } else {
    parts << LayoutModelText::tr("The %1 is not free: %2.").arg(what, ToQString(relayout.reason));
    if (relayout.moved_elements) {
      parts << LayoutModelText::tr("%1 of %2 element(s) move(s|).", nullptr, ForPlural(to.element_count()))
                   .arg(FormatCount(*relayout.moved_elements), FormatCount(to.element_count()));
    }
    QString bytes = LayoutModelText::tr("%1 are read and written").arg(FormatBytes(relayout.bytes_moved));
    if (relayout.least_bytes_moved)
      bytes += LayoutModelText::tr(", at least %1").arg(FormatBytes(*relayout.least_bytes_moved));
    parts << bytes + QStringLiteral(".");
  }
  if (!is_transpose) {
    parts << (IsValidBitcast(from, to) ? LayoutModelText::tr("A bitcast may turn one buffer into the other.")
                                       : LayoutModelText::tr("No bitcast: the buffers differ in size."));
  }
  return parts.join(QLatin1Char(' '));
}

}  // namespace

LayoutPicture::LayoutPicture(PhysicalLayout layout)
    : layout_(std::move(layout)), memory_columns_(MemoryColumns(layout_)) {}

int64_t LayoutPicture::NumberOf(absl::Span<const int64_t> index) const {
  int64_t number = 0;
  for (size_t d = 0; d < index.size(); ++d) number = number * layout_.shape().dimensions()[d] + index[d];
  return number;
}

PhysicalLayout::Index LayoutPicture::IndexOf(int64_t number) const {
  const absl::Span<const int64_t> sizes = layout_.shape().dimensions();
  PhysicalLayout::Index index(sizes.size(), 0);
  for (size_t d = sizes.size(); d-- > 0;) {
    index[d] = number % std::max<int64_t>(sizes[d], 1);
    number /= std::max<int64_t>(sizes[d], 1);
  }
  return index;
}

int64_t LayoutPicture::TileSize(int64_t dimension) const {
  const auto units = layout_.DigitUnits();
  if (!units.has_value() || (*units)[static_cast<size_t>(dimension)].empty()) return 1;
  return std::max<int64_t>(1, (*units)[static_cast<size_t>(dimension)].back());
}

int64_t LayoutPicture::PaddedSize(int64_t dimension) const {
  const int64_t size = layout_.shape().dimension(dimension), tile = TileSize(dimension);
  return (size + tile - 1) / tile * tile;
}

int64_t LayoutPicture::memory_rows() const { return (layout_.cell_count() + memory_columns_ - 1) / memory_columns_; }

int64_t LayoutPicture::tile_cells() const { return reports::InnermostTileCells(layout_); }

QString LayoutPicture::TextOf(int64_t number, CellText text) const {
  switch (text) {
    case CellText::kIndex: {
      QStringList parts;
      for (int64_t i : IndexOf(number)) parts << QString::number(i);
      return QStringLiteral("(%1)").arg(parts.join(QLatin1Char(',')));
    }
    case CellText::kNumber:
      return QString::number(number);
    case CellText::kLetter: {
      QString letters;
      for (int64_t rest = number; rest >= 0; rest = rest / 26 - 1) {
        letters.prepend(QLatin1Char(static_cast<char>('a' + rest % 26)));
      }
      return letters;
    }
    case CellText::kAddress: {
      const PhysicalLayout::Place place = layout_.PlaceOf(IndexOf(number));
      return layout_.piece_count() > 1 ? QStringLiteral("%1:%2").arg(place.piece).arg(place.address)
                                       : QString::number(place.address);
    }
  }
  return QString();
}

std::vector<QString> LayoutPicture::MemoryTexts(int64_t piece, CellText text, const QString& padding) const {
  std::vector<QString> texts;
  for (int64_t address = 0; address < layout_.cell_count(); ++address) {
    const auto index = layout_.IndexAt({piece, address});
    texts.push_back(index ? TextOf(NumberOf(*index), text) : padding);
  }
  return texts;
}

bool LayoutAnswer::Moves(int64_t number) const {
  return !(from->layout().PlaceOf(from->IndexOf(number)) == to->layout().PlaceOf(to->IndexOf(NumberThere(number))));
}

int64_t LayoutAnswer::NumberThere(int64_t number) const {
  if (permutation.empty()) return number;
  const PhysicalLayout::Index index = from->IndexOf(number);
  PhysicalLayout::Index there(index.size(), 0);
  for (size_t k = 0; k < permutation.size(); ++k) there[k] = index[static_cast<size_t>(permutation[k])];
  return to->NumberOf(there);
}

int64_t LayoutAnswer::NumberHere(int64_t number_there) const {
  if (permutation.empty()) return number_there;
  const PhysicalLayout::Index there = to->IndexOf(number_there);
  PhysicalLayout::Index index(there.size(), 0);
  for (size_t k = 0; k < permutation.size(); ++k) index[static_cast<size_t>(permutation[k])] = there[k];
  return from->NumberOf(index);
}

LayoutAnswer AnswerLayout(const LayoutQuestion& question) {
  LayoutAnswer answer;
  PaddedDimensions padded;
  if (const auto widths = ReadTypedList(question.padded, &answer.padded_problem)) padded.widths = *widths;
  answer.from = PictureOf(question.shape, padded, &answer.shape_problem, &answer.padded_problem);
  if (!answer.padded_problem.message.isEmpty() && answer.padded_problem.length <= 1) {
    answer.padded_problem.length = static_cast<int>(question.padded.size());
  }
  if (answer.from && !padded.widths.empty()) {
    Shape today = answer.from->layout().shape();
    today.set_layout(TiledEquivalent(today, padded));
    answer.equivalent = ToQString(today.ToString());
  }
  if (question.to.trimmed().isEmpty()) return answer;
  TextProblem unused;
  answer.to = PictureOf(question.to, {}, &answer.to_problem, &unused);
  if (!answer.from || !answer.to) return answer;
  const PhysicalLayout &from = answer.from->layout(), &to = answer.to->layout();
  absl::StatusOr<Relayout> relayout;
  if (question.is_transpose) {
    const auto permutation = ReadTypedList(question.permutation, &answer.permutation_problem);
    if (!permutation) {
      answer.to.reset();
      return answer;
    }
    relayout = TransposeCost(from, to, *permutation);
    if (relayout.ok()) answer.permutation = *permutation;
  } else {
    relayout = ReshapeCost(from, to);
  }
  if (!relayout.ok()) {
    const QString message = ToQString(relayout.status().message());
    if (question.is_transpose && !IsPermutation(*ReadTypedList(question.permutation, &unused), from.shape().rank())) {
      answer.permutation_problem = Whole(question.permutation, message);
    } else {
      answer.to_problem = Whole(question.to, message);
    }
    answer.to.reset();
    return answer;
  }
  answer.relayout = *std::move(relayout);
  if (answer.to->tile_cells() == 0 && answer.from->tile_cells() == 0) {
    answer.to->set_memory_columns(answer.from->memory_columns());
  }
  answer.movement = MovementText(answer, question.is_transpose);
  const std::optional<Layout> best = question.is_transpose ? LayoutOfFreeTranspose(from.shape(), answer.permutation)
                                                           : LayoutOfFreeReshape(from.shape(), to.shape().dimensions());
  if (!answer.relayout->is_free && best && from.shape().element_type() == to.shape().element_type()) {
    Shape free = to.shape();
    free.set_layout(*best);
    answer.free_shape = ToQString(free.ToString());
  }
  return answer;
}

Shape WithMinorToMajor(const Shape& array, const std::vector<int64_t>& minor_to_major) {
  Layout layout = array.has_layout() ? array.layout() : Layout::RowMajor(array.rank());
  layout.minor_to_major = minor_to_major;
  Shape shape = array;
  shape.set_layout(std::move(layout));
  return shape;
}

absl::Span<const LayoutExample> LayoutExamples() {
  static constexpr LayoutExample kExamples[] = {
      {QT_TRANSLATE_NOOP("LayoutModel", "Column-major"), "f32[2,3]{0,1}", ""},
      {QT_TRANSLATE_NOOP("LayoutModel", "Padded to [3,5] (old form)"), "f32[2,3]{0,1}", "3,5"},
      {QT_TRANSLATE_NOOP("LayoutModel", "Tiled by (2,2)"), "f32[3,5]{1,0:T(2,2)}", ""},
      {QT_TRANSLATE_NOOP("LayoutModel", "bf16 packed in pairs"), "bf16[10,200]{1,0:T(8,128)(2,1)}", ""},
      {QT_TRANSLATE_NOOP("LayoutModel", "4-bit elements"), "s4[6]{0:E(4)}", ""},
      {QT_TRANSLATE_NOOP("LayoutModel", "Combined dimensions"), "f32[3,2,6,5,4]{4,3,2,1,0:T(*,*,4,*,8)}", ""},
      {QT_TRANSLATE_NOOP("LayoutModel", "A column in tiles: mostly waste"), "f32[1024,1]{1,0:T(8,128)}", ""},
  };
  return kExamples;
}

}  // namespace hloscope::gui
