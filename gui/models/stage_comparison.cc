// SPDX-License-Identifier: Apache-2.0
#include "gui/models/stage_comparison.h"

#include <QCoreApplication>
#include <utility>

#include "gui/models/plurals.h"
#include "gui/models/text.h"
#include "insight/diff/change_groups.h"
#include "insight/diff/diff_rows.h"

namespace hloscope::gui {
namespace {

constexpr size_t kRowsAround = 3;
constexpr qsizetype kLongestComparedLine = 2000;

struct StageComparisonText {
  Q_DECLARE_TR_FUNCTIONS(StageComparison)
};

InstructionChange ChangeOfRow(insight::LineKind kind) {
  switch (kind) {
    case insight::LineKind::kRemoved:
      return InstructionChange::kRemoved;
    case insight::LineKind::kAdded:
      return InstructionChange::kAdded;
    case insight::LineKind::kChanged:
      return InstructionChange::kChanged;
    case insight::LineKind::kSame:
    case insight::LineKind::kMarked:
      break;
  }
  return InstructionChange::kSame;
}

QString RowText(insight::DiffLines& lines, InstructionId id) {
  return id.has_value() ? QStringLiteral("  ") + Elide(ToQString(lines.Of(id)), kLongestComparedLine) : QString();
}

// In both texts.
ComparedLine Remark(const QString& text, bool is_title) {
  return {InstructionChange::kSame, text, text, {}, {}, is_title};
}

}  // namespace

StageComparison CompareStages(std::shared_ptr<const Document> before, std::shared_ptr<const Document> after) {
  StageComparison comparison;
  const Module &a = before->module(), &b = after->module();
  const ModuleDiff diff = DiffModules(a, b);
  insight::DiffLines lines_of_a(a), lines_of_b(b);
  std::vector<ComparedLine>& lines = comparison.lines;
  for (const std::string& change : diff.header) lines.push_back(Remark(ToQString(change), false));
  size_t left_out = 0;
  for (const ComputationDiff& one : diff.computations) {
    if (one.IsEmpty()) continue;
    if (lines.size() >= kMostComparedLines) {
      ++left_out;
      continue;
    }
    lines.push_back(Remark(ToQString(insight::DiffTitle(a, b, one)), true));
    for (const std::string& change : one.changes) lines.push_back(Remark(ToQString(change), false));
    for (const insight::DiffRow& row : insight::Shortened(insight::DiffRows(a, b, one), kRowsAround)) {
      if (lines.size() >= kMostComparedLines) {
        lines.push_back(Remark(StageComparisonText::tr("The rest of the computation is left out."), false));
        break;
      }
      if (row.left_out > 0) {
        lines.push_back(
            Remark(StageComparisonText::tr("  ... %1 line(s) that (is|are) the same", nullptr, ForPlural(row.left_out))
                       .arg(row.left_out),
                   false));
      } else {
        lines.push_back(
            {ChangeOfRow(row.kind), RowText(lines_of_a, row.a), RowText(lines_of_b, row.b), row.a, row.b, false});
      }
    }
  }
  if (left_out > 0) {
    lines.push_back(Remark(
        StageComparisonText::tr("%1 more computation(s) that changed (is|are) left out.", nullptr, ForPlural(left_out))
            .arg(left_out),
        false));
  }
  const insight::DiffCounts counts = insight::CountsOf(diff);
  comparison.summary =
      diff.IsEmpty()
          ? StageComparisonText::tr("No difference but names, metadata and the order of lines.")
          : StageComparisonText::tr("%1 changed, %2 removed, %3 added, %4 the same")
                .arg(FormatCount(static_cast<int64_t>(counts.changed)),
                     FormatCount(static_cast<int64_t>(counts.removed)), FormatCount(static_cast<int64_t>(counts.added)),
                     FormatCount(static_cast<int64_t>(counts.unchanged)));
  if (diff.IsEmpty()) lines.push_back(Remark(comparison.summary, false));
  comparison.versions = CompareVersions(std::move(before), std::move(after), diff);
  return comparison;
}

}  // namespace hloscope::gui
