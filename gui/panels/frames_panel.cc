// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/frames_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "core/analysis/cost.h"
#include "gui/models/plurals.h"
#include "gui/models/text.h"
#include "gui/panels/row_delegate.h"

namespace hloscope::gui {

FramesPanel::FramesPanel(Selection* selection, SessionController* session, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      session_(session),
      model_(new FramesModel(this)),
      list_(new QTreeView),
      state_(new QLabel),
      devices_(new QComboBox),
      iteration_(new QSlider(Qt::Horizontal)),
      iteration_caption_(new QLabel) {
  state_->setWordWrap(true);
  list_->setAccessibleName(tr("Active computations"));
  list_->setModel(model_);
  list_->setItemDelegate(new RowDelegate(list_));
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setAlternatingRowColors(true);
  list_->setTextElideMode(Qt::ElideMiddle);
  list_->header()->setSectionResizeMode(QHeaderView::Stretch);
  list_->header()->setSectionResizeMode(FramesModel::kRole, QHeaderView::ResizeToContents);
  list_->header()->setStretchLastSection(false);
  auto* column = new QVBoxLayout(this);
  column->addWidget(state_);
  column->addWidget(list_);
  devices_->setAccessibleName(tr("Device"));
  devices_->setToolTip(tr("The device that is stepped and whose values are shown"));
  column->addWidget(devices_);
  iteration_->setAccessibleName(tr("Iteration of the loop"));
  iteration_->setTracking(false);
  auto* row = new QHBoxLayout;
  row->addWidget(iteration_caption_);
  row->addWidget(iteration_, 1);
  column->addLayout(row);
  connect(iteration_, &QSlider::sliderMoved, this,
          [this](int value) { iteration_caption_->setText(tr("Iteration %1").arg(value)); });
  connect(iteration_, &QSlider::valueChanged, this,
          [this](int value) { session_->Execute(SessionController::Command::kGoToIteration, InstructionId(), value); });
  connect(devices_, &QComboBox::activated, session_, &SessionController::SetDevice);
  connect(session_, &SessionController::Stopped, this, [this] {
    model_->SetFrames(selection_->document(), session_->frames());
    ShowState();
    ShowIteration();
    ShowDevices();
  });
  connect(session_, &SessionController::StateChanged, this, &FramesPanel::ShowState);
  connect(list_, &QTreeView::clicked, this, [this](const QModelIndex& index) {
    const evaluator::Frame& frame = model_->FrameAt(index.row());
    if (frame.current.has_value()) {
      selection_->SelectInstruction(frame.current);
    } else {
      selection_->SelectComputation(frame.computation);
    }
  });
  ShowState();
  ShowIteration();
  ShowDevices();
}

void FramesPanel::ShowDevices() {
  const QSignalBlocker blocker(devices_);
  if (devices_->count() != session_->device_count()) {
    devices_->clear();
    for (int f = 0; f < session_->device_count(); ++f) {
      devices_->addItem(tr("Device %1 (replica %2, partition %3)")
                            .arg(f)
                            .arg(f / session_->arguments().partitions)
                            .arg(f % session_->arguments().partitions));
    }
  }
  devices_->setCurrentIndex(session_->device());
  devices_->setVisible(session_->device_count() > 1);
}

void FramesPanel::ShowIteration() {
  const evaluator::Frame* loop = nullptr;
  for (const evaluator::Frame& frame : session_->frames()) {
    if (frame.iteration >= 0 && frame.kind != evaluator::FrameKind::kApplied) loop = &frame;
  }
  iteration_->setVisible(loop != nullptr);
  iteration_caption_->setVisible(loop != nullptr);
  if (loop == nullptr || selection_->document() == nullptr) return;
  // Loops whose length nobody knows can be gone through a little at a time.
  const std::optional<int64_t> count = KnownTripCount(selection_->module(), loop->caller);
  constexpr int64_t kAhead = 10;
  constexpr int64_t kMost = 1'000'000;
  const int64_t last = std::min(count.has_value() ? std::max<int64_t>(*count - 1, 0) : loop->iteration + kAhead, kMost);
  const QSignalBlocker blocker(iteration_);
  iteration_->setRange(0, static_cast<int>(std::max(last, std::min(loop->iteration, kMost))));
  iteration_->setValue(static_cast<int>(std::min(loop->iteration, kMost)));
  iteration_caption_->setText(count.has_value() ? tr("Iteration %1 of %2").arg(loop->iteration).arg(*count)
                                                : tr("Iteration %1").arg(loop->iteration));
}

void FramesPanel::ShowState() {
  const QString executed = tr("%1 instruction(s) executed", nullptr, ForPlural(session_->executed_count()))
                               .arg(FormatCount(session_->executed_count()));
  switch (session_->state()) {
    case SessionController::State::kIdle:
      state_->setText(tr("Not running. F5 runs, F10 and F11 step."));
      break;
    case SessionController::State::kBusy:
      state_->setText(tr("Running..."));
      break;
    case SessionController::State::kStopped:
      state_->setText(tr("Stopped. %1.").arg(executed));
      break;
    case SessionController::State::kFinished:
      state_->setText(tr("Finished. %1.").arg(executed));
      break;
    case SessionController::State::kFailed:
      state_->setText(tr("Failed: %1").arg(Elide(session_->failure(), 300)));
      break;
  }
}

}  // namespace hloscope::gui
