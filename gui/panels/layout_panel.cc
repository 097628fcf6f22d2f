// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/layout_panel.h"

#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <utility>

#include "gui/models/color_scale.h"
#include "gui/models/text.h"
#include "gui/views/metrics.h"
#include "gui/views/named_widget.h"
#include "gui/views/theme.h"
#include "gui/views/wrap_layout.h"
#include "reports/layout_text.h"

namespace hloscope::gui {
namespace {

constexpr qsizetype kMaxShapeText = 4000;
constexpr int kNarrowLayout = 480;  // pixels, below which pictures are below one another

QWidget* Titled(const QString& title, QWidget* view, QLabel** label = nullptr) {
  auto* side = new QWidget;
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins({});
  column->setSpacing(Space::kTight);
  auto* caption = new QLabel(title);
  column->addWidget(caption);
  column->addWidget(view, 1);
  if (label != nullptr) *label = caption;
  return side;
}

}  // namespace

LayoutPanel::LayoutPanel(Selection* selection, QWidget* parent)
    : QScrollArea(parent),
      selection_(selection),
      examples_(new QComboBox),
      texts_(new QComboBox),
      shape_(new QLineEdit),
      padded_(new QLineEdit),
      padding_value_(new QLineEdit),
      to_(new QLineEdit),
      permutation_(new QLineEdit),
      transpose_(new QCheckBox(tr("Transpose by"))),
      follow_(new QCheckBox(tr("Follow the selection"))),
      order_(new QListWidget),
      faster_(new QToolButton),
      slower_(new QToolButton),
      order_bar_(MakeWrapBar()),
      problem_(new QLabel),
      facts_(new QLabel),
      movement_(new QLabel),
      element_(new QLabel),
      slices_(new SliceBar),
      piece_(new QSpinBox),
      piece_label_(new QLabel(tr("piece"))),
      splitter_(new QSplitter(Qt::Horizontal)),
      array_(new CellGridView),
      memory_(new CellGridView),
      other_memory_(new CellGridView) {
  Build();
  for (QLineEdit* field : {shape_, padded_, padding_value_, to_, permutation_}) {
    connect(field, &QLineEdit::textEdited, this, [this] {
      follow_->setChecked(false);
      ReadFields();
    });
  }
  connect(transpose_, &QCheckBox::clicked, this, &LayoutPanel::ReadFields);
  connect(examples_, &QComboBox::activated, this, [this](int row) {
    if (row == 0) return;
    const LayoutExample& example = LayoutExamples()[static_cast<size_t>(row) - 1];
    follow_->setChecked(false);
    Ask({QString::fromLatin1(example.shape), QString::fromLatin1(example.padded), QString(), false, QString()});
  });
  connect(texts_, &QComboBox::currentIndexChanged, this, &LayoutPanel::ShowGrids);
  piece_->setAccessibleName(tr("Piece of the array"));
  connect(piece_, &QSpinBox::valueChanged, this, [this] {
    if (!setting_) ShowGrids();
  });
  connect(slices_, &SliceBar::SliceChanged, this, &LayoutPanel::ShowArray);
  connect(faster_, &QToolButton::clicked, this, [this] { MoveInOrder(-1); });
  connect(slower_, &QToolButton::clicked, this, [this] { MoveInOrder(1); });
  connect(order_->model(), &QAbstractItemModel::rowsMoved, this, [this] { MoveInOrder(0); });
  const auto watch = [this](CellGridView* view, auto number) {
    connect(view, &CellGridView::Hovered, this, [this, view, number](std::optional<TensorSlice::Cell> cell) {
      Mark(cell ? number(*cell) : -1, view, /*scroll=*/false);
    });
    connect(view, &CellGridView::CurrentChanged, this,
            [this, view, number](TensorSlice::Cell cell) { Mark(number(cell), view, /*scroll=*/true); });
  };
  watch(array_, [this](CellGridView::Cell cell) { return NumberInArray(cell); });
  watch(memory_, [this](CellGridView::Cell cell) { return NumberInMemory(cell, false); });
  watch(other_memory_, [this](CellGridView::Cell cell) { return NumberInMemory(cell, true); });
  if (selection_ != nullptr) {
    connect(selection_, &Selection::Changed, this, &LayoutPanel::FollowSelection);
    connect(follow_, &QCheckBox::clicked, this, &LayoutPanel::FollowSelection);
  }
  follow_->setVisible(selection_ != nullptr);
  follow_->setChecked(selection_ != nullptr);
  Ask({QStringLiteral("f32[3,5]{1,0:T(2,2)}"), QString(), QString(), false, QString()});
  FollowSelection();
}

void LayoutPanel::SetUpShapes() {
  examples_->addItem(tr("Examples"));
  for (const LayoutExample& example : LayoutExamples()) {
    examples_->addItem(QCoreApplication::translate("LayoutModel", example.title));
  }
  for (const QString& text : {tr("Index"), tr("Number"), tr("Letter"), tr("Address")}) texts_->addItem(text);
  NameWidget(examples_, tr("Shapes that are worth a look"));
  NameWidget(texts_, tr("What is written into the cells"));
  NameWidget(shape_, tr("A shape with its layout, as in HLO: f32[2,3]{0,1:T(2,2)}"));
  shape_->setMinimumWidth(230);
  NameWidget(padded_, tr("Width of each dimension with its padding, as old files have it: 3,5"));
  padded_->setPlaceholderText(tr("none"));
  padded_->setFixedWidth(80);
  NameWidget(padding_value_, tr("What the padding holds"));
  padding_value_->setPlaceholderText(tr("unknown"));
  padding_value_->setFixedWidth(74);
  NameWidget(to_, tr("A second shape: what moves on the way to it?"));
  to_->setPlaceholderText(tr("another shape, such as f32[6]{0}"));
  to_->setMinimumWidth(230);
  NameWidget(permutation_, tr("The dimension of the first shape that becomes each one of the second: 1,0"));
  permutation_->setFixedWidth(80);
  transpose_->setToolTip(tr("The second shape is a transpose of the first, not a reshape"));
}

void LayoutPanel::SetUpOrder() {
  order_->setFlow(QListView::LeftToRight);
  order_->setDragDropMode(QAbstractItemView::InternalMove);
  order_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  order_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  order_->setSpacing(Space::kTight);
  NameWidget(order_, tr("Dimensions, the fastest first; drag them, or use the arrows, to change the layout"));
  faster_->setText(QStringLiteral("\u25c0"));
  slower_->setText(QStringLiteral("\u25b6"));
  NameWidget(faster_, tr("The chosen dimension varies faster"));
  NameWidget(slower_, tr("The chosen dimension varies slower"));
  for (QToolButton* button : {faster_, slower_}) button->setFocusPolicy(Qt::TabFocus);
  for (QWidget* widget : {static_cast<QWidget*>(new QLabel(tr("fastest first"))), static_cast<QWidget*>(order_),
                          static_cast<QWidget*>(faster_), static_cast<QWidget*>(slower_),
                          static_cast<QWidget*>(new QLabel(tr("cells show"))), static_cast<QWidget*>(texts_),
                          static_cast<QWidget*>(piece_label_), static_cast<QWidget*>(piece_)}) {
    order_bar_->layout()->addWidget(widget);
  }
  const auto add_zoom = [this](const QString& text, const QString& name, auto change) {
    auto* button = new QToolButton;
    button->setText(text);
    NameWidget(button, name);
    button->setFocusPolicy(Qt::TabFocus);
    connect(button, &QToolButton::clicked, this, [this, change] {
      for (CellGridView* view : {array_, memory_, other_memory_}) change(view);
    });
    order_bar_->layout()->addWidget(button);
  };
  add_zoom(QString(QChar(0x2212)), tr("Smaller cells (-)"), [](CellGridView* view) { view->ZoomOut(); });
  add_zoom(QStringLiteral("+"), tr("Larger cells (+)"), [](CellGridView* view) { view->ZoomIn(); });
  add_zoom(tr("Fit"), tr("All tiles at once (0)"), [](CellGridView* view) { view->FitAll(); });
}

void LayoutPanel::SetUpArrays() {
  array_->setAccessibleName(tr("The array"));
  memory_->setAccessibleName(tr("The memory"));
  other_memory_->setAccessibleName(tr("The memory of the second shape"));
  array_side_ = Titled(tr("The array"), array_);
  memory_side_ = Titled(tr("The memory, in the order of addresses"), memory_);
  other_side_ = Titled(QString(), other_memory_, &other_title_);
  for (QWidget* side : {array_side_, memory_side_, other_side_}) splitter_->addWidget(side);
  splitter_->setChildrenCollapsible(false);
  splitter_->setMinimumHeight(150);
}

void LayoutPanel::Build() {
  SetUpShapes();
  SetUpOrder();
  SetUpArrays();
  for (QLabel* label : {problem_, facts_, movement_, element_}) {
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  }
  element_->setFont(CodeFont());
  facts_->setTextFormat(Qt::RichText);

  auto* top = MakeWrapBar();
  for (QWidget* widget : {static_cast<QWidget*>(examples_), static_cast<QWidget*>(shape_),
                          static_cast<QWidget*>(new QLabel(tr("padded to"))), static_cast<QWidget*>(padded_),
                          static_cast<QWidget*>(new QLabel(tr("with"))), static_cast<QWidget*>(padding_value_),
                          static_cast<QWidget*>(follow_)}) {
    top->layout()->addWidget(widget);
  }
  auto* movement = MakeWrapBar();
  for (QWidget* widget : {static_cast<QWidget*>(new QLabel(tr("moved to"))), static_cast<QWidget*>(to_),
                          static_cast<QWidget*>(transpose_), static_cast<QWidget*>(permutation_)}) {
    movement->layout()->addWidget(widget);
  }

  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->addWidget(top);
  column->addWidget(movement);
  column->addWidget(order_bar_);
  column->addWidget(problem_);
  column->addWidget(slices_);
  column->addWidget(splitter_, 1);
  column->addWidget(element_);
  column->addWidget(movement_);
  column->addWidget(facts_);
  setWidget(content);
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setMinimumSize(260, 120);
}

void LayoutPanel::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  splitter_->setOrientation(width() < kNarrowLayout ? Qt::Vertical : Qt::Horizontal);
}

