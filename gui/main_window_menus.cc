// SPDX-License-Identifier: Apache-2.0
// The window's menus, its toolbar and what the preferences change.
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QMenuBar>
#include <QSettings>
#include <algorithm>
#include <utility>

#include "gui/main_window.h"
#include "gui/models/markdown.h"
#include "gui/panels/bookmarks_panel.h"
#include "gui/panels/preferences_dialog.h"
#include "gui/views/app_style.h"
#include "gui/views/fitting_tool_bar.h"
#include "gui/views/icons.h"

namespace hloscope::gui {

QAction* MainWindow::AddAction(QMenu* menu, const char* name, const QString& caption, const QKeySequence& shortcut,
                               const QString& tool_tip) {
  QAction* action = menu->addAction(caption);
  action->setObjectName(QLatin1String(name));
  action->setShortcut(shortcut);
  const QString key = shortcut.toString(QKeySequence::NativeText);
  action->setToolTip(key.isEmpty() ? tool_tip : QStringLiteral("%1 (%2)").arg(tool_tip, key));
  action->setStatusTip(tool_tip);
  return action;
}

void MainWindow::BuildFileMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&File"));
  QAction* open = AddAction(menu, "open", tr("&Open..."), QKeySequence::Open, tr("Open an HLO module"));
  connect(open, &QAction::triggered, this, &MainWindow::ChooseFile);
  QAction* folder =
      AddAction(menu, "open_folder", tr("Open &Folder..."), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O),
                tr("Open a folder that XLA has written its dumps to"));
  connect(folder, &QAction::triggered, this, &MainWindow::ChooseFolder);
  recent_menu_ = menu->addMenu(tr("Open &Recent"));
  connect(recent_menu_, &QMenu::aboutToShow, this, &MainWindow::ShowRecentFiles);
  QMenu* examples = menu->addMenu(tr("Open &Example"));
  for (const QString& name : QDir(QStringLiteral(":/examples")).entryList()) {
    connect(examples->addAction(name), &QAction::triggered, this,
            [this, name] { OpenChosen(QStringLiteral(":/examples/") + name); });
  }
  QAction* reload = AddAction(menu, "reload", tr("Re&load"), QKeySequence(Qt::CTRL | Qt::Key_R),
                              tr("Read the file again and stay at the same place"));
  connect(reload, &QAction::triggered, this, [this] {
    if (MayDiscard()) workspace_->Reload();
  });
  menu->addSeparator();
  QAction* save = AddAction(menu, "save", tr("&Save"), QKeySequence::Save, tr("Write the text to its file"));
  connect(save, &QAction::triggered, this, [this] { Save(); });
  QAction* save_as = AddAction(menu, "save_as", tr("Save &As..."), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S),
                               tr("Write the text to another file"));
  connect(save_as, &QAction::triggered, this, [this] { SaveAs(); });
  menu->addSeparator();
  QAction* open_session = AddAction(menu, "open_session", tr("Open Sessio&n..."), QKeySequence(),
                                    tr("Open a file with the inputs, breakpoints, watches and panels that it had"));
  connect(open_session, &QAction::triggered, this, [this] { ChooseSession(/*save=*/false); });
  QAction* save_session = AddAction(menu, "save_session", tr("Save Session As..."), QKeySequence(),
                                    tr("Write inputs, breakpoints, watches and the layout of panels to a file"));
  connect(save_session, &QAction::triggered, this, [this] { ChooseSession(/*save=*/true); });
  menu->addSeparator();
  AddTabActions(menu);
  menu->addSeparator();
  QAction* quit = AddAction(menu, "quit", tr("&Quit"), QKeySequence::Quit, tr("Close all windows"));
  connect(quit, &QAction::triggered, this, &QApplication::closeAllWindows);
}

