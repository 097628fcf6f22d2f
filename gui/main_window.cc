// SPDX-License-Identifier: Apache-2.0
#include "gui/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QMimeData>
#include <QSettings>
#include <QSplitter>
#include <QStatusBar>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/models/plurals.h"
#include "gui/models/text.h"
#include "gui/panels/arguments_dialog.h"
#include "gui/panels/bookmarks_panel.h"
#include "gui/panels/changes_panel.h"
#include "gui/panels/dump_panel.h"
#include "gui/panels/passes_panel.h"
#include "gui/panels/profile_panel.h"
#include "gui/panels/row_actions.h"
#include "gui/single_instance.h"
#include "gui/views/ended_run_bar.h"
#include "gui/views/metrics.h"

namespace hloscope::gui {
namespace {

constexpr int kSessionMs = 5000;
// What is opened faster needs no progress.
constexpr int kOpeningMs = 200;
constexpr auto kFirstDocks = "first_docks";

QString DroppedFile(const QMimeData* data) {
  for (const QUrl& url : data->urls()) {
    if (url.isLocalFile()) return url.toLocalFile();
  }
  return QString();
}

}  // namespace

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent),
      selection_(new Selection(this)),
      workspace_(new Workspace(selection_, this)),
      session_(new SessionController(this)),
      merge_(new BackgroundTask(this)),
      recorded_task_(new BackgroundTask(this)),
      profile_(new ProfileOverlay(this)) {
  setObjectName(QStringLiteral("main_window"));
  setAcceptDrops(true);
  setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowTabbedDocks | QMainWindow::AllowNestedDocks);
  // The session gets the new module before the views ask it about the new document's instructions.
  connect(selection_, &Selection::DocumentChanged, this, [this] {
    const auto& document = selection_->document();
    session_->SetModule(document != nullptr ? document->shared_module() : nullptr, selection_->is_new_version());
  });
  BuildCenter();
  BuildDocks();
  FollowBookmarks();
  BuildFileMenu();
  BuildEditMenu();
  BuildGoMenu();
  BuildRunMenu();
  BuildViewMenu();
  BuildHelpMenu();
  session_clock_.setInterval(kSessionMs);
  connect(&session_clock_, &QTimer::timeout, this, &MainWindow::WriteSession);
  BuildStatusBar();
  ApplyPreferences(preferences_, /*all=*/true);
  run_clock_.setInterval(200);
  connect(&run_clock_, &QTimer::timeout, this, &MainWindow::ShowRunState);
  FollowFile();
  FollowRun();

  // Not before: while docks are put into their places, all are beside one another for a moment and make the window as
  // wide as all of them. The layout forgets what it needed then.
  layout()->invalidate();
  layout()->activate();
  ResizeToScreen();
  // The way back to here.
  setProperty(kFirstDocks, saveState());
  const QSettings settings;
  restoreGeometry(settings.value(QLatin1String(kGeometry)).toByteArray());
  size_docks_ = !restoreState(settings.value(QLatin1String(kWindowState)).toByteArray());
  ShowDocument();
  ShowRunState();
}

void MainWindow::BuildStatusBar() {
  modules_ = new QComboBox;
  modules_->setObjectName(QStringLiteral("modules"));
  modules_->setAccessibleName(tr("Module of the file"));
  modules_->setToolTip(tr("The file holds several modules"));
  modules_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  modules_->setMinimumContentsLength(20);
  modules_->hide();
  connect(modules_, &QComboBox::activated, this, [this](int number) {
    if (MayDiscard()) workspace_->Open(workspace_->path(), number);
  });
  statusBar()->addPermanentWidget(modules_);
  run_label_ = new QLabel;
  run_label_->setContentsMargins(Space::kMargin, 0, Space::kMargin, 0);
  problems_label_ = new QToolButton;
  problems_label_->setAutoRaise(true);
  problems_label_->setToolTip(tr("Show the list of problems"));
  connect(problems_label_, &QToolButton::clicked, this, [this] { ShowDock(QStringLiteral("diagnostics")); });
  run_progress_ = new QProgressBar;
  run_progress_->setRange(0, 0);
  run_progress_->setMaximumSize(140, 14);
  run_progress_->setTextVisible(false);
  opening_progress_ = new QProgressBar;
  opening_progress_->setRange(0, 0);
  opening_progress_->setMaximumSize(140, 14);
  opening_progress_->setTextVisible(false);
  opening_progress_->setAccessibleName(tr("Progress of opening"));
  opening_cancel_ = new QToolButton;
  opening_cancel_->setText(tr("Cancel"));
  opening_cancel_->setToolTip(tr("Do not open the file; what was open stays"));
  opening_cancel_->setAccessibleName(tr("Cancel opening"));
  connect(opening_cancel_, &QToolButton::clicked, workspace_, &Workspace::Cancel);
  statusBar()->addPermanentWidget(opening_progress_);
  statusBar()->addPermanentWidget(opening_cancel_);
  ShowOpening(false);
  run_progress_->setAccessibleName(tr("Progress of the run"));
  statusBar()->addPermanentWidget(run_progress_);
  statusBar()->addPermanentWidget(run_label_);
  statusBar()->addPermanentWidget(MakePlaceLabel());
  statusBar()->addPermanentWidget(problems_label_);
}