void LayoutPanel::FollowSelection() {
  if (selection_ == nullptr || !follow_->isChecked() || selection_->document() == nullptr ||
      !selection_->instruction().has_value()) {
    return;
  }
  const Module& module = selection_->module();
  const InstructionId id = selection_->instruction();
  const hloscope::Shape& shape = module.shape(id);  // QFrame has a Shape, too
  if (!shape.IsArray()) return;
  LayoutQuestion question;
  question.shape = ToQString(shape.ToString());
  const Opcode opcode = module.opcode(id);
  const absl::Span<const InstructionId> operands = module.operands(id);
  const bool moves = opcode == Opcode::kReshape || opcode == Opcode::kTranspose || opcode == Opcode::kCopy ||
                     opcode == Opcode::kBitcast;
  if (moves && operands.size() == 1 && operands[0].has_value() && module.shape(operands[0]).IsArray()) {
    question.to = question.shape;
    question.shape = ToQString(module.shape(operands[0]).ToString());
    question.is_transpose = opcode == Opcode::kTranspose;
    if (question.is_transpose) {
      QStringList permutation;
      for (int64_t d : module.IntsAttribute(id, AttributeKind::kDimensions)) permutation << QString::number(d);
      question.permutation = permutation.join(QLatin1Char(','));
    }
  }
  Ask(question);
}

