// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/diagnostics_panel.h"

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/panels/row_delegate.h"
#include "gui/views/theme.h"

namespace hloscope::gui {
namespace {

// With more problems than these, lines are of one height: nobody waits until all are measured.
constexpr int kMostWrapped = 200;
// Lists that are as high as what is in them are no higher than these rows.
constexpr int kMostRowsOfHint = 5;
constexpr int kMostLinesOfMessage = 4;

// Messages in as many lines as they need, since what went wrong is at their ends.
class ProblemDelegate : public RowDelegate {
 public:
  explicit ProblemDelegate(QTreeView* list) : RowDelegate(list), list_(list) {}

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const QSize one = RowDelegate::sizeHint(option, index);
    if (list_->uniformRowHeights() || index.column() != DiagnosticsModel::kMessage) return one;
    const int margin = 2 * (list_->style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, list_) + 1);
    const QFontMetrics metrics(option.font);
    const QRect room(0, 0, list_->columnWidth(DiagnosticsModel::kMessage) - margin, 10'000);
    const int wrapped = metrics.boundingRect(room, Qt::TextWordWrap, index.data().toString()).height();
    const int extra = std::clamp(wrapped / metrics.lineSpacing(), 1, kMostLinesOfMessage) - 1;
    return one + QSize(0, extra * metrics.lineSpacing());
  }

 private:
  QTreeView* list_;
};

}  // namespace

DiagnosticsPanel::DiagnosticsPanel(Selection* selection, QWidget* parent)
    : QWidget(parent), selection_(selection), model_(new DiagnosticsModel(this)), list_(new QTreeView) {
  list_->setAccessibleName(tr("Problems"));
  list_->setModel(model_);
  list_->setItemDelegate(new ProblemDelegate(list_));
  list_->setRootIsDecorated(false);
  list_->setWordWrap(true);
  auto* measuring = new QTimer(this);
  measuring->setSingleShot(true);
  measuring->setInterval(0);
  connect(measuring, &QTimer::timeout, list_, &QTreeView::doItemsLayout);
  connect(list_->header(), &QHeaderView::sectionResized, measuring, [measuring] { measuring->start(); });
  const auto measure = [this, measuring] {
    list_->setUniformRowHeights(model_->rowCount() > kMostWrapped);
    measuring->start();
  };
  connect(model_, &QAbstractItemModel::modelReset, this, measure);
  connect(model_, &QAbstractItemModel::rowsInserted, this, measure);
  list_->setAlternatingRowColors(true);
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(DiagnosticsModel::kMessage, QHeaderView::Stretch);
  for (const int narrow : {DiagnosticsModel::kSeverity, DiagnosticsModel::kPlace, DiagnosticsModel::kCode}) {
    list_->header()->setSectionResizeMode(narrow, QHeaderView::ResizeToContents);
  }
  TakeColors();
  list_->setContextMenuPolicy(Qt::ActionsContextMenu);
  auto* copy = new QAction(tr("Copy as Markdown"), list_);
  connect(copy, &QAction::triggered, this, [this] {
    if (list_->currentIndex().isValid()) {
      QGuiApplication::clipboard()->setText(model_->MarkdownOf(list_->currentIndex().row()));
    }
  });
  list_->addAction(copy);
  auto* column = new QVBoxLayout(this);
  column->addWidget(list_);
  connect(list_, &QTreeView::clicked, this, &DiagnosticsPanel::Follow);
  connect(list_, &QTreeView::activated, this, &DiagnosticsPanel::Follow);
  connect(selection_, &Selection::DocumentChanged, this, [this] { model_->SetDocument(selection_->document()); });
}

void DiagnosticsPanel::TakeColors() {
  const Theme theme = Theme::For(palette());
  model_->SetColors(theme.error, theme.warning);
}

void DiagnosticsPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) TakeColors();
}

int DiagnosticsPanel::HeightOfRows() const {
  QStyleOptionViewItem option;
  option.initFrom(list_);
  option.font = list_->font();
  int rows = 0;
  for (int i = 0; i < std::min(model_->rowCount(), kMostRowsOfHint); ++i) {
    rows += list_->itemDelegate()->sizeHint(option, model_->index(i, DiagnosticsModel::kMessage)).height();
  }
  const QMargins around = layout()->contentsMargins();
  return list_->header()->sizeHint().height() + rows + 2 * list_->frameWidth() + around.top() + around.bottom();
}

void DiagnosticsPanel::Follow(const QModelIndex& index) {
  const std::optional<SourceRange> range = model_->RangeAt(index.row());
  if (range.has_value()) selection_->RevealRange(*range);
}

}  // namespace hloscope::gui
