// SPDX-License-Identifier: Apache-2.0
// A profile that was measured on a device: its events in lanes, where the time went and where it could be gained, the
// limits of the device.
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
#include <memory>
#include <optional>

#include "gui/models/background_task.h"
#include "gui/models/opened_profile.h"
#include "gui/models/selection.h"
#include "gui/views/roofline_view.h"
#include "gui/views/time_spans_view.h"

namespace hloscope::gui {

class ProfilePanel : public QWidget {
  Q_OBJECT

 public:
  ProfilePanel(Selection* selection, ProfileOverlay* overlay, QWidget* parent = nullptr);

  // Returns at once.
  void OpenFile(const QString& path);
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
  QPushButton* open_module() { return open_module_; }
  QTabWidget* tabs() { return tabs_; }

 Q_SIGNALS:
  void OpenRequested();
  // The module of a program inside the profile is wanted as a document.
  void ModuleChosen(const QString& name, const QByteArray& text);
  // Times for the open document were read.
  void TimesShown();

 private:
  QWidget* MakeTop();
  QWidget* MakeTabs();
  QTreeWidget* MakeTree(const QString& name, const QStringList& titles);
  void Show(OpenedProfile profile);
  void ShowGroups();
  void ShowLeftOver();
  // Gives the views of the window the times of the open document.
  void ShowTimes();
  // A row of the analysis.
  void ChooseRow(int row);
  void OpenModule();
  void SetBusy(bool busy);

  Selection* selection_;
  ProfileOverlay* overlay_;
  BackgroundTask* task_;
  QLabel* summary_;
  QComboBox* device_;
  QPushButton* open_;
  QPushButton* open_module_;
  QProgressBar* progress_;
  QPushButton* cancel_;
  QTabWidget* tabs_;
  QLineEdit* filter_;
  TimeSpansView* lanes_;
  ProfileTableModel* model_;
  QSortFilterProxyModel* sorted_;
  QTreeView* instructions_;
  RooflineView* roofline_;
  QComboBox* grouping_;
  QTreeWidget* groups_;
  QTreeWidget* left_over_;
  QString path_;
  int row_ = -1;  // chosen
  std::optional<OpenedProfile> profile_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_PANELS_PROFILE_PANEL_H_