void MainWindow::BuildEditMenu() {
  QMenu* edit = menuBar()->addMenu(tr("&Edit"));
  QAction* undo = AddAction(edit, "undo", tr("&Undo"), QKeySequence::Undo, tr("Take back the last change of the text"));
  connect(undo, &QAction::triggered, text_, &TextView::undo);
  connect(text_, &TextView::undoAvailable, undo, &QAction::setEnabled);
  QAction* redo = AddAction(edit, "redo", tr("&Redo"), QKeySequence::Redo, tr("Make the change again"));
  connect(redo, &QAction::triggered, text_, &TextView::redo);
  connect(text_, &TextView::redoAvailable, redo, &QAction::setEnabled);
  undo->setEnabled(false);
  redo->setEnabled(false);
  edit->addSeparator();
  QAction* cut = AddAction(edit, "cut", tr("Cu&t"), QKeySequence(), tr("Cut the selected text"));
  connect(cut, &QAction::triggered, text_, &TextView::cut);
  QAction* copy = AddAction(edit, "copy", tr("&Copy"), QKeySequence(), tr("Copy the selected text"));
  connect(copy, &QAction::triggered, text_, &TextView::copy);
  QAction* paste = AddAction(edit, "paste", tr("&Paste"), QKeySequence(), tr("Insert what was cut or copied"));
  connect(paste, &QAction::triggered, text_, &TextView::paste);
  QAction* all = AddAction(edit, "select_all", tr("Select &All"), QKeySequence(), tr("Select the whole text"));
  connect(all, &QAction::triggered, text_, &TextView::selectAll);
  QAction* complete = AddAction(edit, "complete", tr("C&omplete"), QKeySequence(),
                                tr("What can be written at the cursor (Ctrl+Space in the text)"));
  connect(complete, &QAction::triggered, this, [this] {
    text_->setFocus();
    completer_->Trigger();
  });
  QAction* signature = AddAction(edit, "signature", tr("Operands of the &Operation"), QKeySequence(),
                                 tr("What the operation at the cursor takes (Ctrl+Shift+Space in the text)"));
  connect(signature, &QAction::triggered, this, [this] {
    text_->setFocus();
    signature_->Trigger();
  });
  edit->addSeparator();
  QAction* fix = AddAction(edit, "fix", tr("Fi&x at the Cursor..."), QKeySequence(Qt::CTRL | Qt::Key_Period),
                           tr("What could be done about the problem at the cursor"));
  connect(fix, &QAction::triggered, text_, &TextView::OfferFixes);
  QAction* fold = AddAction(edit, "fold_all", tr("Fold All Computations"), QKeySequence(), tr("Show only first lines"));
  connect(fold, &QAction::triggered, this, [this] { text_->SetAllFolded(true); });
  QAction* unfold = AddAction(edit, "unfold_all", tr("Unfold All Computations"), QKeySequence(), tr("Show every line"));
  connect(unfold, &QAction::triggered, this, [this] { text_->SetAllFolded(false); });

  edit->addSeparator();
  QAction* preferences = AddAction(edit, "preferences", tr("&Preferences..."), QKeySequence(Qt::CTRL | Qt::Key_Comma),
                                   tr("Colours, sizes, limits"));
  connect(preferences, &QAction::triggered, this, &MainWindow::ShowPreferences);
}

void MainWindow::BuildGoMenu() {
  QMenu* go = menuBar()->addMenu(tr("&Go"));
  QAction* bookmark = AddAction(go, "bookmark", tr("Book&mark"), QKeySequence(Qt::CTRL | Qt::Key_B),
                                tr("Set or remove a bookmark at the selected instruction"));
  connect(bookmark, &QAction::triggered, this, [this] {
    panel<BookmarksPanel>()->Toggle();
    ShowDock(QStringLiteral("bookmarks"));
  });
  QAction* copy_line = AddAction(go, "copy_view_line", tr("&Copy a Line That Opens This View"), QKeySequence(),
                                 tr("A command that opens the file at the selected instruction, with this view of it"));
  connect(copy_line, &QAction::triggered, this, [this] { QGuiApplication::clipboard()->setText(LineOfView()); });
  QAction* markdown = AddAction(go, "copy_markdown", tr("Copy as &Markdown"), QKeySequence(),
                                tr("The selected instruction with its neighbours, for a bug report"));
  connect(markdown, &QAction::triggered, this, [this] {
    if (!selection_->instruction().has_value()) return;
    const QString line = LineOfView();
    QGuiApplication::clipboard()->setText(MarkdownOfInstruction(*selection_->document(), selection_->instruction()) +
                                          (line.isEmpty() ? QString() : QStringLiteral("\n    %1\n").arg(line)));
  });
  QAction* find = AddAction(go, "find", tr("&Find in Text"), QKeySequence::Find, tr("Find in the module's text"));
  connect(find, &QAction::triggered, find_, &FindBar::Activate);
  QAction* search = AddAction(go, "search", tr("Find &Instruction or Computation"), QKeySequence(Qt::CTRL | Qt::Key_P),
                              tr("By name, opcode, shape, source line, attribute or value"));
  connect(search, &QAction::triggered, computations_, &ComputationsPanel::FocusSearch);
  QAction* line = AddAction(go, "go_to_line", tr("Go to &Line..."), QKeySequence(Qt::CTRL | Qt::Key_G),
                            tr("Go to a line of the text by its number"));
  connect(line, &QAction::triggered, this, &MainWindow::GoToLine);
  QAction* definition = AddAction(go, "definition", tr("Go to &Definition"), QKeySequence(Qt::Key_F12),
                                  tr("Where the name at the text's cursor is defined"));
  connect(definition, &QAction::triggered, text_, &TextView::GoToDefinition);
  go->addSeparator();
  QAction* back =
      AddAction(go, "back", tr("&Back"), QKeySequence(Qt::ALT | Qt::Key_Left), tr("The place selected before"));
  connect(back, &QAction::triggered, selection_, &Selection::GoBack);
  QAction* forward =
      AddAction(go, "forward", tr("For&ward"), QKeySequence(Qt::ALT | Qt::Key_Right), tr("The place selected next"));
  connect(forward, &QAction::triggered, selection_, &Selection::GoForward);
  auto update = [this, back, forward] {
    back->setEnabled(selection_->can_go_back());
    forward->setEnabled(selection_->can_go_forward());
  };
  connect(selection_, &Selection::Changed, this, update);
  update();
}

