// SPDX-License-Identifier: Apache-2.0
// A module of a file, whatever the file is: HLO text, what XLA writes besides it, a StableHLO program.
#ifndef HLOSCOPE_GUI_MODELS_OPENED_SOURCE_H_
#define HLOSCOPE_GUI_MODELS_OPENED_SOURCE_H_

#include <QString>
#include <QStringList>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "core/document/document.h"
#include "evaluator/tensor/tensor.h"
#include "evaluator/tensor/value.h"
#include "gui/models/text_document.h"

namespace hloscope::gui {

// What was recorded with a module: arguments of a run, and what it gave.
struct RecordedRun {
  std::vector<evaluator::Value> arguments;  // by parameter
  std::vector<evaluator::Tensor> results;   // leaves of the result; empty if none was recorded
};

struct OpenedSource {
  std::shared_ptr<const Document> document;
  SharedText text;                              // of the document, for an editor; null: not made yet
  QString kind;                                 // "HloSnapshot", "StableHLO"; empty: HLO text as it is in the file
  QStringList modules;                          // names of all modules of the file
  bool is_profile = false;                      // the file holds times, and no module: nothing else is set
  int number = 0;                               // of the one that was opened
  QStringList problems;                         // of the program that the text was made from, each with its place
  std::shared_ptr<const RecordedRun> recorded;  // null: nothing was
};

// Opens module `number` of a file; paths that begin with ":/" name files inside the binary. Errors: those of reading; a
// proto that is damaged; no such module.
absl::StatusOr<OpenedSource> OpenSource(const QString& path, int number);
// The same with the text given, which is HLO.
OpenedSource ReadSource(const QString& path, const QByteArray& text);

// How the leaves of a result differ from the recorded ones, in a sentence; `*equal`: none does beyond the usual
// tolerance of its type.
QString CompareWithRecorded(const evaluator::Value& result, const std::vector<evaluator::Tensor>& recorded,
                            bool* equal);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_OPENED_SOURCE_H_