void MainWindow::FollowFile() {
  opening_clock_.setSingleShot(true);
  opening_clock_.setInterval(kOpeningMs);
  connect(&opening_clock_, &QTimer::timeout, this, [this] { ShowOpening(true); });
  connect(workspace_, &Workspace::LoadingChanged, this, [this](bool loading) {
    if (loading) return opening_clock_.start();
    opening_clock_.stop();
    ShowOpening(false);
  });
  connect(workspace_, &Workspace::Opened, this, [this](const QString& path) {
    // What cannot be read as a module at all is nothing to come back to.
    if (!selection_->module().computations().empty()) RememberFile(path);
    ShowDocument();
    ShowSource();
    FinishRestoring();
    ShowView(std::exchange(wanted_view_, QString()));
    if (const int line = std::exchange(wanted_line_, 0); line > 0) RevealLine(line);
  });
  connect(workspace_, &Workspace::OpenFailed, this, [this](const QString&, const QString& message) {
    ShowFailure(message);
    statusBar()->showMessage(message, 10'000);
  });
  connect(workspace_, &Workspace::ProfileFound, this, &MainWindow::OpenProfileFile);
  connect(workspace_, &Workspace::RemovedFromDisk, this, [this] {
    // What is shown is all that is left of it.
    text_->document()->setModified(true);
    statusBar()->showMessage(tr("%1 was deleted or moved. Its text is kept here; saving writes it again.")
                                 .arg(QFileInfo(workspace_->path()).fileName()));
  });
  connect(workspace_, &Workspace::ChangedOnDisk, this, [this] {
    if (text_->is_modified()) {
      statusBar()->showMessage(tr("%1 was changed by another program. Ctrl+R reads it again, without your changes.")
                                   .arg(QFileInfo(workspace_->path()).fileName()));
    } else {
      workspace_->Reload();
    }
  });
}

void MainWindow::FollowRun() {
  connect(text_, &QPlainTextEdit::modificationChanged, this, &QWidget::setWindowModified);
  connect(selection_, &Selection::DocumentChanged, this, &MainWindow::ShowDiagnosticCounts);
  connect(session_, &SessionController::StateChanged, this, [this] {
    // What failed before says nothing about the run that goes on now.
    if (session_->busy()) diagnostics_->model()->RemoveFailures();
    ShowDiagnosticCounts();
    ShowRunState();
  });
  connect(session_, &SessionController::Stopped, this, &MainWindow::FollowExecution);
  connect(session_, &SessionController::Failed, this, [this](const QString& message) {
    const InstructionId at = session_->failed_at();
    const auto& document = selection_->document();
    ShowFailure(tr("The run failed: %1").arg(message),
                at.has_value() && document != nullptr ? std::optional(document->InstructionRange(at)) : std::nullopt);
  });
}

void MainWindow::BuildCenter() {
  text_ = new TextView(selection_, session_);
  find_ = new FindBar(text_, selection_);
  completer_ = new TextCompleter(text_, selection_, this);
  signature_ = new SignatureHint(text_, selection_, this);
  graph_ = new GraphPane(selection_, session_);
  text_->SetProfile(profile_);
  connect(workspace_, &Workspace::TextMade, text_, &TextView::ExpectText);
  graph_->SetProfile(profile_);
  auto* text_side = new QWidget;
  auto* column = new QVBoxLayout(text_side);
  column->setContentsMargins({});
  column->setSpacing(Space::kNone);
  column->addWidget(text_, 1);
  column->addWidget(new EndedRunBar(selection_, session_));
  column->addWidget(find_);
  splitter_ = new QSplitter(Qt::Vertical);
  splitter_->addWidget(graph_);
  splitter_->addWidget(text_side);
  splitter_->setChildrenCollapsible(false);
  welcome_ = new WelcomePage;
  center_ = new QStackedWidget;
  center_->addWidget(welcome_);
  center_->addWidget(splitter_);
  center_->addWidget(MakeEnlargedPage());
  setCentralWidget(center_);
  welcome_->ShowRecent(QSettings().value(QLatin1String(MainWindow::kRecentFiles)).toStringList());
  connect(welcome_, &WelcomePage::FileChosen, this, &MainWindow::OpenChosen);
  connect(welcome_, &WelcomePage::OpenRequested, this, &MainWindow::ChooseFile);
  connect(graph_, &GraphPane::PanelRequested, this, &MainWindow::ShowDock);
  connect(text_, &TextView::PanelRequested, this, &MainWindow::ShowDock);
}

// Where the cursor is in the text. A click asks where it shall go.
QWidget* MainWindow::MakePlaceLabel() {
  auto* label = new QToolButton;
  label->setObjectName(QStringLiteral("place"));
  label->setAutoRaise(true);
  label->setToolTip(tr("Go to a line"));
  const auto show = [this, label] {
    const QTextCursor cursor = text_->textCursor();
    label->setVisible(selection_->document() != nullptr);
    label->setText(tr("Line %1, column %2").arg(cursor.blockNumber() + 1).arg(cursor.positionInBlock() + 1));
  };
  connect(text_, &QPlainTextEdit::cursorPositionChanged, label, show);
  connect(selection_, &Selection::DocumentChanged, label, show);
  connect(label, &QToolButton::clicked, this, &MainWindow::GoToLine);
  label->hide();
  return label;
}

void MainWindow::BuildDocks() {
  const PanelContext context = {selection_, workspace_, session_, profile_};
  for (const DockRow& row : DockTable()) {
    auto* added = new QDockWidget(DockTitle(row));
    added->setObjectName(QLatin1String(row.name));
    added->setWidget(row.make(context));
    added->widget()->setAccessibleName(added->windowTitle());
    AddRowActions(added->widget());
    addDockWidget(row.area, added);
    KeepOnScreen(added);
  }
  computations_ = panel<ComputationsPanel>();
  frames_ = panel<FramesPanel>();
  properties_ = panel<PropertiesPanel>();
  values_ = panel<TensorPanel>();
  diagnostics_ = panel<DiagnosticsPanel>();
  diagnostics_dock_ = dock("diagnostics");
  connect(panel<ChangesPanel>(), &ChangesPanel::EnlargeRequested, this,
          [this] { EnlargeDock(enlarged_ == nullptr ? dock("changes") : nullptr); });
  connect(panel<ChangesPanel>(), &ChangesPanel::TextProposed, text_, &TextView::ReplaceText);
  connect(panel<DumpPanel>(), &DumpPanel::FileChosen, this, &MainWindow::Open);
  connect(panel<DumpPanel>(), &DumpPanel::PassesRequested, this, [this](const QString& folder, const QString& module) {
    panel<PassesPanel>()->OpenFolder(folder, module);
    // A list and two texts or graphs need all the room.
    dock("dump")->hide();
    EnlargeDock(dock("passes"));
  });
  auto* profile = panel<ProfilePanel>();
  connect(profile, &ProfilePanel::ComparisonChosen, this, [this] { EnlargeDock(dock("profile")); });
  connect(profile, &ProfilePanel::TimesShown, this, [this] { graph_->SetColoring(GraphPane::Coloring::kTime); });
  connect(profile, &ProfilePanel::ModuleChosen, this, [this](const QString& name, const QByteArray& text) {
    // It is part of the profile: no file of its own.
    if (MayDiscard()) workspace_->OpenText(QStringLiteral(":/profile/%1.hlo").arg(name), text);
  });
  connect(panel<ChangesPanel>(), &ChangesPanel::Compared, graph_, &GraphPane::SetComparison);
  ResetDocks();
}

void MainWindow::ChooseArguments(const QStringList& files) {
  if (selection_->document() == nullptr) return;
  std::shared_ptr<const std::vector<evaluator::Value>> recorded;
  if (const auto& run = workspace_->source().recorded; run != nullptr && !run->arguments.empty()) {
    recorded = {run, &run->arguments};
  }
  ArgumentsDialog dialog(selection_->module(), session_->arguments(), this, recorded);
  dialog.AddFiles(files);
  if (dialog.exec() == QDialog::Accepted) session_->SetArguments(dialog.arguments());
}

void MainWindow::ShowDocument() {
  const auto& document = selection_->document();
  if (document == nullptr) {
    setWindowTitle(tr("HLOscope[*]"));
    problems_label_->setText(QString());
    EnlargeDock(nullptr);
    center_->setCurrentIndex(0);
    return;
  }
  if (enlarged_ == nullptr) center_->setCurrentIndex(1);
  ShowTitle();
  ShowDiagnosticCounts();
  const size_t instructions = document->module().instruction_count();
  const size_t computations = document->module().computations().size();
  statusBar()->showMessage(
      tr("%1 instruction(s)", nullptr, ForPlural(instructions)).arg(FormatCount(static_cast<int64_t>(instructions))) +
          tr(" in %1 computation(s), read in %2 ms", nullptr, ForPlural(computations))
              .arg(FormatCount(static_cast<int64_t>(computations)))
              .arg(document->times().total * 1000, 0, 'f', 1),
      15'000);
  if (document->has_errors()) {
    ShowProblems();
  } else if (problems_shown_ && diagnostics_->model()->rowCount() == 0) {
    // Nobody asked for an empty list.
    diagnostics_dock_->hide();
  }
}

void MainWindow::ShowTitle() {
  if (selection_->document() == nullptr) return;
  const QString module_name = ToQString(selection_->module().name());
  const QString file = QFileInfo(workspace_->path()).fileName();
  setWindowTitle(module_name.isEmpty() ? tr("%1[*] - HLOscope").arg(file)
                                       : tr("%1[*] (%2) - HLOscope").arg(file, module_name));
}

// In the list of problems: it stays there until something else is done, unlike a message in the status bar.
void MainWindow::ShowFailure(const QString& message, std::optional<SourceRange> at) {
  diagnostics_->model()->AddFailure(message, at);
  ShowDiagnosticCounts();
  ShowProblems();
}

// The list, as high as what is in it: the graph and the text need the room.
void MainWindow::ShowProblems() {
  const bool alone = std::none_of(std::begin(DockTable()), std::end(DockTable()), [this](const DockRow& row) {
    const QDockWidget* other = dock(row.name);
    return row.area == Qt::BottomDockWidgetArea && !other->isFloating() && other->isVisible();
  });
  diagnostics_dock_->show();
  diagnostics_dock_->raise();
  if (!alone || diagnostics_dock_->isFloating()) return;
  problems_shown_ = true;
  // How many lines messages take is known when the list has its width.
  QTimer::singleShot(0, this, [this] {
    if (!diagnostics_->isVisible()) return;
    const int title = diagnostics_dock_->height() - diagnostics_->height();
    resizeDocks({diagnostics_dock_}, {title + diagnostics_->HeightOfRows()}, Qt::Vertical);
  });
}

void MainWindow::ShowDiagnosticCounts() {
  const int errors = diagnostics_->model()->error_count();
  const int warnings = diagnostics_->model()->warning_count();
  problems_label_->setText(errors + warnings == 0 ? tr("No problems")
                                                  : tr("%n error(s)", nullptr, errors) + QStringLiteral(", ") +
                                                        tr("%n warning(s)", nullptr, warnings));
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!DroppedFile(event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QString path = DroppedFile(event->mimeData());
  if (path.isEmpty()) return;
  event->acceptProposedAction();
  QStringList arrays;
  for (const QUrl& url : event->mimeData()->urls()) {
    if (url.isLocalFile() && url.toLocalFile().endsWith(QLatin1String(".npy"))) arrays << url.toLocalFile();
  }
  if (arrays.isEmpty() || selection_->document() == nullptr) return OpenChosen(path);
  // Values are arguments of the module that is open. Whoever drags waits for an answer until this returns.
  QTimer::singleShot(0, this, [this, arrays] { ChooseArguments(arrays); });
}

void MainWindow::FollowBookmarks() {
  const BookmarkModel* model = panel<BookmarksPanel>()->model();
  const auto show = [this, model] {
    std::vector<InstructionId> instructions;
    for (int row = 0; row < model->rowCount(); ++row) instructions.push_back(model->InstructionAt(row));
    text_->SetBookmarks(std::move(instructions));
  };
  for (const auto changed : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved}) {
    connect(model, changed, this, show);
  }
  connect(model, &QAbstractItemModel::modelReset, this, show);
  connect(selection_, &Selection::DocumentChanged, this, show);
}

void MainWindow::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  if (std::exchange(size_docks_, false)) SizeDocks();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!MayDiscard()) {
    event->ignore();
    return;
  }
  EnlargeDock(nullptr);
  SaveDocks();
  session_->Stop();
  if (store_ != nullptr) store_->Remove();
  session_clock_.stop();
  QMainWindow::closeEvent(event);
}

}  // namespace hloscope::gui
