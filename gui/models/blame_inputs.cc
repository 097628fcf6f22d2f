// SPDX-License-Identifier: Apache-2.0
#include "gui/models/blame_inputs.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gui/models/preferences.h"
#include "gui/models/run_inputs.h"
#include "replay/run_inputs.h"

namespace hloscope::gui {
namespace {

struct BlameInputsText {
  Q_DECLARE_TR_FUNCTIONS(BlameInputs)
};

std::string WordFor(const char* text) { return BlameInputsText::tr(text).toStdString(); }

QStringList RulesIn(const QString& text) {
  static const QRegularExpression space(QStringLiteral("[\\s;]+"));
  return text.split(space, Qt::SkipEmptyParts);
}

}  // namespace

BlameInputs UsualBlameInputs(const Module& module) {
  BlameInputs inputs;
  inputs.arguments.fill = Preferences::Load().fill;
  const evaluator::DeviceGrid grid = evaluator::GridOf(module, {});
  inputs.arguments.replicas = static_cast<int>(grid.replicas);
  inputs.arguments.partitions = static_cast<int>(grid.partitions);
  return inputs;
}

absl::StatusOr<std::vector<evaluator::ToleranceRule>> TolerancesIn(const QString& text) {
  std::vector<evaluator::ToleranceRule> rules;
  for (const QString& one : RulesIn(text)) {
    absl::StatusOr<evaluator::ToleranceRule> rule = evaluator::ParseToleranceRule(one.toStdString());
    if (!rule.ok()) return rule.status();
    rules.push_back(*std::move(rule));
  }
  return rules;
}

absl::StatusOr<insight::BlameOptions> BlameOptionsOf(const BlameInputs& inputs, const Module& module) {
  absl::StatusOr<std::vector<evaluator::ToleranceRule>> tolerances = TolerancesIn(inputs.tolerances);
  if (!tolerances.ok()) return tolerances.status();
  insight::BlameOptions options;
  options.tolerances = *std::move(tolerances);
  evaluator::RunOptions& run = options.run;
  const ArgumentSource& arguments = inputs.arguments;
  run.session.threads = Preferences::Load().threads;
  run.session.random_seed = arguments.seed;
  run.fill = evaluator::FillRule(arguments.fill);
  run.replicas = arguments.replicas;
  run.partitions = arguments.partitions;
  for (auto it = arguments.fills.begin(); it != arguments.fills.end(); ++it) {
    run.fills[it.key()] = evaluator::FillRule(it.value());
  }
  for (auto it = arguments.files.begin(); it != arguments.files.end(); ++it) {
    const absl::Status added =
        evaluator::AddArgument(std::to_string(it.key()), QFile::encodeName(it.value()).toStdString(), &run);
    if (!added.ok()) return added;
  }
  run.wording.argument = WordFor(QT_TRANSLATE_NOOP("BlameInputs", "the file of parameter $0"));
  run.wording.give_argument = WordFor(QT_TRANSLATE_NOOP("BlameInputs", "choose a file or a fill for parameter $0"));
  run.wording.fill = WordFor(QT_TRANSLATE_NOOP("BlameInputs", "the fill"));
  if (inputs.place.isEmpty()) return options;
  const absl::Status taken = replay::TakeInputs(QFile::encodeName(inputs.place).toStdString(), module, &run);
  if (!taken.ok()) return taken;
  return options;
}

QStringList BlameArguments(const BlameInputs& inputs) {
  const SavedSession::Inputs words = InputsOf(inputs.arguments);
  QStringList line = {QStringLiteral("--fill=") + words.fill};
  if (words.seed != 0) line << QStringLiteral("--seed=%1").arg(words.seed);
  for (auto it = words.fills.begin(); it != words.fills.end(); ++it) {
    line << QStringLiteral("--fill=%1=%2").arg(it.key()).arg(it.value());
  }
  for (auto it = words.files.begin(); it != words.files.end(); ++it) {
    line << QStringLiteral("--arg=%1=%2").arg(it.key()).arg(QFileInfo(it.value()).absoluteFilePath());
  }
  if (!inputs.place.isEmpty()) line << QStringLiteral("--inputs=") + QFileInfo(inputs.place).absoluteFilePath();
  for (const QString& rule : RulesIn(inputs.tolerances)) line << QStringLiteral("--tolerance=") + rule;
  if (words.replicas > 1) line << QStringLiteral("--replicas=%1").arg(words.replicas);
  if (words.partitions > 1) line << QStringLiteral("--partitions=%1").arg(words.partitions);
  return line;
}

}  // namespace hloscope::gui
