// SPDX-License-Identifier: Apache-2.0
#include "gui/models/background_task.h"

#include <sys/resource.h>
#include <unistd.h>

#include <QMetaObject>
#include <utility>

namespace hloscope::gui {
namespace {

constexpr int kNice = 10;

// What the user does goes first: on a machine with few cores, statistics of a large array would otherwise take the time
// that painting needs. Linux has a niceness for each thread; elsewhere nothing happens.
void YieldToTheUser() {
#ifdef __linux__
  static thread_local bool done = false;
  if (!std::exchange(done, true)) setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kNice);
#endif
}

}  // namespace

BackgroundTask::BackgroundTask(QObject* parent) : QObject(parent) { pool_.setMaxThreadCount(1); }

BackgroundTask::~BackgroundTask() {
  if (cancelled_ != nullptr) *cancelled_ = true;
  pool_.clear();
  pool_.waitForDone();
}

void BackgroundTask::Start(Work work) {
  const bool was_busy = busy();
  if (was_busy) *cancelled_ = true;
  pool_.clear();
  auto cancelled = std::make_shared<std::atomic<bool>>(false);
  cancelled_ = cancelled;
  pool_.start([this, cancelled, work = std::move(work)] {
    if (*cancelled) return;
    YieldToTheUser();
    Done done = work(*cancelled);
    QMetaObject::invokeMethod(this, [this, cancelled, done = std::move(done)] {
      if (*cancelled) return;
      cancelled_ = nullptr;
      if (done) done();
      if (!busy()) Q_EMIT BusyChanged(false);
    });
  });
  if (!was_busy) Q_EMIT BusyChanged(true);
}

void BackgroundTask::Cancel() {
  if (!busy()) return;
  *cancelled_ = true;
  cancelled_ = nullptr;
  pool_.clear();
  Q_EMIT BusyChanged(false);
}

}  // namespace hloscope::gui
