// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/tensor_panel.h"

#include <QAbstractItemView>
#include <QBuffer>
#include <QClipboard>
#include <QFile>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QPointer>
#include <QVBoxLayout>
#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "evaluator/tensor/npy.h"
#include "gui/models/markdown.h"
#include "gui/models/plurals.h"
#include "gui/models/tensor_export.h"
#include "gui/models/text.h"
#include "gui/models/whole_file.h"
#include "gui/panels/panel_commands.h"
#include "gui/panels/row_delegate.h"
#include "gui/views/metrics.h"
#include "gui/views/panel_page.h"
#include "gui/views/picture_export.h"
#include "gui/views/theme.h"
#include "gui/views/wrap_layout.h"
#include "insight/html/html_report.h"
#include "reports/tensor_page.h"

namespace hloscope::gui {
namespace {

constexpr size_t kMaxLeaves = 500;
constexpr size_t kMaxOperandSources = 20;
constexpr int kNameListWidth = 260;  // the boxes are narrower

}  // namespace

TensorPanel::TensorPanel(Selection* selection, SessionController* session, QWidget* parent)
    : QScrollArea(parent),
      selection_(selection),
      session_(session),
      source_box_(new QComboBox),
      leaf_box_(new QComboBox),
      compare_box_(new QComboBox),
      pin_(new QToolButton),
      export_(new QToolButton),
      side_by_side_(new QToolButton),
      again_(new QToolButton),
      link_(new QCheckBox(tr("Linked"))),
      heading_(new QLabel),
      message_(new QLabel),
      file_label_(new QLabel),
      answer_label_(new QLabel),
      tabs_(new QTabWidget),
      values_(new ValuesBeside),
      view_(new TensorView),
      element_bar_(MakeWrapBar()),
      answer_list_(new QTreeWidget),
      file_task_(new BackgroundTask(this)),
      shown_(1) {
  Build();
  connect(source_box_, &QComboBox::currentIndexChanged, this, [this](int number) {
    if (refreshing_) return;
    recall_problem_.clear();
    ShowSource(number);
  });
  connect(leaf_box_, &QComboBox::currentIndexChanged, this, [this](int number) {
    if (!refreshing_) ShowLeaf(number);
  });
  connect(compare_box_, &QComboBox::activated, this, &TensorPanel::Compare);
  connect(pin_, &QToolButton::clicked, this, &TensorPanel::Pin);
  connect(again_, &QToolButton::clicked, this, [this] {
    recall_problem_.clear();
    ShowSource(source_box_->currentIndex());
  });
  connect(tabs_, &QTabWidget::tabCloseRequested, this, [this](int tab) {
    if (tab == 0) return;
    QWidget* page = tabs_->widget(tab);
    shown_.erase(shown_.begin() + tab);
    tabs_->removeTab(tab);
    page->deleteLater();
    FillCompareBox();
    ShowBeside();
  });
  connect(tabs_, &QTabWidget::currentChanged, this, [this] {
    ShowAnswer({});
    FillCompareBox();
  });
  connect(link_, &QCheckBox::toggled, this, [this](bool linked) {
    if (linked) LinkFrom(front());
  });
  connect(answer_list_, &QTreeWidget::itemClicked, answer_list_, &QTreeWidget::itemActivated);
  connect(answer_list_, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
    const int row = answer_list_->indexOfTopLevelItem(item);
    if (row < 0 || static_cast<size_t>(row) >= answer_rows_.size()) return;
    const ElementRow chosen = answer_rows_[static_cast<size_t>(row)];
    tabs_->setCurrentIndex(0);
    selection_->SelectInstruction(chosen.instruction);
    for (size_t leaf = 0; leaf < leaves_.size(); ++leaf) {
      if (leaves_[leaf].numbers == chosen.place.path) leaf_box_->setCurrentIndex(static_cast<int>(leaf));
    }
    const evaluator::DimensionVector index(chosen.place.index.begin(), chosen.place.index.end());
    if (index.size() == view_->slice().dimensions().size()) view_->Reveal(index);
  });
  Watch(view_);
  const auto refresh_all = [this] {
    recall_problem_.clear();
    Refresh();
  };
  connect(selection_, &Selection::Changed, this, refresh_all);
  connect(session_, &SessionController::Stopped, this, refresh_all);
  connect(session_, &SessionController::StateChanged, this, [this] {
    if (waiting_ && !session_->busy()) Refresh();
  });
  connect(session_, &SessionController::Recalled, this, [this](InstructionId instruction, const QString& problem) {
    const int number = source_box_->currentIndex();
    if (number < 0 || static_cast<size_t>(number) >= sources_.size()) return;
    if (sources_[static_cast<size_t>(number)].instruction == instruction) recall_problem_ = problem;
    ShowSource(number);
  });
  Refresh();
}

