// SPDX-License-Identifier: Apache-2.0
// The app's window: text and graph in the middle, panels around them, the run's toolbar above.
#ifndef HLOSCOPE_GUI_MAIN_WINDOW_H_
#define HLOSCOPE_GUI_MAIN_WINDOW_H_

#include <QActionGroup>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QMainWindow>
#include <QMessageBox>
#include <QProgressBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>
#include <functional>
#include <memory>
#include <optional>

#include "gui/dock_table.h"
#include "gui/models/background_task.h"
#include "gui/models/preferences.h"
#include "gui/models/saved_session.h"
#include "gui/models/selection.h"
#include "gui/models/session_controller.h"
#include "gui/models/view_state.h"
#include "gui/models/workspace.h"
#include "gui/panels/computations_panel.h"
#include "gui/panels/diagnostics_panel.h"
#include "gui/panels/frames_panel.h"
#include "gui/panels/properties_panel.h"
#include "gui/panels/tensor_panel.h"
#include "gui/views/command_palette.h"
#include "gui/views/find_bar.h"
#include "gui/views/graph_pane.h"
#include "gui/views/signature_hint.h"
#include "gui/views/text_completer.h"
#include "gui/views/text_view.h"
#include "gui/views/welcome_page.h"

namespace hloscope::gui {

class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  // Where the settings keep the window's place on the screen, and where its panels are.
  static constexpr char kGeometry[] = "geometry", kWindowState[] = "window_state";

  explicit MainWindow(QWidget* parent = nullptr);

  // Asks first if the text has changes that are not saved.
  void Open(const QString& path);
  // "module.hlo:12": at that line; or a session. `view`: how it is shown, as ViewState writes it.
  void OpenPlace(const QString& place, const QString& view = QString());
  // A file that was chosen in the window: in a tab of its own if something is open in this one.
  void OpenChosen(const QString& path);
  // Whether nothing is open, nor being opened.
  bool is_empty() const { return selection_->document() == nullptr && !workspace_->loading(); }
  // Where what is open is written down from now on, in case of a crash. What a crash has left there is opened again if
  // `restore`; true if there was something.
  bool KeepSession(const QString& folder, bool restore = true);
  // Writes it down now, as the clock does every few seconds.
  void WriteSession();
  // Opens what a crash has left.
  void RestoreAfterCrash(const SavedSession& session) {
    after_crash_ = true;
    Restore(session);
  }
  // All that is open and how it is shown, in a file. False if it cannot be written or read; what is wrong is listed.
  bool SaveSessionTo(const QString& path);
  bool OpenSession(const QString& path);
  bool Save();
  bool SaveTo(const QString& path);
  // What the question about unsaved changes is answered with, without showing it; NoButton: it is shown.
  void SetDiscardAnswer(QMessageBox::StandardButton answer) { discard_answer_ = answer; }
  // What to do where saving would overwrite what another program wrote meanwhile. The dialog, or what a test puts in
  // its place.
  enum class OverwriteAnswer { kOverwrite, kMerge, kCompare, kCancel };
  std::function<OverwriteAnswer()> ask_overwrite = [this] { return AskOverwrite(); };
  // Where to open a file while a run of another one is under way.
  enum class OpenAnswer { kHere, kNewTab, kCancel };
  std::function<OpenAnswer(const QString& path)> ask_open = [this](const QString& path) { return AskOpen(path); };
  // Which element of the next instruction's result to enter; nothing: none. `suggested` is its index so far.
  std::function<std::optional<std::vector<int64_t>>(const Shape& shape, const std::vector<int64_t>& suggested)>
      ask_element =
          [this](const Shape& shape, const std::vector<int64_t>& suggested) { return AskElement(shape, suggested); };
  // The line to go to, counted from 1; nothing: none. `current`: where the cursor is; `count`: of all lines.
  std::function<std::optional<int>(int current, int count)> ask_line = [this](int current, int count) {
    return AskLine(current, count);
  };
  // "system", "light" or "dark".
  static void SetAppearance(const QString& name);

  const Preferences& preferences() const { return preferences_; }
  // Saves them and does what they say.
  void SetPreferences(const Preferences& preferences);
  // The dialog; there is at most one.
  void ShowPreferences();

  Selection* selection() { return selection_; }
  Workspace* workspace() { return workspace_; }
  SessionController* session() { return session_; }
  TextView* text_view() { return text_; }
  TextCompleter* completer() { return completer_; }
  SignatureHint* signature_hint() { return signature_; }
  GraphPane* graph_pane() { return graph_; }
  ComputationsPanel* computations_panel() { return computations_; }
  PropertiesPanel* properties_panel() { return properties_; }
  TensorPanel* value_panel() { return values_; }
  FramesPanel* frames_panel() { return frames_; }
  WelcomePage* welcome_page() { return welcome_; }
  // The list of all commands; the caller shows it.
  CommandPalette* MakePalette();
  // Shows the dock of that name, in front of others in its place, and goes there.
  void ShowDock(const QString& name);
  // The panel in the whole centre instead of text and graph, until it is called again or the panel goes back; null:
  // none.
  void EnlargeDock(QDockWidget* dock);
  QDockWidget* enlarged_dock() { return enlarged_; }
  // A line for a terminal that opens the file where the selection is, as it is shown.
  QString LineOfView() const;
  ViewState CurrentView() const;
  // Shows what is open so, as ViewState writes it; empty: as it is.
  void ShowView(const QString& text);
  // Where panels are at the first start, for a window of this size.
  void ResetDocks();
  void SetGraphBeside(bool beside);
  // The panel that the cursor is in, or the one in the centre; null: neither.
  QDockWidget* FocusedDock() const;
  // A picture of the panel, by the ending of the path. What went wrong; empty if nothing.
  QString ExportPanel(QDockWidget* dock, const QString& path);
  DiagnosticsPanel* diagnostics_panel() { return diagnostics_; }
  // The dock of a row of the dock table by its name; null if there is none.
  QDockWidget* dock(const char* name) { return findChild<QDockWidget*>(QLatin1String(name)); }
  // The panel of a type from the dock table; null if there is none.
  template <typename Panel>
  Panel* panel() {
    return findChild<Panel*>();
  }
  // The action of a menu or toolbar entry by its object name ("step_over"); null if there is none.
  QAction* action(const char* name) { return findChild<QAction*>(QLatin1String(name)); }

