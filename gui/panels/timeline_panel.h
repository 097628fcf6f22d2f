// SPDX-License-Identifier: Apache-2.0
// What the run did: where its time went, in lanes, by scope and in tables, and the memory that is alive step by step.
#ifndef HLOSCOPE_GUI_PANELS_TIMELINE_PANEL_H_
#define HLOSCOPE_GUI_PANELS_TIMELINE_PANEL_H_

#include <QLabel>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTabWidget>
#include <QTreeView>
#include <QTreeWidget>
#include <QWidget>
#include <memory>

#include "gui/models/document_analyses.h"
#include "gui/models/selection.h"
#include "gui/models/session_controller.h"
#include "gui/models/time_spans.h"
#include "gui/models/timeline_model.h"
#include "gui/views/time_spans_view.h"

namespace hloscope::gui {

// Live bytes of a computation over its schedule, as an area; a click selects the step.
class MemoryChart : public QWidget {
  Q_OBJECT

 public:
  explicit MemoryChart(QWidget* parent = nullptr);

  // `memory` may be null and must stay alive until the next call.
  void Show(const ComputationMemory* memory);
  // -1: none.
  void SetCurrentStep(int step);
  int StepAt(double x) const;
  double XOf(int step) const;

 Q_SIGNALS:
  void StepClicked(int step);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  const ComputationMemory* memory_ = nullptr;
  int current_ = -1;
};

class TimelinePanel : public QWidget {
  Q_OBJECT

 public:
  TimelinePanel(Selection* selection, SessionController* session, QWidget* parent = nullptr);

  TimelineModel* model() { return model_; }
  QTreeView* list() { return list_; }
  MemoryChart* chart() { return chart_; }
  QString memory_text() const { return memory_text_->text(); }
  QTabWidget* tabs() { return tabs_; }
  TimeSpansView* schedule() { return schedule_; }
  TimeSpansView* scopes() { return scopes_; }
  QTreeWidget* top_down() { return top_down_; }
  QTreeWidget* bottom_up() { return bottom_up_; }
  QLineEdit* filter() { return filter_; }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* MakeTabs();
  QTreeWidget* MakeTree(const QString& name);
  void ShowRun();
  // Of the run or, before it, of estimates: what the tab in front shows.
  void ShowTimes();
  void ShowSchedule();
  void ShowSelected();
  void ShowTree(QTreeWidget* tree, const std::vector<TimeRow>& rows);
  void Filter();
  void ShowMemory();
  DocumentAnalyses& analyses();

  Selection* selection_;
  SessionController* session_;
  QTabWidget* tabs_;
  QLineEdit* filter_;
  TimeSpansView *schedule_, *scopes_;
  QTreeWidget *top_down_, *bottom_up_;
  InstructionTimes times_;
  std::vector<bool> outdated_;  // by tab
  TimelineModel* model_;
  QSortFilterProxyModel* sorted_;
  QTreeView* list_;
  MemoryChart* chart_;
  QLabel* memory_text_;
  std::shared_ptr<DocumentAnalyses> analyses_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_PANELS_TIMELINE_PANEL_H_