void MainWindow::AddTabActions(QMenu* menu) {
  QAction* tab = AddAction(menu, "new_tab", tr("New &Tab"), QKeySequence(Qt::CTRL | Qt::Key_T),
                           tr("An empty tab beside this one"));
  connect(tab, &QAction::triggered, this, [this] { Q_EMIT NewTabRequested(QString()); });
  QAction* window = AddAction(menu, "new_window", tr("New &Window"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N),
                              tr("A second window, for another screen"));
  connect(window, &QAction::triggered, this, &MainWindow::NewWindowRequested);
  QAction* move = AddAction(menu, "move_tab", tr("&Move Tab to New Window"), QKeySequence(),
                            tr("Give this tab a window of its own, with its run"));
  connect(move, &QAction::triggered, this, &MainWindow::MoveToWindowRequested);
  QAction* next = AddAction(menu, "next_tab", tr("Next Tab"), QKeySequence(Qt::CTRL | Qt::Key_PageDown),
                            tr("The tab to the right"));
  connect(next, &QAction::triggered, this, [this] { Q_EMIT NextTabRequested(1); });
  QAction* previous = AddAction(menu, "previous_tab", tr("Previous Tab"), QKeySequence(Qt::CTRL | Qt::Key_PageUp),
                                tr("The tab to the left"));
  connect(previous, &QAction::triggered, this, [this] { Q_EMIT NextTabRequested(-1); });
  QAction* close =
      AddAction(menu, "close_tab", tr("&Close"), QKeySequence(Qt::CTRL | Qt::Key_W), tr("Close the file, and its tab"));
  connect(close, &QAction::triggered, this, &MainWindow::CloseRequested);
}

