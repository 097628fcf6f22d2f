#include "gui/panels/frames_panel.h"

#include <QHeaderView>
#include <QVBoxLayout>

#include "gui/models/text.h"
#include "gui/panels/row_delegate.h"

namespace hloscope {

FramesPanel::FramesPanel(Selection* selection, SessionController* session, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      session_(session),
      model_(new FramesModel(this)),
      list_(new QTreeView),
      state_(new QLabel) {
  state_->setWordWrap(true);
  list_->setModel(model_);
  list_->setItemDelegate(new RowDelegate(list_));
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setAlternatingRowColors(true);
  list_->header()->setSectionResizeMode(QHeaderView::Stretch);
  list_->header()->setSectionResizeMode(FramesModel::kRole, QHeaderView::ResizeToContents);
  list_->header()->setStretchLastSection(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(6, 6, 6, 6);
  column->addWidget(state_);
  column->addWidget(list_);
  connect(session_, &SessionController::Stopped, this, [this] {
    model_->SetFrames(selection_->document(), session_->frames());
    ShowState();
  });
  connect(session_, &SessionController::StateChanged, this, &FramesPanel::ShowState);
  connect(list_, &QTreeView::clicked, this, [this](const QModelIndex& index) {
    const Frame& frame = model_->FrameAt(index.row());
    if (frame.current.has_value()) {
      selection_->SelectInstruction(frame.current);
    } else {
      selection_->SelectComputation(frame.computation);
    }
  });
  ShowState();
}

void FramesPanel::ShowState() {
  const QString executed = tr("%1 instructions executed").arg(FormatCount(session_->executed_count()));
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

}  // namespace hloscope