void LayoutPanel::Ask(const LayoutQuestion& question) {
  shape_->setText(question.shape.left(kMaxShapeText));
  padded_->setText(question.padded);
  to_->setText(question.to.left(kMaxShapeText));
  transpose_->setChecked(question.is_transpose);
  permutation_->setText(question.permutation);
  for (QLineEdit* field : {shape_, to_}) field->setCursorPosition(0);
  ReadFields();
}

void LayoutPanel::ReadFields() {
  answer_ = AnswerLayout({shape_->text(), padded_->text(), to_->text(), transpose_->isChecked(), permutation_->text()});
  permutation_->setEnabled(transpose_->isChecked());
  marked_ = -1;
  ShowProblem();
  ShowFacts();
  ShowOrder();
  ShowGrids();
}

void LayoutPanel::ShowProblem() {
  const Theme theme = Theme::For(palette());
  QStringList messages;
  for (const auto& [field, problem] : {std::pair{shape_, &answer_.shape_problem},
                                       {padded_, &answer_.padded_problem},
                                       {to_, &answer_.to_problem},
                                       {permutation_, &answer_.permutation_problem}}) {
    const bool bad = !problem->message.isEmpty();
    QPalette colors = palette();
    if (bad) colors.setColor(QPalette::Text, theme.error);
    field->setPalette(colors);
    if (!bad) continue;
    const QString place = field->text().mid(problem->begin, problem->length).trimmed();
    const bool is_part = !place.isEmpty() && place.size() < field->text().size() && place.size() < 30;
    messages << (is_part ? tr("At `%1`: %2").arg(place, problem->message) : problem->message);
  }
  QPalette colors = palette();
  colors.setColor(QPalette::WindowText, theme.error);
  problem_->setPalette(colors);
  problem_->setText(messages.join(QLatin1Char('\n')));
  problem_->setVisible(!messages.isEmpty());
}

