// SPDX-License-Identifier: Apache-2.0
#include "gui/models/bookmarks.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>
#include <utility>

#include "gui/models/text.h"
#include "gui/models/whole_file.h"

namespace hloscope::gui {
namespace {

constexpr qint64 kLargest = qint64{16} << 20;

}  // namespace

BookmarkModel::BookmarkModel(Selection* selection, Workspace* workspace, QString folder, QObject* parent)
    : QAbstractTableModel(parent), selection_(selection), workspace_(workspace), folder_(std::move(folder)) {
  if (folder_.isEmpty()) {
    folder_ = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/bookmarks");
  }
  connect(workspace_, &Workspace::Opened, this, &BookmarkModel::Load);
}

QString BookmarkModel::File() const {
  if (path_.isEmpty()) return QString();
  const QByteArray name = QCryptographicHash::hash(path_.toUtf8(), QCryptographicHash::Sha1).toHex();
  return QStringLiteral("%1/%2.json").arg(folder_, QString::fromLatin1(name));
}

void BookmarkModel::Load() {
  const QString path = workspace_->path();
  path_ = path.startsWith(QLatin1Char(':')) ? path : QFileInfo(path).absoluteFilePath();
  beginResetModel();
  bookmarks_.clear();
  QFile file(File());
  if (file.size() <= kLargest && file.open(QIODevice::ReadOnly)) {
    const QJsonArray all = QJsonDocument::fromJson(file.readAll()).object()[QStringLiteral("bookmarks")].toArray();
    for (const auto& value : all) {
      const QJsonObject one = value.toObject();
      bookmarks_.push_back({one[QStringLiteral("computation")].toString(),
                            one[QStringLiteral("instruction")].toString(), one[QStringLiteral("note")].toString()});
    }
  }
  endResetModel();
}

void BookmarkModel::Save() const {
  if (path_.isEmpty()) return;
  if (bookmarks_.empty()) {
    QFile::remove(File());
    return;
  }
  QJsonArray all;
  for (const Bookmark& one : bookmarks_) {
    all.append(QJsonObject{{QStringLiteral("computation"), one.computation},
                           {QStringLiteral("instruction"), one.instruction},
                           {QStringLiteral("note"), one.note}});
  }
  const QByteArray bytes =
      QJsonDocument(QJsonObject{{QStringLiteral("path"), path_}, {QStringLiteral("bookmarks"), all}})
          .toJson(QJsonDocument::Indented);
  QDir().mkpath(folder_);
  WriteWholeFile(File(), bytes.data(), bytes.size());
}

int BookmarkModel::RowOf(InstructionId instruction) const {
  if (selection_->document() == nullptr || !instruction.has_value()) return -1;
  for (size_t row = 0; row < bookmarks_.size(); ++row) {
    if (InstructionAt(static_cast<int>(row)) == instruction) return static_cast<int>(row);
  }
  return -1;
}

bool BookmarkModel::Has(InstructionId instruction) const { return RowOf(instruction) >= 0; }

InstructionId BookmarkModel::InstructionAt(int row) const {
  if (selection_->document() == nullptr || row < 0 || static_cast<size_t>(row) >= bookmarks_.size()) return {};
  const Bookmark& one = bookmarks_[static_cast<size_t>(row)];
  const Module& module = selection_->module();
  const ComputationId computation = module.FindComputation(one.computation.toStdString());
  return computation.has_value() ? module.FindInstruction(computation, one.instruction.toStdString()) : InstructionId();
}

void BookmarkModel::Toggle(InstructionId instruction) {
  if (selection_->document() == nullptr || !instruction.has_value()) return;
  if (const int row = RowOf(instruction); row >= 0) return Remove(row);
  const Module& module = selection_->module();
  const int row = static_cast<int>(bookmarks_.size());
  beginInsertRows(QModelIndex(), row, row);
  bookmarks_.push_back({ToQString(module.ComputationName(module.instruction(instruction).computation)),
                        ToQString(module.InstructionName(instruction)), QString()});
  endInsertRows();
  Save();
}

void BookmarkModel::Remove(int row) {
  if (row < 0 || static_cast<size_t>(row) >= bookmarks_.size()) return;
  beginRemoveRows(QModelIndex(), row, row);
  bookmarks_.erase(bookmarks_.begin() + row);
  endRemoveRows();
  Save();
}

QString BookmarkModel::Export(const QString& path) const {
  QString text = path_ + QLatin1Char('\n');
  for (const Bookmark& one : bookmarks_) {
    text += QStringLiteral("%1::%2: %3\n").arg(one.computation, one.instruction, one.note);
  }
  const QByteArray bytes = text.toUtf8();
  return WriteWholeFile(path, bytes.data(), bytes.size());
}

int BookmarkModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(bookmarks_.size());
}

int BookmarkModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumnCount; }

QVariant BookmarkModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Bookmark& one = bookmarks_[static_cast<size_t>(index.row())];
  if (role == Qt::ToolTipRole) {
    return InstructionAt(index.row()).has_value() ? one.computation
                                                  : tr("The module has no instruction of this name any more.");
  }
  if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
  return index.column() == kInstruction ? one.instruction : one.note;
}

bool BookmarkModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || role != Qt::EditRole || index.column() != kNote) return false;
  bookmarks_[static_cast<size_t>(index.row())].note = value.toString();
  Q_EMIT dataChanged(index, index);
  Save();
  return true;
}

Qt::ItemFlags BookmarkModel::flags(const QModelIndex& index) const {
  const Qt::ItemFlags usual = QAbstractTableModel::flags(index);
  return index.column() == kNote ? usual | Qt::ItemIsEditable : usual;
}

QVariant BookmarkModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  return section == kInstruction ? tr("Instruction") : tr("Note");
}

}  // namespace hloscope::gui
