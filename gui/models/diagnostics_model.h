// SPDX-License-Identifier: Apache-2.0
// The diagnostics about a document, and failures that have no place in a text, as a table.
#ifndef HLOSCOPE_GUI_MODELS_DIAGNOSTICS_MODEL_H_
#define HLOSCOPE_GUI_MODELS_DIAGNOSTICS_MODEL_H_

#include <QAbstractTableModel>
#include <QColor>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/document/document.h"

namespace hloscope::gui {

class DiagnosticsModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { kSeverity, kPlace, kMessage, kCode, kColumnCount };

  using QAbstractTableModel::QAbstractTableModel;

  // Lists the document's diagnostics, each followed by its related places; drops failures. Warnings of one kind are
  // folded (core/diagnostics/folding.h), but counted one by one.
  void SetDocument(std::shared_ptr<const Document> document);
  // Puts a failure above everything else: a file that could not be opened, a run that failed; where, if that is known.
  void AddFailure(const QString& message, std::optional<SourceRange> range = std::nullopt);
  // Forgets failures: something else is tried.
  void RemoveFailures();

  int error_count() const { return error_count_; }
  int warning_count() const { return warning_count_; }
  // The text the row is about; nothing for failures.
  std::optional<SourceRange> RangeAt(int row) const;

  // Of the words "error" and "warning".
  void SetColors(const QColor& error, const QColor& warning);
  // The row for a bug report.
  QString MarkdownOf(int row) const;

  int rowCount(const QModelIndex& parent = QModelIndex()) const override;
  int columnCount(const QModelIndex& parent = QModelIndex()) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Row {
    Severity severity = Severity::kError;
    bool related = false;
    QString message;
    QString code;
    std::optional<SourceRange> range;
  };

  std::shared_ptr<const Document> document_;
  std::vector<Row> rows_;
  QColor error_, warning_;
  int error_count_ = 0, failure_count_ = 0;
  int warning_count_ = 0;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_DIAGNOSTICS_MODEL_H_