void TensorPanel::SetUpControls() {
  source_box_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  source_box_->setToolTip(tr("Which value is shown"));
  leaf_box_->setToolTip(tr("Element of the tuple"));
  leaf_box_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  leaf_box_->setMinimumContentsLength(14);
  compare_box_->setToolTip(tr("Compare with an operand, a pinned value or a file"));
  compare_box_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  compare_box_->view()->setMinimumWidth(kNameListWidth);
  source_box_->view()->setMinimumWidth(kNameListWidth);
  for (QComboBox* box : {source_box_, leaf_box_, compare_box_}) box->setAccessibleName(box->toolTip());
  pin_->setText(tr("Pin"));
  pin_->setToolTip(tr("Keep this value in a tab of its own while the run goes on"));
  export_->setText(tr("Export"));
  export_->setToolTip(tr("Write the value to a file"));
  export_->setPopupMode(QToolButton::InstantPopup);
  again_->setText(tr("Compute Again"));
  again_->setToolTip(tr("Compute the value that was dropped"));
  again_->hide();
  for (QToolButton* button : {pin_, export_, again_}) {
    button->setFocusPolicy(Qt::TabFocus);
    button->setAccessibleName(button->text());
  }
  auto* menu = new QMenu(export_);
  menu->addAction(tr("Value as .npy..."), this, [this] { ChooseExport(QStringLiteral(".npy"), tr("NumPy (*.npy)")); });
  menu->addAction(tr("Slice as CSV..."), this, [this] { ChooseExport(QStringLiteral(".csv"), tr("Text (*.csv)")); });
  menu->addAction(tr("Picture as SVG..."), this,
                  [this] { ChooseExport(QStringLiteral(".svg"), tr("Drawings (*.svg)")); });
  menu->addAction(tr("Picture as PDF..."), this,
                  [this] { ChooseExport(QStringLiteral(".pdf"), tr("Drawings (*.pdf)")); });
  menu->addAction(tr("Picture as PNG..."), this,
                  [this] { ChooseExport(QStringLiteral(".png"), tr("Images (*.png)")); });
  menu->addAction(tr("View as HTML..."), this, [this] { ChooseExport(QStringLiteral(".html"), tr("Pages (*.html)")); });
  menu->addSeparator();
  menu->addAction(tr("Copy as Markdown"), this, [this] { QGuiApplication::clipboard()->setText(MarkdownOfShown()); });
  export_->setMenu(menu);
  link_->setToolTip(tr("The tabs show the same slice at the same zoom"));
  link_->setChecked(true);
  link_->hide();
}

void TensorPanel::SetUpLabels() {
  heading_->setFont(HeadingFont());
  heading_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  heading_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  message_->setWordWrap(true);
  message_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  file_label_->setWordWrap(true);
  file_label_->hide();
  answer_label_->setWordWrap(true);
  answer_label_->hide();
}

void TensorPanel::SetUpTabs() {
  tabs_->setDocumentMode(true);
  tabs_->setTabsClosable(true);
  tabs_->setTabBarAutoHide(true);
  tabs_->setElideMode(Qt::ElideMiddle);
  tabs_->setAccessibleName(tr("Values"));
  tabs_->addTab(view_, tr("Now"));
  // The tab that follows the run stays.
  tabs_->tabBar()->setTabButton(0, QTabBar::RightSide, nullptr);
  tabs_->tabBar()->setTabButton(0, QTabBar::LeftSide, nullptr);
}

