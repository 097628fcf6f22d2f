// What the run did: time and bytes of each instruction, and the memory that is alive step by step.
#ifndef HLOSCOPE_GUI_PANELS_TIMELINE_PANEL_H_
#define HLOSCOPE_GUI_PANELS_TIMELINE_PANEL_H_

#include <QLabel>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <QWidget>
#include <memory>

#include "gui/models/document_analyses.h"
#include "gui/models/selection.h"
#include "gui/models/session_controller.h"
#include "gui/models/timeline_model.h"

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

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void ShowRun();
  void ShowMemory();

  Selection* selection_;
  SessionController* session_;
  TimelineModel* model_;
  QSortFilterProxyModel* sorted_;
  QTreeView* list_;
  MemoryChart* chart_;
  QLabel* memory_text_;
  std::shared_ptr<DocumentAnalyses> analyses_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_PANELS_TIMELINE_PANEL_H_
