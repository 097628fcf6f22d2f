// SPDX-License-Identifier: Apache-2.0
#include "gui/models/opened_source.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/diagnostics/render.h"
#include "evaluator/compare/tensor_difference.h"
#include "gui/models/plurals.h"
#include "gui/models/text.h"
#include "interop/modules/open_modules.h"
#include "replay/recorded_values.h"

namespace hloscope::gui {
namespace {

struct OpenedSourceText {
  Q_DECLARE_TR_FUNCTIONS(OpenedSource)
};

constexpr size_t kMostProblems = 100;

// The app works with modules: it takes mixed precision, which a run converts.
DocumentOptions ReadingOptions() {
  DocumentOptions options;
  options.verify.allow_mixed_precision = true;
  return options;
}

std::shared_ptr<const Document> Read(std::shared_ptr<const SourceText> source) {
  const bool is_written = source->maker() == nullptr;
  std::shared_ptr<const Document> document = Document::Parse(std::move(source), ReadingOptions());
  // The view colours lines by their tokens: they are better made here than where it paints.
  if (is_written) static_cast<void>(document->tokens());
  return document;
}

// A text that is no module is shown as it is, with what is wrong in it; a proto that is damaged has no text.
absl::StatusOr<OpenedSource> OpenAsText(const std::string& path, const absl::Status& why) {
  const absl::StatusOr<std::shared_ptr<const SourceText>> source = SourceText::FromFile(path);
  if (!source.ok()) return source.status();
  const interop::DetectedFile detected = interop::DetectFile((*source)->text());
  const bool is_something_else = detected.kind != interop::FileKind::kHloText &&
                                 (detected.kind != interop::FileKind::kUnknown || !detected.explanation.empty());
  OpenedSource opened;
  opened.is_profile = detected.kind == interop::FileKind::kProfile;
  if (opened.is_profile) return opened;
  if (is_something_else) return why;
  opened.document = Read(*source);
  return opened;
}

QStringList ProblemsOf(const interop::HloSource& source) {
  QStringList problems;
  const SourceText& program = source.text->origin() != nullptr ? *source.text->origin()->source : *source.text;
  for (const Diagnostic& diagnostic : source.diagnostics) {
    if (problems.size() >= static_cast<qsizetype>(kMostProblems)) break;
    if (diagnostic.severity != Severity::kError && diagnostic.severity != Severity::kWarning) continue;
    const LineColumn at = HumanPosition(program, diagnostic.range.begin);
    problems << QStringLiteral("%1:%2:%3: %4")
                    .arg(QFileInfo(ToQString(program.name())).fileName())
                    .arg(at.line)
                    .arg(at.column)
                    .arg(ToQString(diagnostic.Message()));
  }
  return problems;
}

std::shared_ptr<const RecordedRun> RecordedIn(const interop::OpenedFile& file, const Module& module,
                                              QStringList* problems) {
  if (!file.snapshot.has_value() || !module.entry().has_value()) return nullptr;
  auto recorded = std::make_shared<RecordedRun>();
  absl::StatusOr<std::vector<evaluator::Value>> arguments = replay::RecordedArguments(*file.snapshot, module);
  absl::StatusOr<std::vector<evaluator::Tensor>> results = replay::RecordedResult(*file.snapshot);
  for (const absl::Status& status : {arguments.status(), results.status()}) {
    if (!status.ok()) *problems << ToQString(status.message());
  }
  if (arguments.ok()) recorded->arguments = *std::move(arguments);
  if (results.ok()) recorded->results = *std::move(results);
  return recorded->arguments.empty() && recorded->results.empty() ? nullptr : recorded;
}

}  // namespace

OpenedSource ReadSource(const QString& path, const QByteArray& text) {
  OpenedSource opened;
  opened.document = Read(SourceText::FromString(path.toStdString(), text.toStdString()));
  return opened;
}

absl::StatusOr<OpenedSource> OpenSource(const QString& path, int number) {
  if (path.startsWith(QLatin1String(":/"))) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
      return absl::NotFoundError(absl::StrCat(path.toStdString(), ": no such example"));
    return ReadSource(path, file.readAll());
  }
  const QFileInfo info(path);
  if (info.exists() && !info.isFile()) {
    // Reading a device or a pipe may never end.
    return absl::InvalidArgumentError(absl::StrCat(path.toStdString(), ": not a regular file"));
  }
  const std::string name = QFile::encodeName(path).toStdString();
  absl::StatusOr<interop::OpenedModules> modules = interop::OpenModules(name);
  if (!modules.ok()) return OpenAsText(name, modules.status());
  OpenedSource opened;
  for (const interop::OpenedModule& module : modules->file->modules) opened.modules << ToQString(module.name);
  if (number < 0 || static_cast<size_t>(number) >= modules->modules.size()) {
    return absl::NotFoundError(absl::StrCat(name, ": there is no module ", number + 1));
  }
  opened.number = number;
  const interop::HloSource& source = modules->modules[static_cast<size_t>(number)];
  opened.document = Read(source.text);
  opened.problems = ProblemsOf(source);
  if (source.text->origin() != nullptr) {
    opened.kind = QStringLiteral("StableHLO");
  } else if (modules->file->is_proto || modules->file->is_compressed) {
    opened.kind = ToQString(interop::FileKindName(modules->file->kind));
  } else if (opened.modules.size() > 1) {
    opened.kind = OpenedSourceText::tr("one of %1 modules").arg(opened.modules.size());
  }
  opened.recorded = RecordedIn(*modules->file, opened.document->module(), &opened.problems);
  return opened;
}

QString CompareWithRecorded(const evaluator::Value& result, const std::vector<evaluator::Tensor>& recorded,
                            bool* equal) {
  std::vector<evaluator::Tensor> leaves;
  result.ForEachTensor([&](const evaluator::Tensor& tensor) { leaves.push_back(tensor); });
  *equal = false;
  if (leaves.size() != recorded.size()) {
    return OpenedSourceText::tr("The result has %1 arrays, the recorded one %2.")
        .arg(leaves.size())
        .arg(recorded.size());
  }
  for (size_t i = 0; i < leaves.size(); ++i) {
    const auto difference =
        evaluator::DifferenceOf(leaves[i], recorded[i], evaluator::UsualTolerance(leaves[i].element_type()), nullptr);
    if (!difference.ok()) {
      return OpenedSourceText::tr("Array %1 of the result: %2").arg(i).arg(ToQString(difference.status().message()));
    }
    if (difference->beyond > 0) {
      return OpenedSourceText::tr(
                 "Array %1 of the result parts from the recorded one: %2 of %3 element(s) differ(s|) beyond the usual "
                 "tolerance, at most by %4.",
                 nullptr, ForPlural(difference->count))
          .arg(i)
          .arg(FormatCount(difference->beyond), FormatCount(difference->count))
          .arg(difference->max_absolute);
    }
  }
  *equal = true;
  return OpenedSourceText::tr("The result is the recorded one, within the usual tolerance.");
}

}  // namespace hloscope::gui
