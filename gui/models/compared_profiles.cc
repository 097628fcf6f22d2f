// SPDX-License-Identifier: Apache-2.0
#include "gui/models/compared_profiles.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "gui/models/text.h"

namespace hloscope::gui {
namespace {

constexpr double kPicosecond = 1e-12;

struct ComparisonText {
  Q_DECLARE_TR_FUNCTIONS(ComparedProfiles)
};

std::vector<insight::GroupTime> TimeByProgram(const insight::ProfileAnalysis& analysis) {
  std::map<std::string, insight::GroupTime> groups;
  for (const insight::InstructionTime& row : analysis.instructions()) {
    insight::GroupTime& group = groups[analysis.programs()[row.program]->name()];
    group.occurrences += row.occurrences;
    group.self_ps += row.self_ps;
    group.flops += static_cast<double>(row.flops) * static_cast<double>(row.executions);
    group.bytes += static_cast<double>(row.bytes) * static_cast<double>(row.executions);
  }
  std::vector<insight::GroupTime> result;
  for (auto& [name, group] : groups) {
    group.name = name;
    result.push_back(std::move(group));
  }
  std::stable_sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.self_ps > b.self_ps; });
  return result;
}

// In the order of the devices.
std::vector<insight::GroupTime> TimeByLane(const insight::ProfileAnalysis& analysis) {
  std::vector<insight::GroupTime> result;
  for (const insight::TimelineLane& lane : analysis.lanes()) {
    insight::GroupTime& group = result.emplace_back();
    group.name = lane.name;
    group.occurrences = static_cast<int64_t>(lane.events.size());
    group.self_ps = lane.busy_ps;
  }
  return result;
}

std::vector<insight::GroupTime> TimeBy(const insight::ProfileAnalysis& analysis, ProfileGrouping by) {
  switch (by) {
    case ProfileGrouping::kOpcode:
      return analysis.ByOpcode();
    case ProfileGrouping::kSourceLine:
      return analysis.BySourceLine();
    case ProfileGrouping::kScope:
      return analysis.ByScope();
    case ProfileGrouping::kProgram:
      return TimeByProgram(analysis);
    case ProfileGrouping::kLane:
      return TimeByLane(analysis);
  }
  return {};
}

}  // namespace

std::vector<ProfileGroup> GroupsOf(const OpenedProfile& profile, ProfileGrouping by) {
  std::vector<ProfileGroup> result;
  absl::flat_hash_map<std::string, size_t> place;
  for (const insight::GroupTime& group : TimeBy(*profile.analysis, by)) {
    place.try_emplace(group.name, result.size());
    result.push_back({ToQString(group.name), static_cast<double>(group.self_ps) * kPicosecond, 0, group.occurrences,
                      group.flops, group.bytes});
  }
  if (profile.before == nullptr) return result;
  for (const insight::GroupTime& group : TimeBy(*profile.before, by)) {
    const auto [found, is_new] = place.try_emplace(group.name, result.size());
    if (is_new) result.push_back({ToQString(group.name)});
    result[found->second].before_seconds += static_cast<double>(group.self_ps) * kPicosecond;
  }
  return result;
}

QString TimesAsLong(double before, double after) {
  if (before > 0 && after > 0) return QStringLiteral("×%1").arg(after / before, 0, 'f', 2);
  if (before > 0) return ComparisonText::tr("gone");
  return after > 0 ? ComparisonText::tr("new") : QString();
}

void ComparedProfilesModel::Show(std::shared_ptr<const std::vector<insight::ComparedTime>> rows) {
  beginResetModel();
  rows_ = std::move(rows);
  endResetModel();
}

int ComparedProfilesModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || rows_ == nullptr ? 0 : static_cast<int>(rows_->size());
}

int ComparedProfilesModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumnCount; }

QVariant ComparedProfilesModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || rows_ == nullptr) return QVariant();
  const bool is_text = index.column() == kInstruction || index.column() == kModule;
  if (role == Qt::TextAlignmentRole && !is_text) return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole && role != kSortRole) return QVariant();
  const bool sort = role == kSortRole;
  const insight::ComparedTime& row = RowAt(index.row());
  const auto time = [sort](int64_t ps) {
    if (sort) return QVariant(static_cast<qlonglong>(ps));
    return QVariant(ps > 0 ? FormatSeconds(static_cast<double>(ps) * kPicosecond) : QString());
  };
  const auto before = static_cast<double>(row.before_ps), after = static_cast<double>(row.after_ps);
  const double change = static_cast<double>(row.after_total_ps) - static_cast<double>(row.before_total_ps);
  switch (static_cast<Column>(index.column())) {
    case kInstruction:
      return ToQString(row.name);
    case kChange:
      // What changes most is first, whether it takes longer or shorter.
      if (sort) return std::abs(change);
      if (change == 0) return FormatSeconds(0);
      return (change > 0 ? QStringLiteral("+") : QStringLiteral("−")) + FormatSeconds(std::abs(change) * kPicosecond);
    case kBefore:
      return time(row.before_ps);
    case kAfter:
      return time(row.after_ps);
    case kFactor:
      if (sort) return before > 0 ? after / before : HUGE_VAL;
      return TimesAsLong(before, after);
    case kAllBefore:
      return time(row.before_total_ps);
    case kAllAfter:
      return time(row.after_total_ps);
    case kModule:
      return ToQString(row.module);
    case kColumnCount:
      break;
  }
  return QVariant();
}

QVariant ComparedProfilesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return QVariant();
  if (role == Qt::DisplayRole) {
    const QString titles[] = {tr("Instruction"), tr("Change"),     tr("Run before"), tr("Run now"),
                              tr("Factor"),      tr("All before"), tr("All now"),    tr("Module")};
    return titles[section];
  }
  if (role == Qt::ToolTipRole) {
    const QString tips[] = {QString(),
                            tr("Of the time of all runs"),
                            tr("One run in the other profile"),
                            tr("One run in this profile"),
                            tr("How many times as long one run takes now"),
                            tr("All runs in the other profile"),
                            tr("All runs in this profile"),
                            QString()};
    return tips[section];
  }
  return QVariant();
}

}  // namespace hloscope::gui
