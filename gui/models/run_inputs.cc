// SPDX-License-Identifier: Apache-2.0
#include "gui/models/run_inputs.h"

#include <optional>

namespace hloscope::gui {
namespace {

constexpr const char* kFillWords[] = {"zeros", "ones", "iota", "random", "normal", "positive"};

QString WordOf(evaluator::FillKind kind) {
  for (const char* word : kFillWords) {
    if (evaluator::FillKindFromName(word) == kind) return QLatin1String(word);
  }
  return QString();
}

}  // namespace

SavedSession::Inputs InputsOf(const ArgumentSource& arguments) {
  SavedSession::Inputs inputs;
  inputs.fill = WordOf(arguments.fill);
  inputs.seed = arguments.seed;
  inputs.files = arguments.files;
  for (auto it = arguments.fills.begin(); it != arguments.fills.end(); ++it) {
    inputs.fills[it.key()] = WordOf(it.value());
  }
  inputs.recorded = arguments.recorded != nullptr;
  inputs.replicas = arguments.replicas;
  inputs.partitions = arguments.partitions;
  return inputs;
}

ArgumentSource ArgumentsOf(const SavedSession::Inputs& inputs, evaluator::FillKind fill,
                           std::shared_ptr<const std::vector<evaluator::Value>> recorded) {
  ArgumentSource arguments;
  const auto kind_of = [&](const QString& word) {
    return evaluator::FillKindFromName(word.toStdString()).value_or(fill);
  };
  arguments.fill = kind_of(inputs.fill);
  arguments.seed = inputs.seed;
  arguments.files = inputs.files;
  for (auto it = inputs.fills.begin(); it != inputs.fills.end(); ++it) arguments.fills[it.key()] = kind_of(it.value());
  if (inputs.recorded) arguments.recorded = std::move(recorded);
  arguments.replicas = inputs.replicas;
  arguments.partitions = inputs.partitions;
  return arguments;
}

}  // namespace hloscope::gui
