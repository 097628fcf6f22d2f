// SPDX-License-Identifier: Apache-2.0
// Lays graphs out in a helper process, one at a time, without blocking the caller.
#ifndef HLOSCOPE_GUI_LAYOUT_LAYOUT_PROCESS_H_
#define HLOSCOPE_GUI_LAYOUT_LAYOUT_PROCESS_H_

#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QTimer>
#include <memory>

#include "gui/layout/graph_layout.h"

namespace hloscope::gui {

class LayoutProcess : public QObject {
  Q_OBJECT

 public:
  explicit LayoutProcess(QObject* parent = nullptr);
  ~LayoutProcess() override;

  // Path of the hloscope-graph-layout executable: beside this one.
  static QString HelperPath();

  // Lays out a graph given in DOT with `node_count` nodes n0, n1, ... and `edge_count` edges. Abandons the layout under
  // way, which then reports nothing. Finished or Failed follows.
  void Start(const QByteArray& dot, size_t node_count, size_t edge_count, int time_limit_ms);
  void Abandon();
  bool running() const { return process_ != nullptr; }
  qint64 elapsed() const { return timer_.elapsed(); }

 Q_SIGNALS:
  void Finished(const GraphLayout& layout);
  void Failed(const QString& message);

 private:
  void Fail(const QString& message);

  QProcess* process_ = nullptr;
  QTimer deadline_;
  QElapsedTimer timer_;
  size_t node_count_ = 0, edge_count_ = 0;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_LAYOUT_LAYOUT_PROCESS_H_