void TensorPanel::SetUpQuestions() {
  const auto add_question = [this](const char* name, const QString& text, const QString& tip, auto ask) {
    auto* button = new QToolButton;
    button->setObjectName(QLatin1String(name));
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(text);
    button->setFocusPolicy(Qt::TabFocus);
    connect(button, &QToolButton::clicked, this, ask);
    element_bar_->layout()->addWidget(button);
  };
  add_question("why", tr("Why?"), tr("The elements that this element was computed from"), [this] { AskWhy(); });
  add_question("origin", tr("Origin"), tr("The way of a NaN or an infinity back to where it was made"),
               [this] { AskDebugger(PastQuestion::kOrigin); });
  add_question("history", tr("History"), tr("What this element was worth whenever it was computed"),
               [this] { AskDebugger(PastQuestion::kHistory); });
  element_bar_->layout()->addWidget(pin_);
  element_bar_->layout()->addWidget(export_);
  answer_list_->setHeaderLabels({tr("Element"), tr("Value"), tr("Operation"), tr("Where")});
  answer_list_->setRootIsDecorated(false);
  answer_list_->setUniformRowHeights(true);
  answer_list_->setItemDelegate(new RowDelegate(answer_list_));
  answer_list_->setAccessibleName(tr("Where the element comes from"));
  answer_list_->setMinimumHeight(70);
  answer_list_->hide();
}

void TensorPanel::Build() {
  SetUpControls();
  SetUpLabels();
  SetUpTabs();
  SetUpBeside();
  SetUpQuestions();
  auto* bar = MakeWrapBar();
  for (QWidget* widget :
       {static_cast<QWidget*>(source_box_), static_cast<QWidget*>(compare_box_), static_cast<QWidget*>(leaf_box_),
        static_cast<QWidget*>(side_by_side_), static_cast<QWidget*>(link_)}) {
    bar->layout()->addWidget(widget);
  }
  // In a low dock the panel scrolls; it never makes the window higher than the screen.
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  // Questions about the element stay where they are, whatever the value below them needs; answers lie beside it where
  // there is room.
  column->addWidget(element_bar_);
  column->addWidget(bar);
  column->addWidget(heading_);
  column->addWidget(message_, 1);
  column->addWidget(again_);
  auto* answers = new QWidget;
  auto* answer_column = new QVBoxLayout(answers);
  answer_column->setContentsMargins({});
  answer_column->addWidget(answer_label_);
  answer_column->addWidget(answer_list_, 1);
  beside_ = new QSplitter(Qt::Vertical);
  beside_->addWidget(tabs_);
  beside_->addWidget(values_);
  beside_->addWidget(answers);
  beside_->setChildrenCollapsible(false);
  beside_->setStretchFactor(0, 3);
  beside_->setStretchFactor(1, 3);
  beside_->setStretchFactor(2, 1);
  answers->hide();
  answers_ = answers;
  column->addWidget(beside_, 1);
  column->addWidget(file_label_);
  setWidget(content);
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setMinimumWidth(240);
}

TensorView* TensorPanel::front() const { return static_cast<TensorView*>(tabs_->currentWidget()); }

void TensorPanel::Watch(TensorView* view) {
  connect(view, &TensorView::PlaceChanged, this, [this, view] {
    if (link_->isChecked()) LinkFrom(view);
  });
  connect(view, &TensorView::Activated, this, &TensorPanel::AskWhy);
}

void TensorPanel::LinkFrom(const TensorView* view) {
  for (int tab = 0; tab < tabs_->count(); ++tab) {
    auto* other = static_cast<TensorView*>(tabs_->widget(tab));
    if (other != view) other->Follow(*view);
  }
  values_->Follow(*view);
}

