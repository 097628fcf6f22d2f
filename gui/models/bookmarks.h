// SPDX-License-Identifier: Apache-2.0
// Instructions that somebody wants to come back to, with notes, kept in the user's data for each file.
#ifndef HLOSCOPE_GUI_MODELS_BOOKMARKS_H_
#define HLOSCOPE_GUI_MODELS_BOOKMARKS_H_

#include <QAbstractTableModel>
#include <QString>
#include <vector>

#include "gui/models/selection.h"
#include "gui/models/workspace.h"

namespace hloscope::gui {

struct Bookmark {
  QString computation, instruction;
  QString note;
  friend bool operator==(const Bookmark&, const Bookmark&) = default;
};

class BookmarkModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { kInstruction, kNote, kColumnCount };

  // `folder` is where they are kept, one file for each module's file; empty: the user's data of this app.
  BookmarkModel(Selection* selection, Workspace* workspace, QString folder = QString(), QObject* parent = nullptr);

  const std::vector<Bookmark>& bookmarks() const { return bookmarks_; }
  // Sets a bookmark at the instruction, or takes it away.
  void Toggle(InstructionId instruction);
  bool Has(InstructionId instruction) const;
  // None if the module has no such instruction any more.
  InstructionId InstructionAt(int row) const;
  void Remove(int row);
  // All of them as text, a line each: "computation::instruction: note". What went wrong; empty if nothing.
  QString Export(const QString& path) const;

  int rowCount(const QModelIndex& parent = QModelIndex()) const override;
  int columnCount(const QModelIndex& parent = QModelIndex()) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  void Load();
  void Save() const;
  // The file of the module that is open; empty if there is none.
  QString File() const;
  int RowOf(InstructionId instruction) const;

  Selection* selection_;
  Workspace* workspace_;
  QString folder_;
  QString path_;  // whose bookmarks these are
  std::vector<Bookmark> bookmarks_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_BOOKMARKS_H_
