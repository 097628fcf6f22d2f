// SPDX-License-Identifier: Apache-2.0
// The window and the run: what the toolbar says and does, and where the selection goes.
#include <QInputDialog>
#include <QStatusBar>
#include <algorithm>

#include "gui/main_window.h"
#include "gui/models/plurals.h"
#include "gui/models/text.h"

namespace hloscope::gui {

void MainWindow::ShowRunState() {
  using State = SessionController::State;
  const State state = session_->state();
  const bool busy = state == State::kBusy;
  const bool ready =
      session_->has_module() && !busy && selection_->document() != nullptr && selection_->module().entry().has_value();
  const bool ended = state == State::kFinished || state == State::kFailed;
  action("run")->setEnabled(ready);
  action("run")->setText(state == State::kStopped ? tr("Continue") : tr("Run"));
  action("pause")->setEnabled(busy);
  for (const char* name : {"step_over", "step_into"}) action(name)->setEnabled(ready && !ended);
  action("step_out")->setEnabled(ready && state == State::kStopped);
  action("run_to")->setEnabled(ready);
  action("run_to_nan")->setEnabled(ready);
  for (const char* name : {"step_back", "reverse"}) {
    action(name)->setEnabled(ready && state != State::kIdle && session_->position() > 0);
  }
  action("restart")->setEnabled(ready || busy);
  action("stop")->setEnabled(state != State::kIdle);
  action("arguments")->setEnabled(session_->has_module());
  action("breakpoint")->setEnabled(session_->has_module());
  run_progress_->setVisible(busy);
  if (busy) {
    if (!run_clock_.isActive()) run_clock_.start();
    run_label_->setText(
        tr("%1, %2 s").arg(Elide(session_->phase_text(), 40)).arg(session_->elapsed() / 1000.0, 0, 'f', 1));
    const double progress = session_->progress();
    run_progress_->setRange(0, progress >= 0 ? 1000 : 0);
    if (progress >= 0) run_progress_->setValue(static_cast<int>(progress * 1000));
  } else {
    run_clock_.stop();
    run_label_->setText(!session_->stop_text().isEmpty() ? session_->stop_text()
                        : state == State::kStopped       ? tr("Stopped")
                        : state == State::kFinished      ? tr("Finished")
                        : state == State::kFailed        ? tr("Failed")
                                                         : QString());
  }
}

void MainWindow::FollowExecution() {
  ShowRunState();
  const InstructionId current = session_->current();
  if (session_->drops_values()) {
    statusBar()->showMessage(
        tr("Memory is short: values that no later step needs are dropped. What is selected is computed again."),
        10'000);
  } else if (session_->filled_constants() > 0) {
    statusBar()->showMessage(
        tr("The text leaves out the value(s) of %n constant(s): (it was|they were) filled like the arguments.", nullptr,
           ForPlural(session_->filled_constants())),
        10'000);
  }
  const InstructionId culprit = session_->last_executed();
  if (culprit.has_value() && (session_->HealthOf(culprit).nan || session_->HealthOf(culprit).infinity) &&
      session_->stop_text().contains(ToQString(selection_->module().InstructionName(culprit)))) {
    selection_->SelectInstruction(culprit);
  } else if (current.has_value()) {
    selection_->SelectInstruction(current);
  } else if (session_->state() == SessionController::State::kFinished) {
    CompareWithRecorded();
    // The result is what a finished run is about.
    const Module& module = selection_->module();
    selection_->SelectInstruction(module.computation(module.entry()).root);
  }
}

void MainWindow::StepInto() {
  using Command = SessionController::Command;
  if (!session_->AppliesToElements()) return session_->Execute(Command::kStepInto);
  // All arrays of a result that has several are indexed alike.
  const Shape* shape = &selection_->module().shape(session_->current());
  while (shape->IsTuple() && shape->tuple_size() > 0) shape = &shape->elements().front();
  if (!shape->IsArray() || shape->ElementCount() == 0) return session_->Execute(Command::kStepInto);
  std::vector<int64_t> index(static_cast<size_t>(shape->rank()), 0);
  // The element that is being looked at, if the value has that form.
  const TensorView* view = values_->current_view();
  const absl::Span<const int64_t> sizes = shape->dimensions();
  const evaluator::DimensionVector& shown = view->slice().dimensions();
  if (view->tensor().has_buffer() && std::equal(sizes.begin(), sizes.end(), shown.begin(), shown.end())) {
    const evaluator::DimensionVector at = view->current_index();
    index.assign(at.begin(), at.end());
  }
  if (shape->ElementCount() > 1) {
    const std::optional<std::vector<int64_t>> chosen = ask_element(*shape, index);
    if (!chosen.has_value()) return;
    index = *chosen;
  }
  session_->EnterElement(index);
}

std::optional<std::vector<int64_t>> MainWindow::AskElement(const Shape& shape, const std::vector<int64_t>& suggested) {
  QStringList words;
  for (int64_t i : suggested) words << QString::number(i);
  QString text = words.join(QStringLiteral(", "));
  const QString name = ToQString(selection_->module().InstructionName(session_->current()));
  QString question = tr("Which element of %1, %2, shall be computed step by step?")
                         .arg(name, ToQString(shape.ToString(/*with_layout=*/false)));
  while (true) {
    bool accepted = false;
    text = QInputDialog::getText(this, tr("Step into an element"), question, QLineEdit::Normal, text, &accepted);
    if (!accepted) return std::nullopt;
    std::vector<int64_t> index;
    bool good = true;
    for (const QString& word : text.split(QLatin1Char(','))) {
      bool is_number = false;
      index.push_back(word.trimmed().toLongLong(&is_number));
      const size_t d = index.size() - 1;
      good = good && is_number && d < static_cast<size_t>(shape.rank()) && index[d] >= 0 &&
             index[d] < shape.dimension(static_cast<int64_t>(d));
    }
    if (good && index.size() == static_cast<size_t>(shape.rank())) return index;
    question = tr("There is no such element in %1. Its index has %n number(s), with commas between them.", nullptr,
                  static_cast<int>(shape.rank()))
                   .arg(ToQString(shape.ToString(/*with_layout=*/false)));
  }
}

}  // namespace hloscope::gui