void MainWindow::BuildRunMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&Run"));
  auto* bar = new FittingToolBar(tr("Run"));
  bar->setObjectName(QStringLiteral("run_toolbar"));
  bar->setIconSize(QSize(18, 18));
  addToolBar(bar);
  // Icons that everybody knows are the first to lose their words.
  const QStringList by_rank = {"pause",     "stop",      "breakpoint", "restart",   "step_back",  "reverse", "step_out",
                               "step_into", "step_over", "run_to",     "arguments", "run_to_nan", "run"};
  auto add = [&](const char* name, Icon icon, const QString& caption, const QKeySequence& shortcut,
                 const QString& tool_tip, auto slot) {
    QAction* action = AddAction(menu, name, caption, shortcut, tool_tip);
    action->setIcon(MakeIcon(icon));
    const bool is_run = action->objectName() == QLatin1String("run");
    bar->AddButton(action, static_cast<int>(by_rank.indexOf(action->objectName())),
                   is_run ? QStringList(tr("Continue")) : QStringList());
    connect(action, &QAction::triggered, this, slot);
    return action;
  };
  using Command = SessionController::Command;
  add("run", Icon::kRun, tr("Run"), QKeySequence(Qt::Key_F5), tr("Run to the next breakpoint or to the end"),
      [this] { session_->Execute(Command::kRun); });
  add("pause", Icon::kPause, tr("Pause"), QKeySequence(Qt::Key_F6), tr("Stop before the next instruction"),
      [this] { session_->Pause(); });
  add("step_over", Icon::kStepOver, tr("Step Over"), QKeySequence(Qt::Key_F10),
      tr("Execute the instruction with everything it calls"), [this] { session_->Execute(Command::kStepOver); });
  add("step_into", Icon::kStepInto, tr("Step Into"), QKeySequence(Qt::Key_F11),
      tr("Enter the computation that the instruction calls, or applies to an element"), [this] { StepInto(); });
  add("step_out", Icon::kStepOut, tr("Step Out"), QKeySequence(Qt::SHIFT | Qt::Key_F11),
      tr("Run until the computation returns"), [this] { session_->Execute(Command::kStepOut); });
  add("run_to", Icon::kRunTo, tr("Run to Selection"), QKeySequence(Qt::CTRL | Qt::Key_F10),
      tr("Run until the selected instruction is next"), [this] {
        if (selection_->instruction().has_value()) session_->Execute(Command::kRunTo, selection_->instruction());
      });
  bar->addSeparator();
  menu->addSeparator();
  add("step_back", Icon::kStepBack, tr("Step Back"), QKeySequence(Qt::SHIFT | Qt::Key_F10), tr("Undo the last step"),
      [this] { session_->Execute(Command::kStepBack); });
  add("reverse", Icon::kReverse, tr("Reverse"), QKeySequence(Qt::SHIFT | Qt::Key_F6),
      tr("Back to the breakpoint before, or to the start"), [this] { session_->Execute(Command::kReverse); });
  add("run_to_nan", Icon::kRunToNan, tr("Run to NaN"), QKeySequence(Qt::CTRL | Qt::Key_F5),
      tr("Run until an instruction gives a NaN or an infinity"),
      [this] { session_->Execute(Command::kRunToNonFinite); });
  bar->addSeparator();
  menu->addSeparator();
  add("restart", Icon::kRestart, tr("Restart"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F5),
      tr("Back to the first instruction"), [this] { session_->Restart(); });
  add("stop", Icon::kStop, tr("Stop"), QKeySequence(Qt::SHIFT | Qt::Key_F5), tr("End the run and drop its values"),
      [this] { session_->Stop(); });
  bar->addSeparator();
  menu->addSeparator();
  add("breakpoint", Icon::kBreakpoint, tr("Breakpoint"), QKeySequence(Qt::Key_F9),
      tr("Set or remove a breakpoint at the selected instruction"),
      [this] { session_->ToggleBreakpoint(selection_->instruction()); });
  add("arguments", Icon::kArguments, tr("Arguments..."), QKeySequence(), tr("Choose the entry computation's arguments"),
      [this] { ChooseArguments(); });
}

void MainWindow::BuildViewMenu() {
  window_menu_ = menuBar()->addMenu(tr("&View"));
  AddDockActions();
  window_menu_->addSeparator();
  AddArrangementActions();
  window_menu_->addSeparator();
  QAction* hints = AddAction(window_menu_, "value_hints", tr("&Values in the Text"), QKeySequence(),
                             tr("Show what the run computed at the ends of lines"));
  hints->setCheckable(true);
  connect(hints, &QAction::triggered, this, [this](bool shown) {
    Preferences changed = preferences_;
    changed.value_hints = shown;
    SetPreferences(changed);
  });
  QAction* larger = AddAction(window_menu_, "larger_text", tr("&Larger Text"), QKeySequence(Qt::CTRL | Qt::Key_Plus),
                              tr("Make the module's text larger"));
  connect(larger, &QAction::triggered, this, [this] { ChangeTextSize(1); });
  QAction* smaller = AddAction(window_menu_, "smaller_text", tr("S&maller Text"),
                               QKeySequence(Qt::CTRL | Qt::Key_Minus), tr("Make the module's text smaller"));
  connect(smaller, &QAction::triggered, this, [this] { ChangeTextSize(-1); });
  window_menu_->addSeparator();
  QMenu* appearance = window_menu_->addMenu(tr("&Appearance"));
  auto* group = new QActionGroup(this);
  for (const auto& [name, caption] :
       {std::pair(QStringLiteral("system"), tr("As the system")), std::pair(QStringLiteral("light"), tr("Light")),
        std::pair(QStringLiteral("dark"), tr("Dark"))}) {
    QAction* action = appearance->addAction(caption);
    action->setObjectName(QLatin1String("appearance_") + name);
    action->setCheckable(true);
    group->addAction(action);
    connect(action, &QAction::triggered, this, [this, name = name] {
      Preferences changed = preferences_;
      changed.appearance = name;
      SetPreferences(changed);
    });
  }
}