void LayoutPanel::ShowFacts() {
  facts_->setVisible(answer_.from.has_value());
  movement_->setVisible(!answer_.movement.isEmpty());
  QString movement = answer_.movement;
  if (!answer_.free_shape.isEmpty()) movement += tr(" It would be free to %1.").arg(answer_.free_shape);
  movement_->setText(movement);
  if (!answer_.from) return;
  QString rows;
  std::optional<std::string> padding;
  if (!padding_value_->text().isEmpty()) padding = padding_value_->text().toStdString();
  for (const reports::LayoutFact& fact : reports::LayoutFacts(answer_.from->layout(), padding)) {
    rows += QStringLiteral("<tr><td style='padding-right:14px'>%1</td><td>%2</td></tr>")
                .arg(ToQString(fact.name).toHtmlEscaped(), ToQString(fact.value).toHtmlEscaped());
  }
  if (!answer_.equivalent.isEmpty()) {
    rows += QStringLiteral("<tr><td style='padding-right:14px'>%1</td><td>%2</td></tr>")
                .arg(tr("written today"), answer_.equivalent.toHtmlEscaped());
  }
  facts_->setText(QStringLiteral("<table cellspacing='0'>%1</table>").arg(rows));
}

void LayoutPanel::ShowOrder() {
  setting_ = true;
  const int row = order_->currentRow();
  order_->clear();
  if (answer_.from) {
    const hloscope::Shape& shape = answer_.from->layout().shape();
    for (int64_t d : shape.layout().minor_to_major) {
      auto* item = new QListWidgetItem(tr("dim %1 (%2)").arg(d).arg(shape.dimension(d)), order_);
      item->setData(Qt::UserRole, static_cast<qlonglong>(d));
    }
    order_->setCurrentRow(std::clamp(row, 0, std::max(order_->count() - 1, 0)));
  }
  int width = 8;
  for (int i = 0; i < order_->count(); ++i) width += order_->sizeHintForColumn(0) + 8;
  order_->setFixedSize(std::clamp(width, 60, 420), order_->fontMetrics().height() + 16);
  order_bar_->setEnabled(order_->count() > 0);
  setting_ = false;
}

void LayoutPanel::MoveInOrder(int by) {
  if (setting_ || !answer_.from) return;
  const int row = order_->currentRow(), target = row + by;
  if (by != 0) {
    if (row < 0 || target < 0 || target >= order_->count()) return;
    setting_ = true;  // no second answer from rowsMoved
    order_->insertItem(target, order_->takeItem(row));
    order_->setCurrentRow(target);
    setting_ = false;
  }
  std::vector<int64_t> minor_to_major;
  for (int i = 0; i < order_->count(); ++i) minor_to_major.push_back(order_->item(i)->data(Qt::UserRole).toLongLong());
  if (!IsPermutation(minor_to_major, answer_.from->layout().shape().rank())) return;  // half of a drag
  follow_->setChecked(false);
  shape_->setText(ToQString(WithMinorToMajor(answer_.from->layout().shape(), minor_to_major).ToString()));
  // Not while the list tells of its rows.
  QMetaObject::invokeMethod(this, &LayoutPanel::ReadFields, by == 0 ? Qt::QueuedConnection : Qt::DirectConnection);
}

QColor LayoutPanel::ColorOf(int64_t number) const {
  const int64_t count = std::max<int64_t>(answer_.from->layout().element_count(), 2);
  ColorScale scale;
  const QColor map = QColor::fromRgb(scale.MapColor(static_cast<double>(number) / static_cast<double>(count - 1)));
  // Calm enough to read on.
  return Theme::For(palette()).dark ? QColor::fromHslF(std::max(map.hslHueF(), 0.0F), 0.4F, 0.3F)
                                    : QColor::fromHslF(std::max(map.hslHueF(), 0.0F), 0.55F, 0.84F);
}

int64_t LayoutPanel::NumberInArray(CellGridView::Cell cell) const {
  const TensorSlice& slice = slices_->slice();
  if (!answer_.from || cell.row >= slice.rows() || cell.column >= slice.columns()) return -1;
  return answer_.from->NumberOf(slice.IndexOf(cell));
}

