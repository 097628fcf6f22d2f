// SPDX-License-Identifier: Apache-2.0
// The graph panel's controls.
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QMenu>
#include <QVBoxLayout>
#include <iterator>

#include "gui/models/text.h"
#include "gui/views/graph_pane.h"
#include "gui/views/metrics.h"
#include "gui/views/wrap_layout.h"

namespace hloscope::gui {
namespace {

constexpr int kDefaultDepth = 3;

}  // namespace

void GraphPane::MakeBreadcrumb() {
  breadcrumb_ = new QLabel;
  breadcrumb_->setTextFormat(Qt::RichText);
  breadcrumb_->setContentsMargins(Space::kMargin, Space::kTight, Space::kMargin, 0);
  breadcrumb_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  breadcrumb_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
  connect(breadcrumb_, &QLabel::linkActivated, this, [this](const QString& link) {
    const uint id = link.mid(2).toUInt();
    if (link.startsWith(QLatin1String("i:"))) {
      selection_->SelectInstruction(InstructionId(id));
    } else {
      selection_->SelectComputation(ComputationId(id));
    }
  });
}

void GraphPane::ShowBreadcrumb() {
  const Module& module = selection_->module();
  const UserIndex& users = selection_->document()->users();
  // From the selected computation up: through the caller the user came from if there is one, else through the first.
  QStringList parts;
  ComputationId computation = selection_->computation();
  parts << QStringLiteral("<b>%1</b>").arg(ToQString(module.ComputationName(computation)).toHtmlEscaped());
  constexpr int kMaxParts = 8;
  while (parts.size() < kMaxParts) {
    const absl::Span<const InstructionId> callers = users.callers(computation);
    if (callers.empty()) break;
    InstructionId caller = callers.front();
    for (auto it = entered_.rbegin(); it != entered_.rend(); ++it) {
      if (std::find(callers.begin(), callers.end(), *it) != callers.end()) {
        caller = *it;
        break;
      }
    }
    computation = module.instruction(caller).computation;
    parts.prepend(QStringLiteral("<a href=\"i:%1\">%2</a>")
                      .arg(caller.value)
                      .arg(QStringLiteral("%1 / %2").arg(
                          Elide(ToQString(module.ComputationName(computation)), 28).toHtmlEscaped(),
                          Elide(ToQString(module.InstructionName(caller)), 28).toHtmlEscaped())));
  }
  breadcrumb_->setText(parts.join(QStringLiteral(" &rsaquo; ")));
  breadcrumb_->setToolTip(tr("The way from the entry computation. Click a caller to go back to it."));
  ShowLines();
}

void GraphPane::MakeChoices() {
  auto relayout = [this] {
    force_layout_ = true;
    fresh_ = true;
    open_.Clear();
    FollowSelection();
  };
  scope_ = new QComboBox;
  scope_->addItems({tr("Automatic"), tr("Whole computation"), tr("Around selection"), tr("Groups")});
  scope_->setAccessibleName(tr("Part of the graph"));
  connect(scope_, &QComboBox::currentIndexChanged, this, relayout);
  coloring_ = new QComboBox;
  coloring_->addItems(
      {tr("Operation"), tr("FLOP"), tr("Bytes"), tr("Numbers"), tr("Sharding"), tr("Changes"), tr("Time")});
  coloring_->setAccessibleName(tr("Colours"));
  coloring_->setToolTip(
      tr("What colours mean: the kind of operation, its cost, the bytes it touches, NaNs and infinities in values, how "
         "results are spread over devices, what differs from the version it was compared with, or the time that the "
         "run has measured"));
  connect(coloring_, &QComboBox::currentIndexChanged, this, &GraphPane::UpdateColors);
  depth_ = new QSpinBox;
  depth_->setRange(1, 30);
  depth_->setValue(kDefaultDepth);
  depth_->setAccessibleName(tr("Depth"));
  depth_->setToolTip(tr("Steps along operands and users that are drawn around the selected instruction"));
  depth_caption_ = new QLabel(tr("Depth"));
  connect(depth_, &QSpinBox::valueChanged, this, relayout);
  depth_->hide();
  depth_caption_->hide();
  constants_ = new QCheckBox(tr("Constants"));
  constants_->setChecked(true);
  constants_->setToolTip(tr("Show constants, iotas and broadcasts of them"));
  connect(constants_, &QCheckBox::toggled, this, [this] {
    force_layout_ = true;
    FollowSelection();
  });
}

void GraphPane::MakeSearch() {
  search_ = new QLineEdit;
  search_->setPlaceholderText(tr("Find in graph"));
  search_->setAccessibleName(search_->placeholderText());
  search_->setClearButtonEnabled(true);
  search_->setMinimumWidth(110);
  search_->setMaximumWidth(150);
  search_->setToolTip(tr(
      "A name, opcode, shape or op_name; or opcode:dot, shape:f32[8, op_name:layer_3, source:train.py:12, "
      "attribute:dimensions={1}, has:nan, /pattern/. Enter and the arrows go through what is found, Escape clears."));
  connect(search_, &QLineEdit::textChanged, this, &GraphPane::Find);
  search_->installEventFilter(this);
}

QWidget* GraphPane::MakeToolBar() {
  // In as many rows as a narrow panel needs.
  QWidget* bar = MakeWrapBar();
  for (QWidget* widget :
       {static_cast<QWidget*>(search_), static_cast<QWidget*>(constants_), static_cast<QWidget*>(coloring_),
        static_cast<QWidget*>(scope_), static_cast<QWidget*>(depth_caption_), static_cast<QWidget*>(depth_)}) {
    bar->layout()->addWidget(widget);
  }
  auto add_button = [&](const QString& caption, const QString& tool_tip, auto slot) {
    auto* button = new QToolButton;
    button->setText(caption);
    button->setToolTip(tool_tip);
    button->setAccessibleName(tool_tip);
    button->setAutoRaise(true);
    connect(button, &QToolButton::clicked, canvas_, slot);
    bar->layout()->addWidget(button);
    return button;
  };
  add_button(QString(QChar(0x2212)), tr("Zoom out (-)"), [this] { canvas_->ZoomOut(); });
  add_button(QStringLiteral("+"), tr("Zoom in (+)"), [this] { canvas_->ZoomIn(); });
  QToolButton* fit =
      add_button(tr("Fit"), tr("Show everything (0), and whatever is shown next too until you zoom or move"),
                 [this](bool kept) { canvas_->SetKeptFitted(kept); });
  fit->setObjectName(QStringLiteral("fit"));
  fit->setCheckable(true);
  connect(canvas_, &GraphCanvas::KeptFittedChanged, fit, &QToolButton::setChecked);
  bar->layout()->addWidget(MakeMenuButton());
  bar->layout()->setContentsMargins(Space::kMargin, Space::kTight, Space::kMargin, Space::kTight);
  return bar;
}

QToolButton* GraphPane::MakeMenuButton() {
  auto* more = new QToolButton;
  more->setText(tr("More"));
  more->setAutoRaise(true);
  more->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(more);
  menu->addAction(tr("Export as SVG..."), this, [this] { ChooseExport("svg"); });
  menu->addAction(tr("Export as PNG..."), this, [this] { ChooseExport("png"); });
  menu->addAction(tr("Export as PDF..."), this, [this] { ChooseExport("pdf"); });
  menu->addAction(tr("Export as a page (HTML)..."), this, [this] { ChooseExport("html"); });
  menu->addAction(tr("Export as DOT..."), this, [this] { ChooseExport("dot"); });
  menu->addAction(tr("Copy as Markdown"), this, [this] { QGuiApplication::clipboard()->setText(MarkdownOfGraph()); });
  menu->addSeparator();
  QAction* minimap = menu->addAction(tr("Minimap (M)"));
  minimap->setCheckable(true);
  minimap->setChecked(true);
  connect(minimap, &QAction::triggered, canvas_, &GraphCanvas::SetMinimapShown);
  connect(menu, &QMenu::aboutToShow, minimap, [this, minimap] { minimap->setChecked(canvas_->minimap_shown()); });
  menu->addAction(tr("Lay out again"), this, &GraphPane::LayOutAfresh)
      ->setToolTip(tr("Forget where boxes were before the edits"));
  menu->addAction(tr("Remove marks of paths and searches"), this, &GraphPane::ClearHighlight);
  more->setMenu(menu);
  return more;
}

QLayout* GraphPane::MakeStatusLine() {
  note_ = new QLabel;
  note_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  progress_ = new QProgressBar;
  progress_->setRange(0, 0);
  progress_->setMaximumWidth(140);
  progress_->setMaximumHeight(12);
  progress_->setTextVisible(false);
  cancel_ = new QToolButton;
  cancel_->setText(tr("Abandon"));
  cancel_->setToolTip(tr("Keep the simple layout"));
  connect(cancel_, &QToolButton::clicked, this, [this] {
    layout_->Abandon();
    SetBusy(laying_out());
  });
  auto* status = new QHBoxLayout;
  status->setContentsMargins(Space::kMargin, Space::kTight, Space::kMargin, Space::kTight);
  status->addWidget(note_, 1);
  status->addWidget(progress_);
  status->addWidget(cancel_);
  return status;
}

void GraphPane::BuildControls() {
  MakeBreadcrumb();
  MakeChoices();
  MakeSearch();
  legend_ = new LegendView;
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins({});
  column->setSpacing(Space::kNone);
  column->addWidget(breadcrumb_);
  column->addWidget(MakeToolBar());
  column->addWidget(canvas_, 1);
  column->addWidget(legend_);
  column->addLayout(MakeStatusLine());
  QWidget* const order[] = {search_, constants_, coloring_, scope_, depth_, canvas_};
  for (size_t i = 1; i < std::size(order); ++i) setTabOrder(order[i - 1], order[i]);
  SetBusy(false);
  SetLimits(whole_computation_, graphviz_boxes_);
}

}  // namespace hloscope::gui
