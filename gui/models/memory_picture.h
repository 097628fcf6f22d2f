// SPDX-License-Identifier: Apache-2.0
// What a module needs memory for, for the memory panel: `hloscope memory` as data that can be drawn.
#ifndef HLOSCOPE_GUI_MODELS_MEMORY_PICTURE_H_
#define HLOSCOPE_GUI_MODELS_MEMORY_PICTURE_H_

#include <QAbstractTableModel>
#include <QString>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "core/document/document.h"
#include "interop/records/assignment_files.h"
#include "reports/memory_report.h"

namespace hloscope::gui {

struct MemoryPicture {
  std::shared_ptr<const Document> document;  // the report looks into it
  std::optional<interop::FoundAssignment> assignment;
  QString problem;  // of a file with an assignment that could not be used
  std::unique_ptr<const reports::MemoryReport> report;

  const insight::MemoryExplanation& memory() const { return report->memory; }
  const Module& module() const { return document->module(); }
  // "Peak 1.2 GiB at fusion.3, step 12 of 400. Places as assigned by ...".
  QString Summary() const;
  // Several lines about one value.
  QString Describe(uint32_t value) const;
};

// The document must have no errors. `path` is its file, beside which the compiler may have written where it puts
// things; `is_text`: the file is the document's own text. Null if cancelled.
std::shared_ptr<const MemoryPicture> MakeMemoryPicture(std::shared_ptr<const Document> document, const QString& path,
                                                       bool is_text, const std::atomic<bool>& cancelled);

// What is alive at a step, the largest first.
class LiveValuesModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { kValue, kBytes, kPadding, kKind, kShape, kKept, kSource, kColumnCount };
  using QAbstractTableModel::QAbstractTableModel;

  void Show(std::shared_ptr<const MemoryPicture> picture, uint32_t step);
  uint32_t ValueAt(int row) const { return values_[static_cast<size_t>(row)]; }

  int rowCount(const QModelIndex& parent = QModelIndex()) const override;
  int columnCount(const QModelIndex& parent = QModelIndex()) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::shared_ptr<const MemoryPicture> picture_;
  uint32_t step_ = 0;
  std::vector<uint32_t> values_;
};

// "parameter", in the user's language.
QString KindOfValue(insight::ValueKind kind);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_MEMORY_PICTURE_H_