void TensorPanel::Refresh() {
  waiting_ = false;
  sources_.clear();
  const InstructionId selected = selection_->document() != nullptr ? selection_->instruction() : InstructionId();
  if (!selected.has_value() || !session_->has_module()) {
    refreshing_ = true;
    source_box_->clear();
    refreshing_ = false;
    source_box_->setVisible(false);
    session_->Recall(InstructionId());
    ShowNothing(tr("Select an instruction to see its value."));
    return;
  }
  const Module& module = selection_->module();
  auto name = [&](InstructionId id) { return ToQString(module.InstructionName(id)); };
  sources_.push_back({tr("Value of %1").arg(name(selected)), selected});
  const InstructionId last = session_->last_executed();
  if (last.has_value() && last != selected) sources_.push_back({tr("Just computed: %1").arg(name(last)), last});
  const absl::Span<const InstructionId> operands = module.operands(selected);
  for (size_t k = 0; k < operands.size() && k < kMaxOperandSources; ++k) {
    if (operands[k].has_value()) sources_.push_back({tr("Operand %1: %2").arg(k).arg(name(operands[k])), operands[k]});
  }
  // In front of an instruction that has not been executed, the newest value or what it will consume says most.
  size_t chosen = 0;
  while (chosen < sources_.size() && !session_->ValueOf(sources_[chosen].instruction).has_value()) ++chosen;
  if (chosen == sources_.size() || selected != session_->current()) chosen = 0;
  refreshing_ = true;
  source_box_->clear();
  for (const Source& source : sources_) source_box_->addItem(source.caption);
  source_box_->setCurrentIndex(static_cast<int>(chosen));
  source_box_->setVisible(true);
  refreshing_ = false;
  ShowSource(static_cast<int>(chosen));
}

void TensorPanel::CollectLeaves(const evaluator::Value& value, const QString& path, std::vector<int64_t>* numbers) {
  if (leaves_.size() >= kMaxLeaves) return;
  if (value.IsTensor()) {
    leaves_.push_back({path.isEmpty() ? path : QStringLiteral("{%1}").arg(path), *numbers, value.tensor()});
  }
  const absl::Span<const evaluator::Value> elements = value.elements();
  for (size_t i = 0; i < elements.size(); ++i) {
    numbers->push_back(static_cast<int64_t>(i));
    CollectLeaves(elements[i], path.isEmpty() ? QString::number(i) : QStringLiteral("%1,%2").arg(path).arg(i), numbers);
    numbers->pop_back();
  }
}

void TensorPanel::ShowSource(int number) {
  if (number < 0 || static_cast<size_t>(number) >= sources_.size()) return;
  const Source& source = sources_[static_cast<size_t>(number)];
  const bool busy = waiting_ = session_->busy();
  if (busy && session_->IsDropped(source.instruction)) return ShowDropped(source.instruction);
  if (busy) {
    session_->Recall(InstructionId());
    return ShowNothing(tr("Running..."));
  }
  const evaluator::Value value = session_->ValueOf(source.instruction);
  leaves_.clear();
  std::vector<int64_t> numbers;
  CollectLeaves(value, QString(), &numbers);
  if (!value.has_value() && session_->IsDropped(source.instruction)) return ShowDropped(source.instruction);
  session_->Recall(InstructionId());
  if (!value.has_value()) return ShowMissing(source.instruction);
  if (leaves_.empty()) {
    ShowNothing(value.IsToken() ? tr("A token: it orders effects and holds no data.") : tr("An empty tuple."));
    return;
  }
  refreshing_ = true;
  leaf_box_->clear();
  for (const Leaf& leaf : leaves_) {
    leaf_box_->addItem(QStringLiteral("%1  %2").arg(leaf.path, ToQString(leaf.tensor.shape().ToString())));
  }
  leaf_box_->setVisible(value.IsTuple());
  refreshing_ = false;
  message_->hide();
  again_->hide();
  ShowLeaf(0);
}

void TensorPanel::ShowLeaf(int number) {
  if (number < 0 || static_cast<size_t>(number) >= leaves_.size()) return;
  const Leaf& leaf = leaves_[static_cast<size_t>(number)];
  const evaluator::Tensor& tensor = leaf.tensor;
  heading_->setText(tr("%1   %2 element(s), %3", nullptr, ForPlural(tensor.element_count()))
                        .arg(ToQString(tensor.shape().ToString()), FormatCount(tensor.element_count()),
                             FormatBytes(tensor.byte_size())));
  for (QWidget* widget :
       {static_cast<QWidget*>(heading_), static_cast<QWidget*>(beside_), static_cast<QWidget*>(element_bar_),
        static_cast<QWidget*>(compare_box_), static_cast<QWidget*>(pin_), static_cast<QWidget*>(export_)}) {
    widget->show();
  }
  const int source = std::max(source_box_->currentIndex(), 0);
  const InstructionId instruction = sources_[static_cast<size_t>(source)].instruction;
  const QString name = ToQString(selection_->module().InstructionName(instruction));
  shown_[0] = {QStringLiteral("%1%2").arg(name, leaf.path), instruction, leaf.numbers};
  SetReturned(false);
  ShowAnswer({});
  if (view_->has_other()) view_->SetOther(evaluator::Tensor());
  view_->SetTensor(tensor);
  FillCompareBox();
  ShowBeside();
}

