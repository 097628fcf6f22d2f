// SPDX-License-Identifier: Apache-2.0
#include "gui/models/pass_blame.h"

#include <QCoreApplication>
#include <QFile>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "core/print/printer.h"
#include "evaluator/compare/comparison_text.h"
#include "gui/models/plurals.h"
#include "gui/models/text.h"
#include "insight/blame/blame.h"
#include "insight/blame/reproduce.h"
#include "insight/passes/stage_reader.h"

namespace hloscope::gui {
namespace {

constexpr std::chrono::milliseconds kCancelPoll(20);
constexpr qsizetype kLongestBlameLine = 300;

struct PassBlameText {
  Q_DECLARE_TR_FUNCTIONS(PassBlame)
};

// Cancels the runs that are under way once a flag is set.
class CancelOnFlag {
 public:
  explicit CancelOnFlag(const std::atomic<bool>& flag) : flag_(flag), thread_([this] { Watch(); }) {}
  ~CancelOnFlag() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }
  CancelOnFlag(const CancelOnFlag&) = delete;
  CancelOnFlag& operator=(const CancelOnFlag&) = delete;

  void SetRuns(evaluator::DeviceRun* run, evaluator::DeviceRun* other) {
    const std::lock_guard lock(mutex_);
    runs_[0] = run;
    runs_[1] = other;
  }

 private:
  void Watch() {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, kCancelPoll, [this] { return done_; })) {
      if (!flag_) continue;
      for (evaluator::DeviceRun* run : runs_) {
        if (run != nullptr) run->Cancel();
      }
    }
  }

  const std::atomic<bool>& flag_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  evaluator::DeviceRun* runs_[2] = {};
  std::thread thread_;
};

QString BlamedStage(const insight::Stage& stage) {
  return QStringLiteral("%1 %2").arg(stage.order).arg(ToQString(stage.pass));
}

QString BlamedLine(const Module& module, InstructionId id) {
  PrintOptions options = PrintOptions::Short();
  options.percent = false;
  return Elide(ToQString(PrintInstruction(module, id, options)).simplified(), kLongestBlameLine);
}

void AddCulprit(const insight::BlameResult& result, const BlameRow& place, std::vector<BlameRow>* rows) {
  if (!result.culprit.has_value()) {
    BlameRow row = place;
    row.what = PassBlameText::tr("Instruction");
    row.text = PassBlameText::tr("No single value could be compared that differs.");
    rows->push_back(std::move(row));
    return;
  }
  const insight::Culprit& culprit = *result.culprit;
  const Module &good = result.good_document->module(), &bad = result.bad_document->module();
  BlameRow found = place;
  found.name_after = std::string(bad.InstructionName(culprit.instruction));
  if (culprit.before.has_value()) found.name_before = std::string(good.InstructionName(culprit.before));
  found.what = culprit.is_changed ? PassBlameText::tr("First instruction that differs")
                                  : PassBlameText::tr("Differences grow beyond the tolerance at");
  found.text = BlamedLine(bad, culprit.instruction);
  found.is_culprit = true;
  rows->push_back(found);
  found.is_culprit = false;
  if (culprit.before.has_value()) {
    found.what = PassBlameText::tr("Before");
    found.text = BlamedLine(good, culprit.before);
    rows->push_back(found);
  }
  if (culprit.divergence == insight::Culprit::kNone) return;
  const evaluator::Divergence& value = result.divergences[culprit.divergence];
  found.name_after = std::string(bad.InstructionName(value.b));
  found.name_before = std::string(good.InstructionName(value.a));
  found.what = PassBlameText::tr("Value of %1").arg(ToQString(found.name_after + LeafText(value.comparison)));
  found.text = ToQString(BeyondText(value.comparison));
  rows->push_back(std::move(found));
}