void MainWindow::BuildHelpMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&Help"));
  QAction* palette = AddAction(menu, "commands", tr("&Commands and Shortcuts..."),
                               QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), tr("Find a command by its name"));
  connect(palette, &QAction::triggered, this, [this] { MakePalette()->open(); });
  QAction* about = AddAction(menu, "about", tr("&About HLOscope"), QKeySequence(), tr("Version and licence"));
  connect(about, &QAction::triggered, this, [this] {
    auto* box = new QMessageBox(
        QMessageBox::Information, tr("About HLOscope"),
        tr("HLOscope %1\nA visual debugger for XLA HLO modules.").arg(QApplication::applicationVersion()),
        QMessageBox::Ok, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
  });
}

CommandPalette* MainWindow::MakePalette() {
  QList<QAction*> actions;
  for (QAction* action : findChildren<QAction*>()) {
    if (!action->objectName().isEmpty() && action->parent() != this) actions.push_back(action);
  }
  auto* palette = new CommandPalette(actions, this);
  palette->setAttribute(Qt::WA_DeleteOnClose);
  return palette;
}

void MainWindow::SetAppearance(const QString& name) {
  const bool is_chosen = name == QLatin1String("light") || name == QLatin1String("dark");
  // The style of a desktop stays with the colours of that desktop; without one, Qt has no better than ours.
  if (is_chosen || QApplication::style()->name() == QLatin1String("fusion")) QApplication::setStyle(new AppStyle);
  if (is_chosen) {
    QApplication::setPalette(name == QLatin1String("dark") ? Theme::DarkPalette() : Theme::LightPalette());
  } else {
    QApplication::setPalette(QPalette());
  }
}

void MainWindow::ShowRecentFiles() {
  recent_menu_->clear();
  for (const QString& path : QSettings().value(QLatin1String(kRecentFiles)).toStringList()) {
    connect(recent_menu_->addAction(path), &QAction::triggered, this, [this, path] { OpenChosen(path); });
  }
  if (recent_menu_->isEmpty()) recent_menu_->addAction(tr("(none yet)"))->setEnabled(false);
}

void MainWindow::ShowPreferences() {
  auto* dialog = findChild<PreferencesDialog*>();
  if (dialog == nullptr) {
    dialog = new PreferencesDialog(preferences_, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &PreferencesDialog::Changed, this, &MainWindow::SetPreferences);
  }
  dialog->show();
  dialog->raise();
  dialog->activateWindow();
}

void MainWindow::SetPreferences(const Preferences& preferences) {
  if (preferences == preferences_) return;
  const Preferences before = std::exchange(preferences_, preferences);
  preferences_.Save();
  ApplyPreferences(before, /*all=*/false);
  if (auto* dialog = findChild<PreferencesDialog*>()) dialog->SetPreferences(preferences_);
}

// `all`: whether they differ or not.
void MainWindow::ApplyPreferences(const Preferences& before, bool all) {
  const Preferences& now = preferences_;
  action("value_hints")->setChecked(now.value_hints);
  action(qPrintable(QLatin1String("appearance_") + now.appearance))->setChecked(true);
  // At the start, main() has set the colours: the command line may have its own.
  if (now.appearance != before.appearance) SetAppearance(now.appearance);
  if (all || now.code_font != before.code_font) text_->SetFontSize(now.code_font);
  workspace_->SetTextFont(text_->font());
  if (all || now.value_hints != before.value_hints) text_->SetValueHints(now.value_hints);
  session_->SetLimits(now.MemoryLimit(), now.threads);
  if (all || now.fill != before.fill) {
    ArgumentSource arguments = session_->arguments();
    arguments.fill = now.fill;
    session_->SetArguments(arguments);
  }
  graph_->SetLimits(static_cast<size_t>(now.whole_computation), static_cast<size_t>(now.graphviz_boxes));
}

void MainWindow::ChangeTextSize(int by) {
  Preferences changed = preferences_;
  changed.code_font = std::clamp(changed.code_font + by, Preferences::kLeastFont, Preferences::kMostFont);
  SetPreferences(changed);
}

}  // namespace hloscope::gui