void TensorPanel::FillCompareBox() {
  refreshing_ = true;
  others_.clear();
  compare_box_->clear();
  compare_box_->addItem(tr("Compare with..."));
  const TensorView* shown = front();
  const auto fits = [shown](const evaluator::Tensor& other) {
    return shown->tensor().has_buffer() && other.has_buffer() &&
           DifferenceReaderOf(shown->tensor(), other, DifferenceKind::kAbsolute).ok();
  };
  const auto add = [&](const QString& caption, const evaluator::Tensor& other) {
    if (!fits(other)) return;
    others_.push_back(other);
    compare_box_->addItem(caption);
  };
  for (int tab = 0; tab < tabs_->count(); ++tab) {
    const auto* view = static_cast<const TensorView*>(tabs_->widget(tab));
    if (view != shown) add(tr("Tab: %1").arg(tab == 0 ? tr("Now") : tabs_->tabText(tab)), view->tensor());
  }
  if (!session_->busy() && shown->tensor().has_buffer()) {
    for (const Source& source : sources_) {
      const evaluator::Value value = session_->ValueOf(source.instruction);
      if (value.IsTensor() && source.instruction != shown_[static_cast<size_t>(tabs_->currentIndex())].instruction) {
        add(source.caption, value.tensor());
      }
    }
  }
  compare_box_->addItem(tr("A file..."));
  compare_box_->setCurrentIndex(0);
  refreshing_ = false;
}

void TensorPanel::Compare(int row) {
  if (refreshing_ || row < 0) return;
  if (row == 0) {
    front()->SetOther(evaluator::Tensor());
    return;
  }
  if (static_cast<size_t>(row) <= others_.size()) {
    front()->SetOther(others_[static_cast<size_t>(row) - 1]);
    return;
  }
  const QString path = QFileDialog::getOpenFileName(this, tr("Compare with"), QString(), tr("NumPy (*.npy)"));
  if (path.isEmpty()) {
    compare_box_->setCurrentIndex(0);
  } else {
    CompareWithFile(path);
  }
}

void TensorPanel::SetFileResult(bool good, const QString& message) {
  QPalette colors = palette();
  if (!good) colors.setColor(QPalette::WindowText, Theme::For(palette()).error);
  file_label_->setPalette(colors);
  file_label_->setText(message);
  file_label_->setVisible(!message.isEmpty());
  Q_EMIT FileDone(good, message);
}

void TensorPanel::CompareWithFile(const QString& path) {
  TensorView* view = front();
  if (!view->tensor().has_buffer()) return;
  const QPointer<TensorView> target(view);
  file_task_->Start([this, target, path,
                     shape = view->tensor().shape()](const std::atomic<bool>&) -> BackgroundTask::Done {
    const absl::StatusOr<evaluator::Tensor> tensor = evaluator::ReadNpy(QFile::encodeName(path).toStdString(), shape);
    return [this, target, path, tensor] {
      if (!tensor.ok()) {
        compare_box_->setCurrentIndex(0);
        return SetFileResult(false, ToQString(tensor.status().message()));
      }
      if (target != nullptr) target->SetOther(*tensor);
      SetFileResult(true, tr("Compared with %1").arg(path));
    };
  });
}

void TensorPanel::ChooseExport(const QString& ending, const QString& filter) {
  QString name = shown_[static_cast<size_t>(tabs_->currentIndex())].caption;
  name.remove(QRegularExpression(QStringLiteral("[^A-Za-z0-9_.-]")));
  const QString path = QFileDialog::getSaveFileName(this, tr("Export"), name + ending, filter);
  if (!path.isEmpty()) Export(path.endsWith(ending) ? path : path + ending);
}