PassBlame InWords(const std::vector<insight::Stage>& stages, const insight::BlameResult& result) {
  PassBlame blame;
  if (result.agree) {
    blame.summary = PassBlameText::tr("All stages that could be evaluated agree.");
  } else {
    BlameRow place;
    place.before = result.good;
    place.after = result.bad;
    BlameRow row = place;
    row.what = PassBlameText::tr("First difference after");
    row.text = BlamedStage(stages[result.bad]);
    if (const std::string& problem = result.verdicts[result.bad].problem; !problem.empty()) {
      row.text += QStringLiteral(": ") + ToQString(problem);
    }
    row.is_culprit = true;
    blame.rows.push_back(row);
    row.is_culprit = false;
    row.what = PassBlameText::tr("Last that agrees");
    row.text = BlamedStage(stages[result.good]);
    blame.rows.push_back(std::move(row));
    AddCulprit(result, place, &blame.rows);
    for (const insight::ResultDifference& one : result.results) {
      BlameRow difference = place;
      difference.what = PassBlameText::tr("Result%1").arg(ToQString(LeafText(one.comparison)));
      difference.text = ToQString(BeyondText(one.comparison));
      blame.rows.push_back(std::move(difference));
    }
    blame.summary = PassBlameText::tr("%1 made the results differ.").arg(BlamedStage(stages[result.bad]));
  }
  if (result.reference_not_finite) {
    blame.summary +=
        QLatin1Char(' ') + PassBlameText::tr("The results of %1 hold NaN or infinities: other arguments may show more.")
                               .arg(BlamedStage(stages[result.reference]));
  }
  for (size_t k = 0; k < stages.size(); ++k) {
    BlameRow row;
    row.before = row.after = k;
    row.what = BlamedStage(stages[k]);
    row.text = QLatin1String(insight::VerdictWords(result.verdicts[k]));
    if (const std::string& problem = result.verdicts[k].problem; !problem.empty()) {
      row.text += QStringLiteral(": ") + ToQString(problem);
    }
    row.is_culprit = !result.agree && k == result.bad;
    blame.rows.push_back(std::move(row));
  }
  return blame;
}

}  // namespace

absl::StatusOr<PassBlame> FindGuiltyPass(const std::vector<insight::Stage>& stages,
                                         const std::optional<BlameInputs>& inputs,
                                         const std::function<void(const std::string& what)>& on_progress,
                                         const std::atomic<bool>& cancelled) {
  const insight::StageReader read =
      [&cancelled, reader = insight::MakeStageReader(true)](
          const insight::Stage& stage) -> absl::StatusOr<std::shared_ptr<const Document>> {
    if (cancelled) return absl::CancelledError("cancelled");
    return reader(stage);
  };
  const absl::StatusOr<std::shared_ptr<const Document>> first = read(stages[0]);
  if (!first.ok()) return first.status();
  const Module& module = (*first)->module();
  absl::StatusOr<insight::BlameOptions> options =
      BlameOptionsOf(inputs.has_value() ? *inputs : UsualBlameInputs(module), module);
  if (!options.ok()) return options.status();
  CancelOnFlag canceller(cancelled);
  insight::BlameOptions watched = *options;
  watched.on_progress = on_progress;
  watched.on_run = [&](evaluator::DeviceRun* one, evaluator::DeviceRun* other) { canceller.SetRuns(one, other); };
  absl::StatusOr<insight::BlameResult> result = insight::Blame(stages, read, watched);
  if (!result.ok()) return result.status();
  PassBlame blame = InWords(stages, *result);
  blame.result = std::make_shared<const insight::BlameResult>(*std::move(result));
  blame.options = *std::move(options);
  return blame;
}

absl::StatusOr<std::vector<std::string>> WriteBlamed(const PassBlame& blame, const QString& folder,
                                                     const std::atomic<bool>& cancelled) {
  CancelOnFlag canceller(cancelled);
  insight::BlameOptions options = blame.options;
  options.on_run = [&](evaluator::DeviceRun* one, evaluator::DeviceRun* other) { canceller.SetRuns(one, other); };
  return insight::WriteReproduction(*blame.result, options, QFile::encodeName(folder).toStdString());
}

}  // namespace hloscope::gui
