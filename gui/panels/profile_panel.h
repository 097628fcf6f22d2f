// SPDX-License-Identifier: Apache-2.0
// A profile that was measured on a device: its events in lanes, where the time went and where it could be gained, the
// limits of the device, and what takes longer or shorter than in another profile.
#ifndef HLOSCOPE_GUI_PANELS_PROFILE_PANEL_H_
#define HLOSCOPE_GUI_PANELS_PROFILE_PANEL_H_

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTabWidget>
#include <QTreeView>
#include <QTreeWidget>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "gui/models/background_task.h"
#include "gui/models/compared_profiles.h"
#include "gui/models/opened_profile.h"
#include "gui/models/selection.h"
#include "gui/views/roofline_view.h"
#include "gui/views/time_spans_view.h"

namespace hloscope::gui {

class ProfilePanel : public QWidget {
  Q_OBJECT

 public:
  ProfilePanel(Selection* selection, ProfileOverlay* overlay, QWidget* parent = nullptr);

  // Returns at once, as what follows.
  void OpenFile(const QString& path);
  // With what takes longer or shorter than in the other profile, which is the one from before; empty: without.
  void CompareWith(const QString& path);
  // Adds the rows of a user's table of devices to those that can be chosen.
  void AddDevices(const QString& path);
  // Which file to open; the dialog, or what a test puts in its place.
  std::function<QString(const QString& title, const QString& filter)> ask_file =
      [this](const QString& title, const QString& filter) { return AskFile(title, filter); };
  bool busy() const { return task_->busy(); }
  const OpenedProfile* profile() const { return profile_.has_value() ? &*profile_ : nullptr; }
  QString summary() const { return summary_->text(); }
  TimeSpansView* lanes() { return lanes_; }
  QTreeView* instructions() { return instructions_; }
  RooflineView* roofline() { return roofline_; }
  QTreeWidget* groups() { return groups_; }
  QComboBox* grouping() { return grouping_; }
  QComboBox* device() { return device_; }
  QTreeWidget* left_over() { return left_over_; }
  QPushButton* open() { return open_; }
  QPushButton* compare() { return compare_; }
  QPushButton* swap() { return swap_; }
  QPushButton* end_comparison() { return end_comparison_; }
  QPushButton* open_module() { return open_module_; }
  QPushButton* use_module() { return use_module_; }
  QComboBox* programs() { return programs_; }
  QTreeView* compared() { return compared_; }
  // What is shown, and the user's table of devices (empty: none).
  const ProfileRequest& shown_request() const { return shown_; }
  const QString& devices_path() const { return devices_path_; }
  QTabWidget* tabs() { return tabs_; }

 Q_SIGNALS:
  // The module of a program inside the profile is wanted as a document.
  void ModuleChosen(const QString& name, const QByteArray& text);
  // Times for the open document were read.
  void TimesShown();
  // Somebody wants to see two profiles beside each other, which takes room.
  void ComparisonChosen();

 private:
  QString AskFile(const QString& title, const QString& filter);
  QWidget* MakeTop();
  QWidget* MakeControls();
  QWidget* MakeTabs();
  QWidget* MakeGroups();
  void ConnectControls();
  QTreeView* MakeTable(QAbstractItemModel* rows, QSortFilterProxyModel* sorted, int sort_column, const QString& name);
  QTreeWidget* MakeTree(const QString& name, const QStringList& titles);
  // Reads what `wanted_` says. What is shown stays if that fails.
  void Read();
  void ShowWanted();
  void ChooseDevice();
  void Show(OpenedProfile profile);
  void ShowLimits();
  void ShowPrograms();
  void ShowComparison();
  void ShowGroups();
  void ShowLeftOver();
  // Gives the views of the window the times of the open document.
  void ShowTimes();
  // A row of the analysis, or of the comparison.
  void ChooseRow(int row);
  void ChooseCompared(int row);
  void MarkRow(int row);
  // Shows the selected instruction in all views.
  void FollowSelection();
  // False if the module is not open.
  bool SelectInstruction(const std::string& module, const std::string& name);
  void OpenModule();
  void SetBusy(bool busy);

  Selection* selection_;
  ProfileOverlay* overlay_;
  BackgroundTask* task_;
  QLabel* summary_;
  QComboBox* programs_;
  QComboBox* device_;
  QPushButton* open_;
  QPushButton* compare_;
  QPushButton* swap_;
  QPushButton* end_comparison_;
  QPushButton* open_module_;
  QPushButton* use_module_;
  QProgressBar* progress_;
  QPushButton* cancel_;
  QTabWidget* tabs_;
  QLineEdit* filter_;
  TimeSpansView* lanes_;
  ProfileTableModel* model_;
  QSortFilterProxyModel* sorted_;
  QTreeView* instructions_;
  ComparedProfilesModel* compared_model_;
  QSortFilterProxyModel* compared_sorted_;
  QTreeView* compared_;
  RooflineView* roofline_;
  QComboBox* grouping_;
  QTreeWidget* groups_;
  QTreeWidget* left_over_;
  ProfileRequest wanted_, shown_;
  QString devices_path_;  // of the user's table; empty: none
  int row_ = -1;          // chosen
  std::optional<OpenedProfile> profile_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_PANELS_PROFILE_PANEL_H_
