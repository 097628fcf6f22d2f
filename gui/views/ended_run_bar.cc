// SPDX-License-Identifier: Apache-2.0
#include "gui/views/ended_run_bar.h"

#include <QHBoxLayout>

#include "gui/models/text.h"
#include "gui/views/metrics.h"

namespace hloscope::gui {
namespace {

constexpr int kLongestName = 32;

}  // namespace

EndedRunBar::EndedRunBar(Selection* selection, SessionController* session, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      session_(session),
      message_(new QLabel),
      again_(new QToolButton),
      restart_(new QToolButton),
      dismiss_(new QToolButton) {
  setObjectName(QStringLiteral("ended_run"));
  message_->setWordWrap(true);
  again_->setText(tr("Run Again"));
  restart_->setText(tr("Restart"));
  restart_->setToolTip(tr("Begin a run of the new text, before its first instruction"));
  dismiss_->setText(tr("Dismiss"));
  dismiss_->setToolTip(tr("Hide this; breakpoints, watches and arguments stay in any case"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(Space::kMargin, Space::kTight, Space::kMargin, Space::kTight);
  row->addWidget(message_, 1);
  for (QToolButton* button : {again_, restart_, dismiss_}) {
    row->addWidget(button);
  }
  connect(again_, &QToolButton::clicked, this, &EndedRunBar::RunAgain);
  connect(restart_, &QToolButton::clicked, session_, &SessionController::Restart);
  connect(dismiss_, &QToolButton::clicked, session_, &SessionController::ForgetEndedRun);
  connect(session_, &SessionController::EndedRunChanged, this, &EndedRunBar::Follow);
  // Whether the place is still there, and whether the text can be run, follow each version of it.
  connect(selection_, &Selection::DocumentChanged, this, &EndedRunBar::Follow);
  hide();
}

void EndedRunBar::Follow() {
  const SessionController::EndedRun* ended = session_->ended_run();
  const bool shown = ended != nullptr && selection_->document() != nullptr;
  setVisible(shown);
  if (!shown) return;
  const QString name = Elide(ToQString(ended->place.name()), kLongestName);
  const bool stopped = ended->state == SessionController::State::kStopped && !name.isEmpty();
  const bool found = !stopped || ended->place.In(selection_->module()).has_value();
  message_->setText(!stopped ? tr("The text was changed, which ended the run of the version before.")
                    : found  ? tr("The text was changed, which ended the run. It had stopped before %1.").arg(name)
                             : tr("The text was changed, which ended the run. It had stopped before %1, which is not "
                                   "there any more.")
                                  .arg(name));
  const bool runs = !selection_->document()->has_errors();
  again_->setText(stopped ? tr("Run to There Again") : tr("Run Again"));
  again_->setToolTip(
      !runs     ? tr("The text has errors")
      : stopped ? tr("Run the new text with the same arguments until %1 is next, in the same iteration").arg(name)
                : tr("Run the new text with the same arguments and breakpoints"));
  again_->setVisible(found);
  again_->setEnabled(runs);
  restart_->setVisible(stopped);
  restart_->setEnabled(runs);
}

void EndedRunBar::RunAgain() {
  if (session_->ended_run()->state == SessionController::State::kStopped) {
    session_->GoToEndedPlace();
  } else {
    session_->Execute(SessionController::Command::kRun);
  }
}

}  // namespace hloscope::gui
