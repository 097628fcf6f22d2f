// SPDX-License-Identifier: Apache-2.0
// The window's file: opening, saving, merging with what another program wrote.
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMessageBox>
#include <QMetaMethod>
#include <QPushButton>
#include <QSettings>
#include <QStatusBar>
#include <algorithm>
#include <string>

#include "gui/main_window.h"
#include "gui/models/opened_profile.h"
#include "gui/models/text.h"
#include "gui/models/text_merge.h"
#include "gui/panels/changes_panel.h"
#include "gui/panels/dump_panel.h"
#include "gui/panels/passes_panel.h"
#include "gui/panels/profile_panel.h"
#include "gui/single_instance.h"
#include "gui/views/save_path.h"

namespace hloscope::gui {
namespace {

constexpr int kMaxRecentFiles = 10;

}  // namespace

void MainWindow::OpenPlace(const QString& place, const QString& view) {
  const FilePlace parsed = ParseFilePlace(place);
  if (parsed.path.endsWith(QLatin1String(kSessionSuffix))) {
    OpenSession(parsed.path);
    return;
  }
  if (QFileInfo(parsed.path).isDir()) return OpenDumps(parsed.path);
  if (IsProfileName(parsed.path)) return OpenProfileFile(parsed.path);
  const bool is_shown = QFileInfo(parsed.path) == QFileInfo(workspace_->path()) && !workspace_->IsOutdated();
  if (is_shown && selection_->document() != nullptr) {
    ShowView(view);
    if (parsed.line > 0) RevealLine(parsed.line);
    return;
  }
  if (session_->state() != SessionController::State::kIdle) {
    const OpenAnswer answer = ask_open(parsed.path);
    if (answer == OpenAnswer::kNewTab) Q_EMIT NewTabRequested(place);
    if (answer != OpenAnswer::kHere) return;
  }
  if (!MayDiscard()) return;
  wanted_line_ = parsed.line;
  wanted_view_ = view;
  workspace_->Open(parsed.path);
}

void MainWindow::ShowOpening(bool shown) {
  opening_progress_->setVisible(shown);
  opening_cancel_->setVisible(shown);
  const QFileInfo file(workspace_->opening());
  const QString message = tr("Opening %1, %2...").arg(file.fileName(), FormatBytes(file.size()));
  if (shown) {
    statusBar()->showMessage(opening_message_ = message);
  } else if (!opening_message_.isEmpty() && statusBar()->currentMessage() == opening_message_) {
    statusBar()->clearMessage();
  }
}

void MainWindow::RevealLine(int line) {
  const SourceText& source = selection_->document()->source();
  uint32_t at = source.LineStart(std::min(static_cast<uint32_t>(line), source.line_count()) - 1);
  // What is before the indentation ends the instruction above.
  while (at < source.text().size() && source.text()[at] == ' ') ++at;
  selection_->RevealRange({at, at});
}

std::optional<int> MainWindow::AskLine(int current, int count) {
  bool chosen = false;
  const int line = QInputDialog::getInt(this, tr("Go to line"), tr("Line, 1 to %1:").arg(FormatCount(count)), current,
                                        1, count, 1, &chosen);
  return chosen ? std::optional(line) : std::nullopt;
}

void MainWindow::GoToLine() {
  if (selection_->document() == nullptr) return;
  const auto count = static_cast<int>(selection_->document()->source().line_count());
  const std::optional<int> line = ask_line(text_->textCursor().blockNumber() + 1, count);
  if (!line) return;
  RevealLine(*line);
  text_->setFocus();
}

MainWindow::OpenAnswer MainWindow::AskOpen(const QString& path) {
  QMessageBox box(QMessageBox::Question, tr("A run is open"),
                  tr("Opening %1 here ends the run of %2.")
                      .arg(QFileInfo(path).fileName(), QFileInfo(workspace_->path()).fileName()),
                  QMessageBox::Cancel, this);
  const QAbstractButton* here = box.addButton(tr("Open &Here"), QMessageBox::DestructiveRole);
  QPushButton* other = box.addButton(tr("New &Tab"), QMessageBox::AcceptRole);
  box.setDefaultButton(other);
  box.exec();
  return box.clickedButton() == here    ? OpenAnswer::kHere
         : box.clickedButton() == other ? OpenAnswer::kNewTab
                                        : OpenAnswer::kCancel;
}

void MainWindow::ChooseFile() {
  const QString folder = QFileInfo(workspace_->path()).path();
  const QString path = QFileDialog::getOpenFileName(
      this, tr("Open an HLO module"), folder.startsWith(QLatin1Char(':')) ? QString() : folder,
      tr("Modules (*.hlo *.txt *.hlo.txt *.pb *.pbtxt *.pb.gz *.mlir);;Profiles (*.xplane.pb);;All files (*)"));
  if (!path.isEmpty()) OpenChosen(path);
}

void MainWindow::ChooseFolder() {
  const QString folder = QFileDialog::getExistingDirectory(this, tr("Open a folder of dumps"));
  if (!folder.isEmpty()) OpenDumps(folder);
}

void MainWindow::OpenDumps(const QString& folder) {
  center_->setCurrentIndex(selection_->document() != nullptr || enlarged_ != nullptr ? center_->currentIndex() : 0);
  panel<DumpPanel>()->OpenFolder(folder);
  panel<PassesPanel>()->OpenFolder(folder);
  ShowDock(QStringLiteral("dump"));
}

void MainWindow::ShowSource() {
  const OpenedSource& source = workspace_->source();
  modules_->clear();
  for (int i = 0; i < source.modules.size(); ++i) {
    modules_->addItem(QStringLiteral("%1: %2").arg(i + 1).arg(source.modules[i]));
  }
  modules_->setCurrentIndex(source.number);
  modules_->setVisible(source.modules.size() > 1);
  for (const QString& problem : source.problems) ShowFailure(problem);
  if (selection_->document()->source().origin() != nullptr) ShowDock(QStringLiteral("program"));
  if (source.recorded != nullptr && !source.recorded->arguments.empty()) {
    ArgumentSource arguments = session_->arguments();
    arguments.recorded = {source.recorded, &source.recorded->arguments};
    session_->SetArguments(arguments);
    statusBar()->showMessage(tr("The arguments of a run were recorded with the module; it is run with them."), 15'000);
  }
}

void MainWindow::CompareWithRecorded() {
  const std::shared_ptr<const RecordedRun> recorded = workspace_->source().recorded;
  if (recorded == nullptr || recorded->results.empty() || session_->arguments().recorded == nullptr) return;
  const Module& module = selection_->module();
  const evaluator::Value result = session_->ValueOf(module.computation(module.entry()).root);
  if (!result.has_value()) return;
  recorded_task_->Start([this, result, recorded](const std::atomic<bool>&) -> BackgroundTask::Done {
    bool equal = false;
    const QString said = gui::CompareWithRecorded(result, recorded->results, &equal);
    return [this, said, equal] {
      if (!equal) return ShowFailure(said);
      statusBar()->showMessage(said, 30'000);
    };
  });
}

void MainWindow::RememberFile(const QString& path) {
  if (path.startsWith(QLatin1Char(':'))) return;
  QSettings settings;
  QStringList files = settings.value(QLatin1String(MainWindow::kRecentFiles)).toStringList();
  const QString absolute = QFileInfo(path).absoluteFilePath();
  files.removeAll(absolute);
  files.prepend(absolute);
  while (files.size() > kMaxRecentFiles) files.removeLast();
  settings.setValue(QLatin1String(MainWindow::kRecentFiles), files);
  welcome_->ShowRecent(files);
}

bool MainWindow::Save() {
  const QString path = workspace_->path();
  // The text that was made from a proto or a program is no such thing: it never takes its place.
  if (path.isEmpty() || path.startsWith(QLatin1Char(':')) || workspace_->is_made()) return SaveAs();
  return SaveTo(path);
}

bool MainWindow::SaveAs() {
  const QFileInfo file(workspace_->path());
  const QString name = workspace_->is_made() ? file.completeBaseName() + QStringLiteral(".hlo") : file.fileName();
  const QString path = AskSavePath(this, tr("Save the module"), BesideFile(workspace_->path(), name),
                                   tr("HLO modules (*.hlo *.txt);;All files (*)"));
  return !path.isEmpty() && SaveTo(path);
}

MainWindow::OverwriteAnswer MainWindow::AskOverwrite() {
  QMessageBox box(
      QMessageBox::Warning, tr("The file has changed"),
      tr("Another program has written %1 since it was read here.").arg(QFileInfo(workspace_->path()).fileName()),
      QMessageBox::Cancel, this);
  box.setInformativeText(tr("Merging joins its changes with yours; nothing is written until you save again."));
  QPushButton* merge = box.addButton(tr("&Merge"), QMessageBox::AcceptRole);
  const QAbstractButton* compare = box.addButton(tr("&Compare"), QMessageBox::ActionRole);
  const QAbstractButton* overwrite = box.addButton(tr("&Overwrite"), QMessageBox::DestructiveRole);
  box.setDefaultButton(merge);
  box.exec();
  return box.clickedButton() == merge       ? OverwriteAnswer::kMerge
         : box.clickedButton() == compare   ? OverwriteAnswer::kCompare
         : box.clickedButton() == overwrite ? OverwriteAnswer::kOverwrite
                                            : OverwriteAnswer::kCancel;
}

void MainWindow::MergeWithFile() {
  const absl::StatusOr<std::shared_ptr<const SourceText>> file =
      SourceText::FromFile(QFile::encodeName(workspace_->path()).toStdString());
  if (!file.ok()) return ShowFailure(ToQString(file.status().message()));
  const auto bytes = [](absl::string_view text) {
    return QByteArray(text.data(), static_cast<qsizetype>(text.size()));
  };
  const QByteArray base = bytes(workspace_->known_text()->text()), theirs = bytes((*file)->text());
  const std::string mine = text_->CurrentText();
  merge_->Start([this, base, mine, theirs, file = *file](const std::atomic<bool>&) -> BackgroundTask::Done {
    const absl::StatusOr<MergedText> merged = MergeTexts(base, QByteArray::fromStdString(mine), theirs);
    return [this, merged, mine, file] {
      if (!merged.ok())
        return ShowFailure(tr("The texts were not merged: %1").arg(ToQString(merged.status().message())));
      if (text_->CurrentText() != mine) {
        statusBar()->showMessage(tr("The text was changed meanwhile; save again to merge."), 10'000);
        return;
      }
      text_->ReplaceText(QString::fromUtf8(merged->text));
      workspace_->TakeNote(file);
      statusBar()->showMessage(
          merged->has_conflicts
              ? tr("Merged; where both changed the same lines, both versions are between <<<<<<< and >>>>>>>.")
              : tr("Merged with the file. Save to write it."),
          20'000);
    };
  });
}

bool MainWindow::SaveTo(const QString& path) {
  if (QFileInfo(path) == QFileInfo(workspace_->path()) && workspace_->IsOutdated()) {
    const OverwriteAnswer answer = ask_overwrite();
    if (answer == OverwriteAnswer::kMerge) MergeWithFile();
    if (answer == OverwriteAnswer::kCompare) {
      dock("changes")->show();
      dock("changes")->raise();
      panel<ChangesPanel>()->CompareWith(path);
    }
    if (answer != OverwriteAnswer::kOverwrite) return false;
  }
  diagnostics_->model()->RemoveFailures();
  ShowDiagnosticCounts();
  const QString error = workspace_->Save(path, text_->CurrentText());
  statusBar()->showMessage(error.isEmpty() ? tr("Saved %1").arg(path) : error, 10'000);
  if (!error.isEmpty()) {
    ShowFailure(error);
    return false;
  }
  text_->document()->setModified(false);
  RememberFile(path);
  ShowTitle();
  return true;
}

// True if the text may be given up: it was saved, or the user says so.
bool MainWindow::MayDiscard() {
  if (!text_->is_modified()) return true;
  const auto answer =
      discard_answer_ != QMessageBox::NoButton
          ? discard_answer_
          : QMessageBox::warning(this, tr("Unsaved changes"),
                                 tr("%1 has changes that are not saved.").arg(QFileInfo(workspace_->path()).fileName()),
                                 QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
  if (answer == QMessageBox::Save) return Save();
  return answer == QMessageBox::Discard;
}

void MainWindow::OpenChosen(const QString& path) {
  static const QMetaMethod new_tab = QMetaMethod::fromSignal(&MainWindow::NewTabRequested);
  if (IsProfileName(path)) return OpenProfileFile(path);
  // What is open stays, with its run; a window without tabs has nowhere else to go.
  if (!is_empty() && isSignalConnected(new_tab)) {
    Q_EMIT NewTabRequested(path);
  } else {
    OpenPlace(path);
  }
}

// Its times are shown with the module that is open, which stays.
void MainWindow::OpenProfileFile(const QString& path) {
  panel<ProfilePanel>()->OpenFile(path);
  ShowDock(QStringLiteral("profile"));
}

void MainWindow::Open(const QString& path) {
  if (IsProfileName(path)) return OpenProfileFile(path);
  if (!MayDiscard()) return;
  wanted_line_ = 0;
  wanted_view_.clear();
  if (QFileInfo(path).isDir()) return OpenDumps(path);
  workspace_->Open(path);
}

}  // namespace hloscope::gui
