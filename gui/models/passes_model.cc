// SPDX-License-Identifier: Apache-2.0
#include "gui/models/passes_model.h"

#include <QFont>
#include <utility>

#include "gui/models/text.h"

namespace hloscope::gui {
namespace {

// Names in a tool tip.
constexpr size_t kNamesInToolTip = 8;

using FormatFigure = QString (*)(int64_t);

QString FormatOperations(int64_t count) { return FormatFlops(static_cast<double>(count)); }

// "12 -> 10" where a pass changed it.
QString BeforeAndAfter(int64_t before, int64_t after, FormatFigure format) {
  return before == after ? format(after)
                         : QStringLiteral("%1 %2 %3").arg(format(before), QString(QChar(0x2192)), format(after));
}

QString ListedNames(const QString& sign, const std::vector<std::string>& names) {
  if (names.empty()) return QString();
  QStringList list;
  for (size_t k = 0; k < names.size() && k < kNamesInToolTip; ++k) list << Elide(ToQString(names[k]), 60);
  if (names.size() > kNamesInToolTip) list << QString(QChar(0x2026));
  return QStringLiteral("\n%1 %2").arg(sign, list.join(QStringLiteral(", ")));
}

}  // namespace

void PassesModel::SetStages(std::vector<insight::Stage> stages) {
  beginResetModel();
  stages_ = std::move(stages);
  changes_.clear();
  endResetModel();
}

void PassesModel::SetChanges(std::vector<insight::StageChange> changes) {
  beginResetModel();
  changes_ = std::move(changes);
  endResetModel();
}

std::optional<size_t> PassesModel::StageBefore(size_t stage) const {
  while (stage-- > 0) {
    if (changes_.empty() || changes_[stage].problem.empty()) return stage;
  }
  return std::nullopt;
}

bool PassesModel::IsNotable(size_t stage) const {
  return changes_.empty() || stage == 0 || changes_[stage].changed || !changes_[stage].problem.empty();
}

int PassesModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(stages_.size());
}

int PassesModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumnCount; }

QString PassesModel::ToolTip(size_t stage) const {
  QString text = ToQString(stages_[stage].name);
  if (!stages_[stage].pipeline.empty())
    text += QLatin1Char('\n') + tr("Pipeline: %1").arg(ToQString(stages_[stage].pipeline));
  if (changes_.empty()) return text;
  const insight::StageChange& change = changes_[stage];
  if (!change.problem.empty()) return text + QLatin1Char('\n') + ToQString(change.problem);
  for (const std::string& other : change.others) text += QStringLiteral("\n~ ") + Elide(ToQString(other), 160);
  return text + ListedNames(QString(QChar(0x2212)), change.removed) + ListedNames(QStringLiteral("+"), change.added) +
         ListedNames(QStringLiteral("~"), change.modified);
}

QVariant PassesModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return QVariant();
  const auto k = static_cast<size_t>(index.row());
  const insight::Stage& stage = stages_[k];
  if (role == Qt::ToolTipRole) return ToolTip(k);
  if (role == Qt::TextAlignmentRole && index.column() != kPass) {
    return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
  }
  if (role != Qt::DisplayRole && role != kSortRole && role != Qt::FontRole) return QVariant();
  const bool sort = role == kSortRole;
  const insight::StageChange* change = changes_.empty() ? nullptr : &changes_[k];
  // What a pass changed stands out among what it left.
  const auto figure = [&](int64_t before, int64_t after, FormatFigure format) -> QVariant {
    if (change == nullptr || !change->problem.empty()) return QVariant();
    if (role == Qt::FontRole) {
      QFont bold;
      bold.setBold(true);
      return before != after ? QVariant(bold) : QVariant();
    }
    return sort ? QVariant(static_cast<qlonglong>(after)) : QVariant(BeforeAndAfter(before, after, format));
  };
  const auto count = [&](std::vector<std::string> insight::StageChange::*names) -> QVariant {
    if (change == nullptr || role == Qt::FontRole) return QVariant();
    const auto number = static_cast<qlonglong>((change->*names).size());
    if (sort) return number;
    return number == 0 ? QString() : FormatCount(number);
  };
  switch (static_cast<Column>(index.column())) {
    case kStage:
      if (role == Qt::FontRole) return QVariant();
      return sort ? QVariant(static_cast<qlonglong>(stage.order)) : QVariant(QString::number(stage.order));
    case kPass:
      if (role == Qt::FontRole) return QVariant();
      if (change != nullptr && !change->problem.empty()) return tr("%1: cannot be read").arg(ToQString(stage.pass));
      return ToQString(stage.pass);
    case kTime:
      if (role == Qt::FontRole || !stage.seconds) return QVariant();
      return sort ? QVariant(*stage.seconds) : QVariant(FormatSeconds(*stage.seconds));
    case kAdded:
      return count(&insight::StageChange::added);
    case kRemoved:
      return count(&insight::StageChange::removed);
    case kModified:
      return count(&insight::StageChange::modified);
    case kInstructions:
      return change == nullptr ? QVariant()
                               : figure(static_cast<int64_t>(change->before.instructions),
                                        static_cast<int64_t>(change->instructions), FormatCount);
    case kFlop:
      return change == nullptr ? QVariant() : figure(change->before.flop, change->flop, FormatOperations);
    case kMoved:
      return change == nullptr ? QVariant() : figure(change->before.bytes, change->bytes, FormatBytes);
    case kPeak:
      return change == nullptr ? QVariant() : figure(change->before.peak_bytes, change->peak_bytes, FormatBytes);
    case kColumnCount:
      break;
  }
  return QVariant();
}

QVariant PassesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return QVariant();
  const QString titles[] = {tr("Stage"),   tr("Pass"),         tr("Time"), tr("Added"), tr("Removed"),
                            tr("Changed"), tr("Instructions"), tr("FLOP"), tr("Moved"), tr("Peak")};
  const QString tool_tips[] = {tr("Number of the stage in the dump"),
                               tr("What ran last before the stage was written"),
                               tr("How long the pass took, where the dump says so"),
                               tr("Instructions that are new"),
                               tr("Instructions that are gone"),
                               tr("Instructions that became others"),
                               tr("Instructions of the module, before and after"),
                               tr("Operations of one run, before and after"),
                               tr("Bytes that one run reads and writes, before and after"),
                               tr("The most bytes that are alive at once, before and after")};
  if (role == Qt::DisplayRole) return titles[section];
  if (role == Qt::ToolTipRole) return tool_tips[section];
  return QVariant();
}

NotablePasses::NotablePasses(PassesModel* model, QObject* parent) : QSortFilterProxyModel(parent), model_(model) {
  setSortRole(PassesModel::kSortRole);
  setSourceModel(model);
}

void NotablePasses::SetSearch(const QString& text) {
  search_ = text.trimmed().toStdString();
  invalidateFilter();
}

void NotablePasses::SetUnchangedShown(bool shown) {
  unchanged_shown_ = shown;
  invalidateFilter();
}

bool NotablePasses::filterAcceptsRow(int row, const QModelIndex&) const {
  const auto k = static_cast<size_t>(row);
  if (search_.empty()) return unchanged_shown_ || model_->IsNotable(k);
  static const insight::StageChange unknown;
  return insight::Mentions(model_->stages()[k], model_->changes().empty() ? unknown : model_->changes()[k], search_);
}

}  // namespace hloscope::gui
