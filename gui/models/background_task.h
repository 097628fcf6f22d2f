// SPDX-License-Identifier: Apache-2.0
// Work off the UI thread of which only the newest request counts.
#ifndef HLOSCOPE_GUI_MODELS_BACKGROUND_TASK_H_
#define HLOSCOPE_GUI_MODELS_BACKGROUND_TASK_H_

#include <QObject>
#include <QThreadPool>
#include <atomic>
#include <functional>
#include <memory>

namespace hloscope::gui {

// Lives on the thread that made it.
class BackgroundTask : public QObject {
  Q_OBJECT

 public:
  // Runs on another thread. Looks at `cancelled` every few milliseconds and returns early when it is set. What it
  // returns runs on the task's own thread, unless the work was cancelled meanwhile; it may be empty.
  using Done = std::function<void()>;
  using Work = std::function<Done(const std::atomic<bool>& cancelled)>;

  explicit BackgroundTask(QObject* parent = nullptr);
  // Cancels and waits.
  ~BackgroundTask() override;

  // Cancels what was started before.
  void Start(Work work);
  void Cancel();
  bool busy() const { return cancelled_ != nullptr; }

 Q_SIGNALS:
  void BusyChanged(bool busy);

 private:
  QThreadPool pool_;
  std::shared_ptr<std::atomic<bool>> cancelled_;  // of the newest work; null if it is done
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_BACKGROUND_TASK_H_