 Q_SIGNALS:
  // To the window of tabs that this is in. `place`: to be opened there; empty: nothing.
  void NewTabRequested(const QString& place);
  void NewWindowRequested();
  void CloseRequested();
  void NextTabRequested(int by);
  void MoveToWindowRequested();

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  static constexpr char kRecentFiles[] = "recent_files";

  QAction* AddAction(QMenu* menu, const char* name, const QString& caption, const QKeySequence& shortcut,
                     const QString& tool_tip);
  void BuildCenter();
  void BuildStatusBar();
  void FollowFile();
  void FollowRun();
  QWidget* MakeEnlargedPage();
  QWidget* MakePlaceLabel();
  void KeepOnScreen(QDockWidget* dock);
  void BuildDocks();
  void BuildFileMenu();
  void BuildEditMenu();
  void BuildGoMenu();
  void BuildViewMenu();
  void AddDockActions();
  void AddArrangementActions();
  // As large as fits the screen.
  void ResizeToScreen();
  void SizeDocks();
  void FollowBookmarks();
  void BuildRunMenu();
  void ChooseFile();
  void ChooseArguments(const QStringList& files = QStringList());
  void ShowRecentFiles();
  void RememberFile(const QString& path);
  void ShowOpening(bool shown);
  void ChooseFolder();
  void OpenDumps(const QString& folder);
  void OpenProfileFile(const QString& path);
  // What the file is besides its text: a snapshot's values, several modules, a program.
  void ShowSource();
  void CompareWithRecorded();
  void ShowDocument();
  void ShowFailure(const QString& message, std::optional<SourceRange> at = std::nullopt);
  void ShowProblems();
  void ShowDiagnosticCounts();
  void ShowTitle();
  bool SaveAs();
  void BuildHelpMenu();
  void ApplyPreferences(const Preferences& before, bool all);
  void ChangeTextSize(int by);
  // Where the panels are, for the next start; also for one after a crash.
  void SaveDocks();
  void Restore(const SavedSession& session);
  void ShowBeside(const SavedSession::Beside& beside);
  // What a session says of a module that has been opened.
  void FinishRestoring();
  void ChooseSession(bool save);
  void AddTabActions(QMenu* menu);
  SavedSession CurrentSession() const;
  bool MayDiscard();
  OverwriteAnswer AskOverwrite();
  OpenAnswer AskOpen(const QString& path);
  // Puts the changes of the file and those made here together; the result is the text, not saved yet.
  void MergeWithFile();
  void RevealLine(int line);
  void GoToLine();
  std::optional<int> AskLine(int current, int count);
  void ShowRunState();
  void FollowExecution();
  // Goes into what the next instruction calls; where it applies something to elements, into the chosen one.
  void StepInto();
  std::optional<std::vector<int64_t>> AskElement(const Shape& shape, const std::vector<int64_t>& suggested);

  Preferences preferences_ = Preferences::Load();
  Selection* selection_;
  Workspace* workspace_;
  SessionController* session_;

  QStackedWidget* center_;
  QSplitter* splitter_;     // of graph and text
  QWidget* enlarged_page_;  // of the centre
  QLabel* enlarged_title_;
  QDockWidget* enlarged_ = nullptr;  // whose panel is there
  WelcomePage* welcome_;
  TextView* text_;
  FindBar* find_;
  TextCompleter* completer_;
  SignatureHint* signature_;
  GraphPane* graph_;
  ComputationsPanel* computations_;
  PropertiesPanel* properties_;
  TensorPanel* values_;
  FramesPanel* frames_;
  DiagnosticsPanel* diagnostics_;
  QDockWidget* diagnostics_dock_;
  bool problems_shown_ = true;  // by the window itself, in this start or the last one, not because it was asked for
  QMenu* recent_menu_;
  QMenu* window_menu_;
  QLabel* run_label_;
  QToolButton* problems_label_;  // a click shows them
  QProgressBar* run_progress_;
  QTimer run_clock_;
  QTimer opening_clock_;  // until the progress of opening is worth showing
  QProgressBar* opening_progress_;
  QToolButton* opening_cancel_;
  QString opening_message_;
  QComboBox* modules_;  // of the file, where it has several
  BackgroundTask* merge_;
  BackgroundTask* recorded_task_;
  std::unique_ptr<SessionStore> store_;  // null: nothing is written down
  QTimer session_clock_;
  SavedSession written_;  // last
  ProfileOverlay* profile_;
  RunMoment returning_;     // where the run of an opened session goes
  SavedSession restoring_;  // what waits for its module
  bool after_crash_ = false;
  QByteArray saved_geometry_, saved_docks_;
  bool size_docks_ = true;  // when the window is first shown: nobody has arranged them yet
  int wanted_line_ = 0;     // of the file that is being opened
  QString wanted_view_;
  QMessageBox::StandardButton discard_answer_ = QMessageBox::NoButton;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MAIN_WINDOW_H_