void TensorPanel::Export(const QString& path) {
  TensorView* view = front();
  if (view->reader() == nullptr) return;
  if (path.endsWith(QLatin1String(".svg")) || path.endsWith(QLatin1String(".pdf"))) {
    const QString problem = ExportWidget(path, view, shown_[static_cast<size_t>(tabs_->currentIndex())].caption);
    return SetFileResult(problem.isEmpty(), problem.isEmpty() ? tr("Wrote %1").arg(path) : problem);
  }
  if (path.endsWith(QLatin1String(".png"))) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    view->Picture().save(&buffer, "PNG");
    const QString problem = WriteWholeFile(path, bytes.data(), bytes.size());
    return SetFileResult(problem.isEmpty(), problem.isEmpty() ? tr("Wrote %1").arg(path)
                                                              : tr("%1 cannot be written: %2").arg(path, problem));
  }
  if (IsPagePath(path)) return ExportPage(path);
  file_task_->Start([this, path, tensor = view->tensor(), reader = view->reader(),
                     slice = view->slice()](const std::atomic<bool>& cancelled) -> BackgroundTask::Done {
    const absl::Status status = path.endsWith(QLatin1String(".csv"))
                                    ? WriteCsv(path, *reader, slice, cancelled)
                                    : evaluator::WriteNpy(QFile::encodeName(path).toStdString(), tensor);
    return [this, status, path] {
      SetFileResult(status.ok(), status.ok() ? tr("Wrote %1").arg(path) : ToQString(status.message()));
    };
  });
}

QString TensorPanel::ExpressionOfShown() const {
  const Shown& shown = shown_[static_cast<size_t>(tabs_->currentIndex())];
  if (selection_->document() == nullptr || !shown.instruction.has_value()) return QString();
  const Module& module = selection_->module();
  QString text = ToQString(absl::StrCat(module.ComputationName(module.instruction(shown.instruction).computation),
                                        "::", module.InstructionName(shown.instruction)));
  for (int64_t number : shown.path) text += QStringLiteral("{%1}").arg(number);
  return text;
}

void TensorPanel::ExportPage(const QString& path) {
  const std::string caption = shown_[static_cast<size_t>(tabs_->currentIndex())].caption.toStdString();
  const QString command = selection_->document() == nullptr
                              ? QString()
                              : CommandOfPanel(this, ToQString(selection_->document()->source().name()));
  file_task_->Start(
      [this, path, caption, command, tensor = front()->tensor()](const std::atomic<bool>&) -> BackgroundTask::Done {
        insight::HtmlReport page("Value", caption);
        const reports::NamedTensor named{caption, tensor.WithRunTimeSizes()};
        const absl::Status status = reports::AddTensors({&named, 1}, &page);
        if (!command.isEmpty()) page.AddParagraph(insight::HtmlText("Again: ").Code(command.toStdString()));
        const QString problem = status.ok() ? WritePicture(path, QByteArray::fromStdString(std::move(page).Finish()))
                                            : ToQString(status.message());
        return [this, path, problem] {
          SetFileResult(problem.isEmpty(), problem.isEmpty() ? tr("Wrote %1").arg(path) : problem);
        };
      });
}

QString TensorPanel::MarkdownOfShown() const {
  if (!front()->tensor().has_buffer()) return QString();
  return MarkdownOfValue(shown_[static_cast<size_t>(tabs_->currentIndex())].caption,
                         evaluator::Value(front()->tensor()));
}

void TensorPanel::Pin() {
  if (!front()->tensor().has_buffer()) return;
  auto* view = new TensorView;
  const Shown shown = shown_[static_cast<size_t>(tabs_->currentIndex())];
  view->SetTensor(front()->tensor());
  view->SetMode(front()->mode());
  view->SetScale(front()->scale());
  const QString moment = tr("%1 @%2").arg(shown.caption).arg(session_->executed_count());
  shown_.push_back(shown);
  const int tab = tabs_->addTab(view, Elide(moment, 40));
  tabs_->setTabToolTip(tab, tr("%1 after %2 instruction(s)", nullptr, ForPlural(session_->executed_count()))
                                .arg(shown.caption)
                                .arg(session_->executed_count()));
  Watch(view);
  view->Follow(*front());
  ShareRoom();
  FillCompareBox();
  ShowBeside();
}

}  // namespace hloscope::gui
