// SPDX-License-Identifier: Apache-2.0
// What the window writes down and opens again: for the next start after a crash, as a session that users save, and as
// a line that opens a view.
#include <QFileDialog>
#include <QFileInfo>
#include <QSettings>
#include <QStatusBar>
#include <utility>

#include "gui/main_window.h"
#include "gui/models/run_inputs.h"
#include "gui/models/text.h"
#include "gui/models/view_state.h"
#include "gui/models/whole_file.h"
#include "gui/panels/changes_panel.h"
#include "gui/panels/profile_panel.h"
#include "gui/views/save_path.h"

namespace hloscope::gui {

SavedSession MainWindow::CurrentSession() const {
  SavedSession session;
  session.path = workspace_->path();
  // The next start may be in another folder.
  if (!session.path.isEmpty() && !session.path.startsWith(QLatin1Char(':'))) {
    session.path = QFileInfo(session.path).absoluteFilePath();
  }
  session.has_text = text_->is_modified();
  if (session.has_text) session.text = QByteArray::fromStdString(text_->CurrentText());
  session.watches = session_->watches();
  session.inputs = InputsOf(session_->arguments());
  const auto* profile = findChild<ProfilePanel*>();
  if (profile->profile() != nullptr) {
    session.beside.profile = profile->shown_request().path;
    session.beside.profile_before = profile->shown_request().before_path;
    session.beside.devices = profile->devices_path();
  }
  session.beside.compared = findChild<ChangesPanel*>()->compared_path();
  for (QString* path :
       {&session.beside.profile, &session.beside.profile_before, &session.beside.devices, &session.beside.compared}) {
    if (!path->isEmpty()) *path = QFileInfo(*path).absoluteFilePath();
  }
  if (selection_->document() == nullptr) return session;
  const Module& module = selection_->module();
  for (const auto& [id, settings] : session_->breakpoints()) {
    if (id.index() >= module.instruction_count()) continue;
    session.breakpoints.push_back({ToQString(module.ComputationName(module.instruction(id).computation)),
                                   ToQString(module.InstructionName(id)), settings.condition, settings.enabled,
                                   settings.iteration});
  }
  if (selection_->computation().has_value()) {
    session.computation = ToQString(module.ComputationName(selection_->computation()));
  }
  if (selection_->instruction().has_value()) {
    session.instruction = ToQString(module.InstructionName(selection_->instruction()));
  }
  return session;
}

bool MainWindow::KeepSession(const QString& folder, bool restore) {
  store_ = std::make_unique<SessionStore>(folder);
  session_clock_.start();
  const std::optional<SavedSession> left = store_->Read();
  if (!restore || !left.has_value()) return false;
  after_crash_ = true;
  Restore(*left);
  return true;
}

void MainWindow::Restore(const SavedSession& session) {
  restoring_ = session;
  if (session.has_text) {
    workspace_->OpenText(session.path, session.text);
  } else {
    workspace_->Open(session.path);
  }
}

void MainWindow::WriteSession() {
  SaveDocks();
  if (store_ == nullptr || workspace_->path().isEmpty() || workspace_->loading()) return;
  const SavedSession now = CurrentSession();
  if (now == written_) return;
  if (store_->Write(now)) written_ = now;
}

void MainWindow::SaveDocks() {
  const QByteArray geometry = window()->saveGeometry(), docks = saveState();
  if (geometry == saved_geometry_ && docks == saved_docks_) return;
  QSettings settings;
  settings.setValue(QLatin1String(kGeometry), saved_geometry_ = geometry);
  settings.setValue(QLatin1String(kWindowState), saved_docks_ = docks);
}

void MainWindow::ShowBeside(const SavedSession::Beside& beside) {
  auto* profile = panel<ProfilePanel>();
  if (!beside.profile.isEmpty()) {
    // Each of them begins to read; only what is asked for last is read to its end.
    if (!beside.devices.isEmpty()) profile->AddDevices(beside.devices);
    profile->OpenFile(beside.profile);
    if (!beside.profile_before.isEmpty()) profile->CompareWith(beside.profile_before);
  }
  if (!beside.compared.isEmpty()) panel<ChangesPanel>()->CompareWith(beside.compared);
}

void MainWindow::FinishRestoring() {
  const SavedSession left = std::exchange(restoring_, SavedSession());
  if (left.path.isEmpty()) return;
  ShowBeside(left.beside);
  session_->SetArguments(ArgumentsOf(left.inputs, preferences_.fill, session_->arguments().recorded));
  const Module& module = selection_->module();
  for (const SavedSession::Breakpoint& b : left.breakpoints) {
    const ComputationId computation = module.FindComputation(b.computation.toStdString());
    if (!computation.has_value()) continue;
    const InstructionId id = module.FindInstruction(computation, b.instruction.toStdString());
    if (id.has_value()) {
      session_->SetBreakpoint(id, {.enabled = b.enabled, .condition = b.condition, .iteration = b.iteration});
    }
  }
  for (const QString& watch : left.watches) {
    if (!session_->watches().contains(watch)) session_->AddWatch(watch);
  }
  if (left.has_text) text_->document()->setModified(true);
  if (const ComputationId at = module.FindComputation(left.computation.toStdString()); at.has_value()) {
    const InstructionId instruction = module.FindInstruction(at, left.instruction.toStdString());
    if (instruction.has_value()) {
      selection_->SelectInstruction(instruction);
    } else {
      selection_->SelectComputation(at);
    }
  }
  if (!left.docks.isEmpty()) {
    EnlargeDock(nullptr);
    restoreState(left.docks);
  }
  ShowView(left.view);
  // The run is repeated as far as it was; pausing leaves it on the way there. What was selected is selected then.
  session_->GoToMoment(left.moment);
  if (const InstructionId selected = selection_->instruction(); session_->busy() && selected.has_value()) {
    const auto select = [this, selected] {
      if (session_->moment() == returning_) selection_->SelectInstruction(selected);
    };
    returning_ = left.moment;
    connect(session_, &SessionController::Stopped, this, select, Qt::SingleShotConnection);
  }
  if (!std::exchange(after_crash_, false)) return;
  statusBar()->showMessage(left.has_text ? tr("Opened again what was open before the crash, with unsaved changes.")
                                         : tr("Opened again what was open before the crash."),
                           20'000);
}

bool MainWindow::SaveSessionTo(const QString& path) {
  SavedSession session = CurrentSession();
  session.moment = session_->moment();
  session.view = CurrentView().ToString();
  session.docks = saveState();
  const QByteArray bytes = SessionToJson(WithPathsFrom(std::move(session), QFileInfo(path).absolutePath()));
  const QString problem = WriteWholeFile(path, bytes.data(), bytes.size());
  if (!problem.isEmpty()) {
    ShowFailure(tr("The session could not be saved to %1: %2").arg(path, problem));
    return false;
  }
  statusBar()->showMessage(tr("Saved the session to %1").arg(path), 10'000);
  return true;
}

bool MainWindow::OpenSession(const QString& path) {
  const std::optional<SavedSession> session = ReadSessionFile(path);
  if (!session.has_value()) {
    ShowFailure(tr("%1 holds no session of this app that can be read.").arg(path));
    return false;
  }
  if (!MayDiscard()) return false;
  Restore(WithPathsIn(*session, QFileInfo(path).absolutePath()));
  return true;
}

void MainWindow::ChooseSession(bool save) {
  const QString filter = tr("Sessions (*%1)").arg(QLatin1String(kSessionSuffix));
  const QString beside = QFileInfo(workspace_->path()).completeBaseName() + QLatin1String(kSessionSuffix);
  const QString path = save ? AskSavePath(this, tr("Save the session"), BesideFile(workspace_->path(), beside), filter)
                            : QFileDialog::getOpenFileName(this, tr("Open a session"), QString(), filter);
  if (path.isEmpty()) return;
  if (save) {
    SaveSessionTo(path);
  } else {
    OpenChosen(path);
  }
}

ViewState MainWindow::CurrentView() const {
  ViewState view;
  view.graph = static_cast<ViewState::Graph>(graph_->scope());
  view.colors = static_cast<ViewState::Colors>(graph_->coloring());
  if (graph_->scope() == GraphPane::Scope::kNeighbourhood) view.depth = graph_->depth();
  view.constants = !graph_->constants_hidden();
  view.beside = splitter_->orientation() == Qt::Horizontal;
  if (!graph_->canvas()->is_fitted()) view.zoom = graph_->canvas()->scale();
  for (const DockRow& row : DockTable()) {
    const QString name = QLatin1String(row.name);
    const auto* dock = findChild<QDockWidget*>(name);
    if (dock == enlarged_) {
      view.enlarged = name;
    } else if (dock->isHidden() == row.shown) {
      (row.shown ? view.hidden : view.shown) << name;
    }
  }
  return view;
}

void MainWindow::ShowView(const QString& text) {
  if (text.isEmpty()) return;
  QString problem;
  const ViewState view = ViewState::Parse(text, &problem);
  if (!problem.isEmpty()) statusBar()->showMessage(tr("\"%1\" says nothing about a view.").arg(problem), 10'000);
  graph_->SetScope(static_cast<GraphPane::Scope>(view.graph));
  graph_->SetColoring(static_cast<GraphPane::Coloring>(view.colors));
  if (view.depth > 0) graph_->SetDepth(view.depth);
  graph_->SetConstantsHidden(!view.constants);
  graph_->SetZoom(view.zoom);
  SetGraphBeside(view.beside);
  for (const QString& name : view.hidden) {
    if (QDockWidget* hidden = findChild<QDockWidget*>(name)) hidden->hide();
  }
  for (const QString& name : view.shown) {
    if (QDockWidget* shown = findChild<QDockWidget*>(name)) shown->show(), shown->raise();
  }
  if (!view.enlarged.isEmpty()) EnlargeDock(findChild<QDockWidget*>(view.enlarged));
}

QString MainWindow::LineOfView() const {
  if (selection_->document() == nullptr || workspace_->path().startsWith(QLatin1Char(':'))) return QString();
  QString place = QFileInfo(workspace_->path()).absoluteFilePath();
  SourceRange range;
  if (selection_->instruction().has_value())
    range = selection_->document()->InstructionRange(selection_->instruction());
  if (!range.empty()) {
    place += QStringLiteral(":%1").arg(selection_->document()->source().LineColumnAt(range.begin).line + 1);
  }
  // As a shell reads it.
  place.replace(QLatin1Char('\''), QStringLiteral("'\\''"));
  const QString view = CurrentView().ToString();
  return QStringLiteral("hloscope-gui '%1'").arg(place) +
         (view.isEmpty() ? QString() : QStringLiteral(" --view=%1").arg(view));
}

}  // namespace hloscope::gui
