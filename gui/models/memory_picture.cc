// SPDX-License-Identifier: Apache-2.0
#include "gui/models/memory_picture.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <utility>

#include "gui/models/text.h"
#include "insight/memory/value_facts.h"
#include "interop/files/open_file.h"

namespace hloscope::gui {
namespace {

// Readers that a row names.
constexpr size_t kNamedReaders = 3;

struct MemoryText {
  Q_DECLARE_TR_FUNCTIONS(MemoryPicture)
};

void FindRecord(const QString& path, bool is_text, MemoryPicture* picture) {
  if (path.isEmpty() || path.startsWith(QLatin1Char(':'))) return;
  const std::string name = QFile::encodeName(path).toStdString();
  // The text of a document says nothing about places: only what lies beside it can.
  absl::StatusOr<interop::OpenedFile> file = interop::OpenedFile();
  if (!is_text) file = interop::OpenFile(name);
  absl::StatusOr<std::optional<interop::FoundAssignment>> found =
      file.ok() ? interop::FindAssignment(name, *file) : file.status();
  if (found.ok()) {
    picture->assignment = *std::move(found);
  } else {
    picture->problem = ToQString(found.status().message());
  }
}

QString Keepers(const MemoryPicture& picture, const insight::MemoryValue& value, uint32_t step) {
  const insight::MemoryExplanation& memory = picture.memory();
  QStringList names;
  for (InstructionId id : insight::KeepersOf(memory, picture.report->readers, value, step, kNamedReaders + 1)) {
    names << (static_cast<size_t>(names.size()) == kNamedReaders ? QStringLiteral("...")
                                                                 : ToQString(picture.module().InstructionName(id)));
  }
  const QString kept = names.isEmpty() ? ToQString(insight::HeldAs(memory, value)) : names.join(QStringLiteral(", "));
  const QString way = ToQString(insight::WayText(
      picture.module(), insight::PassedOnBy(memory, picture.report->readers, picture.report->users, value, step)));
  return way.isEmpty() ? kept : kept.isEmpty() ? way : QStringLiteral("%1 %2").arg(kept, way);
}

}  // namespace

QString KindOfValue(insight::ValueKind kind) {
  switch (kind) {
    case insight::ValueKind::kParameter:
      return MemoryText::tr("parameter");
    case insight::ValueKind::kConstant:
      return MemoryText::tr("constant");
    case insight::ValueKind::kResult:
      return MemoryText::tr("result");
    case insight::ValueKind::kTemporary:
      return MemoryText::tr("temporary");
    case insight::ValueKind::kComputation:
      return MemoryText::tr("computation");
  }
  return QString();
}

QString MemoryPicture::Summary() const {
  const insight::MemoryExplanation& explained = memory();
  QStringList path;
  for (InstructionId id : explained.PeakPath()) path << ToQString(module().InstructionName(id));
  QString text = MemoryText::tr("Peak %1").arg(FormatBytes(explained.peak_bytes()));
  if (!path.isEmpty()) text += MemoryText::tr(" at %1").arg(Elide(path.join(QStringLiteral(" > ")), 80));
  text += MemoryText::tr(", step %1 of %2. ")
              .arg(FormatCount(explained.peak_step()),
                   FormatCount(static_cast<int64_t>(explained.timeline().steps.size())));
  if (explained.recorded().has_value()) {
    text +=
        MemoryText::tr("Places as assigned by %1: %2, our peak differs by %3 %.")
            .arg(QFileInfo(ToQString(assignment->source)).fileName(), FormatBytes(explained.recorded()->total_bytes))
            .arg(explained.recorded()->difference * 100, 0, 'f', 1);
  } else {
    text += MemoryText::tr("Places by our own packing: %1.").arg(FormatBytes(explained.assigned_bytes()));
  }
  if (!explained.is_module_schedule()) text += MemoryText::tr(" The module has no schedule: this is our own order.");
  if (!problem.isEmpty()) text += MemoryText::tr(" What the compiler assigned was not used: %1").arg(problem);
  return text;
}

QString MemoryPicture::Describe(uint32_t number) const {
  const insight::MemoryExplanation& explained = memory();
  const insight::MemoryValue& value = explained.values()[number];
  QStringList lines = {ToQString(explained.ValueName(value))};
  const QString shape = ToQString(insight::ShapeTextOf(explained, value));
  lines << MemoryText::tr("%1, %2").arg(KindOfValue(value.kind), FormatBytes(value.padded_bytes));
  if (!shape.isEmpty()) lines.last() += QStringLiteral(", ") + shape;
  if (value.padded_bytes > value.bytes) {
    lines << MemoryText::tr("%1 of it padding").arg(FormatBytes(value.padded_bytes - value.bytes));
  }
  lines << MemoryText::tr("alive from step %1 to %2").arg(FormatCount(value.live.begin), FormatCount(value.live.end));
  if (value.allocation >= 0) {
    lines << MemoryText::tr("allocation %1 at %2").arg(value.allocation).arg(FormatCount(value.offset));
  }
  const QString source = value.definer.has_value() ? ToQString(insight::SourceOf(module(), value.definer)) : QString();
  if (!source.isEmpty()) lines << source;
  return lines.join(QLatin1Char('\n'));
}

std::shared_ptr<const MemoryPicture> MakeMemoryPicture(std::shared_ptr<const Document> document, const QString& path,
                                                       bool is_text, const std::atomic<bool>& cancelled) {
  auto picture = std::make_shared<MemoryPicture>();
  picture->document = std::move(document);
  FindRecord(path, is_text, picture.get());
  if (cancelled) return nullptr;
  insight::MemoryOptions options;
  if (picture->assignment.has_value()) options.assignment = &picture->assignment->assignment;
  const std::string source = picture->assignment.has_value() ? picture->assignment->source : std::string();
  picture->report = std::make_unique<const reports::MemoryReport>(*picture->document, options, source);
  return picture;
}

void LiveValuesModel::Show(std::shared_ptr<const MemoryPicture> picture, uint32_t step) {
  beginResetModel();
  picture_ = std::move(picture);
  step_ = step;
  values_ = picture_ != nullptr ? picture_->memory().LiveAt(step) : std::vector<uint32_t>();
  endResetModel();
}

int LiveValuesModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(values_.size());
}

int LiveValuesModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumnCount; }

QVariant LiveValuesModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || picture_ == nullptr) return QVariant();
  if (role == Qt::TextAlignmentRole && (index.column() == kBytes || index.column() == kPadding)) {
    return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
  }
  if (role == Qt::ToolTipRole) return picture_->Describe(ValueAt(index.row()));
  if (role != Qt::DisplayRole) return QVariant();
  const insight::MemoryExplanation& memory = picture_->memory();
  const insight::MemoryValue& value = memory.values()[ValueAt(index.row())];
  switch (index.column()) {
    case kValue:
      return ToQString(memory.ValueName(value));
    case kBytes:
      return FormatBytes(value.padded_bytes);
    case kPadding:
      return value.padded_bytes > value.bytes ? FormatBytes(value.padded_bytes - value.bytes) : QString();
    case kKind:
      return KindOfValue(value.kind);
    case kShape:
      return ToQString(insight::ShapeTextOf(memory, value));
    case kKept:
      return Keepers(*picture_, value, step_);
    case kSource:
      return value.definer.has_value() ? ToQString(insight::SourceOf(picture_->module(), value.definer)) : QString();
  }
  return QVariant();
}

QVariant LiveValuesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return QVariant();
  const QString titles[] = {tr("Value"), tr("Bytes"),    tr("Padding"), tr("Kind"),
                            tr("Shape"), tr("Kept for"), tr("From")};
  return titles[section];
}

}  // namespace hloscope::gui