int64_t LayoutPanel::NumberInMemory(CellGridView::Cell cell, bool is_other) const {
  const std::optional<LayoutPicture>& picture = is_other ? answer_.to : answer_.from;
  if (!picture) return -1;
  const int64_t address = picture->AddressOf(cell);
  if (address >= picture->layout().cell_count()) return -1;
  const int64_t piece = std::min<int64_t>(piece_->value(), picture->layout().piece_count() - 1);
  const auto index = picture->layout().IndexAt({piece, address});
  if (!index) return -1;
  const int64_t number = picture->NumberOf(*index);
  return is_other ? answer_.NumberHere(number) : number;
}

CellGridView::Grid LayoutPanel::MemoryGrid(const LayoutPicture& picture, bool is_other) {
  CellGridView::Grid grid;
  const int64_t cells = picture.layout().cell_count();
  grid.rows = cells == 0 ? 0 : picture.memory_rows();
  grid.columns = picture.memory_columns();
  grid.last_row_columns = cells % grid.columns;
  const int64_t tile = picture.tile_cells();
  if (tile > 1 && tile < grid.columns && grid.columns % tile == 0) grid.columns_in_block = tile;
  if (tile >= grid.columns && tile % grid.columns == 0 && tile < cells) grid.rows_in_block = tile / grid.columns;
  grid.row_title = [columns = grid.columns](int64_t row) { return QString::number(row * columns); };
  const QString padding = padding_value_->text();
  grid.look = [this, &picture, is_other, padding](CellGridView::Cell cell) -> CellGridView::Look {
    const int64_t number = NumberInMemory(cell, is_other);
    if (number < 0) return {padding, QColor(), true};
    const LayoutPicture& from = *answer_.from;
    // Of the second memory the same names, so that the eye can follow them.
    const QString text = is_other && cell_text() == CellText::kAddress
                             ? picture.TextOf(answer_.NumberThere(number), CellText::kAddress)
                             : from.TextOf(number, cell_text());
    return {text, ColorOf(number), false};
  };
  grid.tool_tip = [this, &picture, is_other](CellGridView::Cell cell) {
    const int64_t address = picture.AddressOf(cell), number = NumberInMemory(cell, is_other);
    const int64_t bit = address * picture.layout().element_bits();
    const QString place = bit % 8 == 0 ? tr("cell %1, byte %2").arg(address).arg(bit / 8)
                                       : tr("cell %1, byte %2, bit %3").arg(address).arg(bit / 8).arg(bit % 8);
    if (number < 0) return tr("padding: %1").arg(place);
    return tr("element %1: %2").arg(answer_.from->TextOf(number, CellText::kIndex), place);
  };
  return grid;
}

void LayoutPanel::ShowArray() {
  if (!answer_.from) {
    array_->SetGrid({});
    array_->SetEmptyText(tr("Type a shape such as f32[2,3]{0,1}."));
    return;
  }
  const TensorSlice& slice = slices_->slice();
  CellGridView::Grid grid;
  grid.rows = slice.rows();
  grid.columns = slice.columns();
  // Tiles, and what fills the last ones up.
  const LayoutPicture& picture = *answer_.from;
  const auto tile_along = [&](int64_t axis, int64_t* cells, int64_t* block) {
    if (axis == TensorSlice::kNoAxis || *cells == 0) return;
    *cells = picture.PaddedSize(axis);
    const int64_t tile = picture.TileSize(axis);
    if (tile > 1 && tile < *cells) *block = tile;
  };
  tile_along(slice.row_axis(), &grid.rows, &grid.rows_in_block);
  tile_along(slice.column_axis(), &grid.columns, &grid.columns_in_block);
  grid.row_title = [](int64_t row) { return QString::number(row); };
  grid.column_title = [](int64_t column) { return QString::number(column); };
  grid.look = [this](CellGridView::Cell cell) -> CellGridView::Look {
    const int64_t number = NumberInArray(cell);
    if (number < 0) return {padding_value_->text(), QColor(), true};
    return {answer_.from->TextOf(number, cell_text()), ColorOf(number), false};
  };
  grid.tool_tip = [this](CellGridView::Cell cell) {
    const int64_t number = NumberInArray(cell);
    if (number < 0) return tr("padding: the last tile is not full");
    return tr("element %1 is in cell %2")
        .arg(answer_.from->TextOf(number, CellText::kIndex), answer_.from->TextOf(number, CellText::kAddress));
  };
  array_->SetEmptyText(tr("The array has no elements."));
  array_->SetGrid(std::move(grid));
  Mark(marked_, nullptr, false);
}

