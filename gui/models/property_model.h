// SPDX-License-Identifier: Apache-2.0
// What is known about the selected instruction, or about a computation when none is selected, as a tree of name-value
// rows; rows that stand for another instruction or computation carry its id.
#ifndef HLOSCOPE_GUI_MODELS_PROPERTY_MODEL_H_
#define HLOSCOPE_GUI_MODELS_PROPERTY_MODEL_H_

#include <QAbstractItemModel>
#include <QString>
#include <memory>
#include <vector>

#include "core/document/document.h"
#include "evaluator/engine/inspection.h"
#include "gui/models/document_analyses.h"
#include "gui/models/selection.h"

namespace hloscope::gui {

class PropertyModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Column { kName, kValue, kColumnCount };

  using QAbstractItemModel::QAbstractItemModel;

  void ShowNothing();
  void ShowInstruction(std::shared_ptr<const Document> document, InstructionId instruction);
  // `statistics`: of the run, by instruction; empty: nothing ran.
  void ShowGroup(const std::shared_ptr<DocumentAnalyses>& analyses, const Selection::Group& group,
                 absl::Span<const evaluator::InstructionStatistics> statistics);
  void ShowComputation(std::shared_ptr<const Document> document, ComputationId computation);

  // What the row links to; none if it is no link.
  InstructionId InstructionLink(const QModelIndex& index) const;
  ComputationId ComputationLink(const QModelIndex& index) const;
  // First row, in depth-first order, whose name is `name`; invalid if there is none.
  QModelIndex Find(const QString& name) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = QModelIndex()) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = QModelIndex()) const override;
  int columnCount(const QModelIndex& parent = QModelIndex()) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  static constexpr int kRoot = -1;
  struct Row {
    QString name;
    QString value;
    QString tool_tip;
    InstructionId instruction;
    ComputationId computation;
    int parent = kRoot;         // index into rows_
    int position = 0;           // among its siblings
    std::vector<int> children;  // indices into rows_
  };

  void Clear(std::shared_ptr<const Document> document);
  // Returns the index of the new row.
  int Add(int parent, QString name, QString value = QString());
  // A row that says how many there are, and below it a link to each, named by its shape.
  void AddInstructionLinks(const QString& name, const std::vector<InstructionId>& instructions, int64_t bytes);
  void AddInstructionLink(int parent, QString name, InstructionId instruction);
  void AddComputationLink(int parent, QString name, ComputationId computation);
  void AddAttributes(InstructionId instruction);
  void AddMetadata(InstructionId instruction);
  const Row* RowAt(const QModelIndex& index) const;

  std::shared_ptr<const Document> document_;
  std::vector<Row> rows_;
  std::vector<int> top_;  // rows without a parent
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_PROPERTY_MODEL_H_