void LayoutPanel::ShowGrids() {
  other_side_->setVisible(answer_.to.has_value());
  element_->clear();
  if (!answer_.from) {
    slices_->SetSlice(TensorSlice(std::array{int64_t{0}}));
    memory_->SetGrid({});
    memory_->SetEmptyText(QString());
    piece_->hide();
    piece_label_->hide();
    return ShowArray();
  }
  const PhysicalLayout& layout = answer_.from->layout();
  if (slices_->slice().dimensions() !=
      evaluator::DimensionVector(layout.shape().dimensions().begin(), layout.shape().dimensions().end())) {
    TensorSlice slice(layout.shape().dimensions());
    // A vector lies flat, as its memory does.
    if (slice.rank() == 1) slice.SwapAxes();
    slices_->SetSlice(slice);
  }
  setting_ = true;
  piece_->setRange(0, static_cast<int>(std::min<int64_t>(layout.piece_count() - 1, 1'000'000)));
  setting_ = false;
  piece_->setVisible(layout.piece_count() > 1);
  piece_label_->setVisible(layout.piece_count() > 1);
  const QString widest = layout.element_count() > 0
                             ? answer_.from->TextOf(layout.element_count() - 1,
                                                    cell_text() == CellText::kAddress ? CellText::kNumber : cell_text())
                             : QString();
  const QString longest = cell_text() == CellText::kAddress ? QString::number(layout.cell_count()) : widest;
  for (CellGridView* view : {array_, memory_, other_memory_}) view->SetWidestText(longest);
  memory_->SetGrid(MemoryGrid(*answer_.from, false));
  if (answer_.to) {
    other_memory_->SetGrid(MemoryGrid(*answer_.to, true));
    other_title_->setText(tr("Afterwards; framed elements have moved"));
  } else {
    other_memory_->SetGrid({});
  }
  ShowArray();
}

void LayoutPanel::Mark(int64_t number, const CellGridView* from, bool scroll) {
  marked_ = number;
  using MarkKind = CellGridView::Mark;
  array_->SetMarks([this](CellGridView::Cell cell) {
    return marked_ >= 0 && NumberInArray(cell) == marked_ ? MarkKind::kResult : MarkKind::kNone;
  });
  memory_->SetMarks([this](CellGridView::Cell cell) {
    return marked_ >= 0 && NumberInMemory(cell, false) == marked_ ? MarkKind::kResult : MarkKind::kNone;
  });
  other_memory_->SetMarks([this](CellGridView::Cell cell) {
    const int64_t here = NumberInMemory(cell, true);
    if (here < 0) return MarkKind::kNone;
    if (here == marked_) return MarkKind::kResult;
    return answer_.Moves(here) ? MarkKind::kMoved : MarkKind::kNone;
  });
  if (number < 0 || !answer_.from) {
    element_->clear();
    return;
  }
  const LayoutPicture& picture = *answer_.from;
  const PhysicalLayout::Place place = picture.layout().PlaceOf(picture.IndexOf(number));
  QString text = tr("element %1 in cell %2")
                     .arg(picture.TextOf(number, CellText::kIndex), picture.TextOf(number, CellText::kAddress));
  if (answer_.to) {
    const int64_t there = answer_.NumberThere(number);
    text += tr(", afterwards element %1 in cell %2")
                .arg(answer_.to->TextOf(there, CellText::kIndex), answer_.to->TextOf(there, CellText::kAddress));
  }
  element_->setText(text);
  if (!scroll) return;
  if (from != array_) {
    TensorSlice slice = slices_->slice();
    const PhysicalLayout::Index index = picture.IndexOf(number);
    const TensorSlice::Cell cell = slice.Reveal(index);
    if (!(slice == slices_->slice())) {
      slices_->SetSlice(slice);
      ShowArray();
    }
    array_->SetCurrent(cell);
  }
  if (from != memory_) {
    if (picture.layout().piece_count() > 1) piece_->setValue(static_cast<int>(place.piece));
    memory_->SetCurrent(picture.MemoryCell(place.address));
  }
  if (answer_.to && from != other_memory_) {
    const auto there = answer_.to->layout().PlaceOf(answer_.to->IndexOf(answer_.NumberThere(number)));
    other_memory_->SetCurrent(answer_.to->MemoryCell(there.address));
  }
}

}  // namespace hloscope::gui
