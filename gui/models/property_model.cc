// SPDX-License-Identifier: Apache-2.0
#include "gui/models/property_model.h"

#include <QFont>
#include <algorithm>
#include <utility>

#include "core/layout/physical_layout.h"
#include "gui/models/group_summary.h"
#include "gui/models/plurals.h"
#include "gui/models/text.h"

namespace hloscope::gui {
namespace {

// Replica groups and backend configurations run to tens of thousands of characters; the text view shows them in full.
constexpr qsizetype kMaxValue = 600;
// A parameter may have thousands of users.
constexpr size_t kMaxLinks = 200;

}  // namespace

void PropertyModel::Clear(std::shared_ptr<const Document> document) {
  document_ = std::move(document);
  rows_.clear();
  top_.clear();
}

int PropertyModel::Add(int parent, QString name, QString value) {
  const int number = static_cast<int>(rows_.size());
  Row row;
  row.name = std::move(name);
  row.value = std::move(value);
  row.parent = parent;
  std::vector<int>& siblings = parent == kRoot ? top_ : rows_[static_cast<size_t>(parent)].children;
  row.position = static_cast<int>(siblings.size());
  siblings.push_back(number);
  rows_.push_back(std::move(row));
  return number;
}

void PropertyModel::AddInstructionLink(int parent, QString name, InstructionId instruction) {
  if (!instruction.has_value()) {
    Add(parent, std::move(name), tr("(unreadable)"));
    return;
  }
  const Module& module = document_->module();
  const QString shape = Elide(ToQString(module.shape(instruction).ToString()), 60);
  const int row = Add(parent, std::move(name), ToQString(module.InstructionName(instruction)));
  rows_[static_cast<size_t>(row)].instruction = instruction;
  rows_[static_cast<size_t>(row)].tool_tip =
      QStringLiteral("%1 %2").arg(shape, ToQString(OpcodeName(module.opcode(instruction))));
}

void PropertyModel::AddComputationLink(int parent, QString name, ComputationId computation) {
  if (!computation.has_value()) {
    Add(parent, std::move(name), tr("(unreadable)"));
    return;
  }
  const int row = Add(parent, std::move(name), ToQString(document_->module().ComputationName(computation)));
  rows_[static_cast<size_t>(row)].computation = computation;
  rows_[static_cast<size_t>(row)].tool_tip =
      tr("%n instruction(s)", nullptr, ForPlural(document_->module().computation(computation).instructions.size()));
}

void PropertyModel::AddAttributes(InstructionId id) {
  const Module& module = document_->module();
  int group = kRoot;
  for (const Attribute& attribute : module.attributes(id)) {
    if (attribute.kind == AttributeKind::kMetadata) continue;
    const AttributeInfo& info = InfoOf(attribute.kind);
    if (group == kRoot) group = Add(kRoot, tr("Attributes"));
    if (info.type == AttributeType::kComputation || info.type == AttributeType::kComputations) {
      const absl::Span<const ComputationId> called = module.ComputationsAttribute(id, attribute.kind);
      for (size_t i = 0; i < called.size(); ++i) {
        const QString name = ToQString(info.name);
        AddComputationLink(group, called.size() > 1 ? QStringLiteral("%1 %2").arg(name).arg(i) : name, called[i]);
      }
      continue;
    }
    // The text says it best; an attribute that was not written is not worth a row.
    absl::string_view text = document_->source().Slice(document_->AttributeRange(id, attribute.kind));
    const size_t equals = text.find('=');
    if (equals != absl::string_view::npos) text.remove_prefix(equals + 1);
    const int row = Add(group, ToQString(info.name), Elide(ToQString(text.substr(0, 4 * kMaxValue)), kMaxValue));
    rows_[static_cast<size_t>(row)].tool_tip = ToQString(info.doc);
  }
}

void PropertyModel::AddMetadata(InstructionId id) {
  const Module& module = document_->module();
  const Metadata* metadata = module.MetadataOf(id);
  if (metadata == nullptr) return;
  const int group = Add(kRoot, tr("Metadata"));
  auto add_string = [&](const char* name, StringId text) {
    if (text.has_value()) Add(group, QLatin1String(name), Elide(ToQString(module.string(text)), kMaxValue));
  };
  add_string("op_name", metadata->op_name);
  add_string("op_type", metadata->op_type);
  if (metadata->source_file.has_value()) {
    QString place = ToQString(module.string(metadata->source_file));
    if (metadata->source_line > 0) place += QStringLiteral(":%1").arg(metadata->source_line);
    if (metadata->source_column > 0) place += QStringLiteral(":%1").arg(metadata->source_column);
    Add(group, QStringLiteral("source"), place);
  }
  const StackFrameTables& tables = module.header().stack_frames;
  // Frame ids count from 1. A damaged table must not lead in circles, so the walk is bounded by its length.
  int32_t frame_id = metadata->stack_frame_id;
  int stack = kRoot;
  for (size_t depth = 0; depth < tables.frames.size() && frame_id >= 1; ++depth) {
    if (static_cast<size_t>(frame_id) > tables.frames.size()) break;
    const StackFrameTables::Frame& frame = tables.frames[static_cast<size_t>(frame_id) - 1];
    const int32_t location_id = frame.file_location_id;
    if (location_id >= 1 && static_cast<size_t>(location_id) <= tables.locations.size()) {
      const StackFrameTables::Location& location = tables.locations[static_cast<size_t>(location_id) - 1];
      auto name_of = [](const std::vector<std::string>& names, int32_t id_from_one) {
        const bool known = id_from_one >= 1 && static_cast<size_t>(id_from_one) <= names.size();
        return known ? ToQString(names[static_cast<size_t>(id_from_one) - 1]) : QStringLiteral("?");
      };
      if (stack == kRoot) stack = Add(group, tr("stack"));
      Add(stack, name_of(tables.function_names, location.function_name_id),
          QStringLiteral("%1:%2").arg(name_of(tables.file_names, location.file_name_id)).arg(location.line));
    }
    if (frame.parent_frame_id <= 1) break;
    frame_id = frame.parent_frame_id - 1;
  }
  add_string("deduplicated_name", metadata->deduplicated_name);
  add_string("scheduling_name", metadata->scheduling_name);
}

void PropertyModel::ShowNothing() {
  beginResetModel();
  Clear(nullptr);
  endResetModel();
}

void PropertyModel::ShowInstruction(std::shared_ptr<const Document> document, InstructionId id) {
  beginResetModel();
  Clear(std::move(document));
  const Module& module = document_->module();
  const Shape& shape = module.shape(id);
  Add(kRoot, tr("Name"), ToQString(module.InstructionName(id)));
  Add(kRoot, tr("Opcode"), ToQString(OpcodeName(module.opcode(id))));
  Add(kRoot, tr("Shape"), Elide(ToQString(shape.ToString(/*with_layout=*/false)), kMaxValue));
  if (shape.IsArray() && shape.has_layout()) Add(kRoot, tr("Layout"), ToQString(shape.layout().ToString()));
  if (shape.IsArray() && !shape.HasUnboundedDimension()) {
    Add(kRoot, tr("Elements"), FormatCount(shape.ElementCount()));
  }
  if (shape.IsValid() && !shape.HasUnboundedDimension()) Add(kRoot, tr("Size"), FormatBytes(shape.ByteSize()));
  if (shape.IsArray() && shape.has_layout() && !shape.HasUnboundedDimension()) {
    const absl::StatusOr<PhysicalLayout> layout = PhysicalLayout::Of(shape);
    if (layout.ok() && layout->physical_bytes() > layout->data_bytes()) {
      QStringList stored;
      for (int64_t size : layout->stored_dimensions()) stored << QString::number(size);
      Add(kRoot, tr("Size in memory"),
          tr("%1, %2 % of it padding, stored as %3")
              .arg(FormatBytes(layout->physical_bytes() * layout->piece_count()))
              .arg(layout->waste() * 100, 0, 'f', 1)
              .arg(stored.join(QStringLiteral("\u00d7"))));
    }
  }
  AddComputationLink(kRoot, tr("Computation"), module.instruction(id).computation);
  if (module.instruction(id).synthesized) Add(kRoot, tr("Origin"), tr("made by the reader from a shorter notation"));

  const absl::Span<const InstructionId> operands = module.operands(id);
  if (!operands.empty()) {
    const int group = Add(kRoot, tr("Operands"), QString::number(operands.size()));
    for (size_t k = 0; k < operands.size() && k < kMaxLinks; ++k) {
      AddInstructionLink(group, QString::number(k), operands[k]);
    }
    if (operands.size() > kMaxLinks) Add(group, tr("..."), tr("%1 more").arg(operands.size() - kMaxLinks));
  }
  const absl::Span<const InstructionId> users = document_->users().users(id);
  const int group = Add(kRoot, tr("Users"), users.empty() ? tr("none") : QString::number(users.size()));
  for (size_t k = 0; k < users.size() && k < kMaxLinks; ++k) {
    AddInstructionLink(group, ToQString(OpcodeName(module.opcode(users[k]))), users[k]);
  }
  if (users.size() > kMaxLinks) Add(group, tr("..."), tr("%1 more").arg(users.size() - kMaxLinks));
  AddAttributes(id);
  AddMetadata(id);
  endResetModel();
}

void PropertyModel::AddInstructionLinks(const QString& name, const std::vector<InstructionId>& instructions,
                                        int64_t bytes) {
  if (instructions.empty()) return;
  const Module& module = document_->module();
  const QString count = FormatCount(static_cast<int64_t>(instructions.size()));
  const int group = Add(kRoot, name, tr("%1, %2").arg(count, FormatBytes(bytes)));
  for (size_t k = 0; k < instructions.size() && k < kMaxLinks; ++k) {
    AddInstructionLink(group, Elide(ToQString(module.shape(instructions[k]).ToString(/*with_layout=*/false)), 60),
                       instructions[k]);
  }
  if (instructions.size() > kMaxLinks) Add(group, tr("..."), tr("%1 more").arg(instructions.size() - kMaxLinks));
}

void PropertyModel::ShowGroup(const std::shared_ptr<DocumentAnalyses>& analyses, const Selection::Group& group,
                              absl::Span<const evaluator::InstructionStatistics> statistics) {
  constexpr size_t kMostOpcodes = 40;
  const GroupSummary summary =
      SummarizeGroup(analyses->module(), analyses->document()->users(), analyses->costs(), statistics, group.members);
  beginResetModel();
  Clear(analyses->document());
  Add(kRoot, group.is_path ? tr("Path") : tr("Group"), group.title);
  if (group.is_path) {
    const int steps = Add(kRoot, tr("Steps"), QString::number(group.members.size()));
    for (InstructionId id : group.members) {
      AddInstructionLink(steps, ToQString(OpcodeName(document_->module().opcode(id))), id);
    }
  }
  if (group.repeats > 0) Add(kRoot, tr("Layers"), QString::number(group.repeats));
  const auto layers = static_cast<double>(std::max<uint32_t>(group.repeats, 1));
  const auto each = [&](const QString& all, const QString& one) {
    return group.repeats > 0 ? tr("%1 (%2 each)").arg(all, one) : all;
  };
  const int opcodes = Add(kRoot, tr("Instructions"), FormatCount(static_cast<int64_t>(group.members.size())));
  for (size_t k = 0; k < summary.opcodes.size() && k < kMostOpcodes; ++k) {
    Add(opcodes, ToQString(OpcodeName(summary.opcodes[k].first)), FormatCount(summary.opcodes[k].second));
  }
  const auto flops = static_cast<double>(summary.flops);
  Add(kRoot, tr("Operations"), each(FormatFlops(flops), FormatFlops(flops / layers)));
  const auto bytes_each = static_cast<int64_t>(static_cast<double>(summary.bytes) / layers);
  Add(kRoot, tr("Bytes moved"), each(FormatBytes(summary.bytes), FormatBytes(bytes_each)));
  if (summary.runs > 0) {
    Add(kRoot, tr("Time"), each(FormatSeconds(summary.seconds), FormatSeconds(summary.seconds / layers)));
  }
  AddInstructionLinks(tr("Parameters"), summary.parameters, summary.parameter_bytes);
  AddInstructionLinks(tr("Inputs"), summary.inputs, summary.input_bytes);
  AddInstructionLinks(tr("Outputs"), summary.outputs, summary.output_bytes);
  if (!group.members.empty()) {
    AddComputationLink(kRoot, tr("Computation"), analyses->module().instruction(group.members.front()).computation);
  }
  endResetModel();
}

void PropertyModel::ShowComputation(std::shared_ptr<const Document> document, ComputationId id) {
  beginResetModel();
  Clear(std::move(document));
  const Module& module = document_->module();
  const Computation& computation = module.computation(id);
  Add(kRoot, tr("Computation"), ToQString(module.ComputationName(id)));
  if (id == module.entry()) Add(kRoot, tr("Role"), tr("entry computation"));
  Add(kRoot, tr("Instructions"), FormatCount(static_cast<int64_t>(computation.instructions.size())));
  if (computation.root.has_value()) AddInstructionLink(kRoot, tr("Root"), computation.root);
  if (!computation.parameters.empty()) {
    const int group = Add(kRoot, tr("Parameters"), QString::number(computation.parameters.size()));
    for (size_t k = 0; k < computation.parameters.size() && k < kMaxLinks; ++k) {
      AddInstructionLink(group, QString::number(k), computation.parameters[k]);
    }
  }
  const absl::Span<const InstructionId> callers = document_->users().callers(id);
  if (!callers.empty()) {
    const int group = Add(kRoot, tr("Callers"), QString::number(callers.size()));
    for (size_t k = 0; k < callers.size() && k < kMaxLinks; ++k) {
      AddInstructionLink(group, ToQString(module.ComputationName(module.instruction(callers[k]).computation)),
                         callers[k]);
    }
  }
  endResetModel();
}

const PropertyModel::Row* PropertyModel::RowAt(const QModelIndex& index) const {
  return index.isValid() ? &rows_[static_cast<size_t>(index.internalId())] : nullptr;
}

InstructionId PropertyModel::InstructionLink(const QModelIndex& index) const {
  const Row* row = RowAt(index);
  return row != nullptr ? row->instruction : InstructionId();
}

ComputationId PropertyModel::ComputationLink(const QModelIndex& index) const {
  const Row* row = RowAt(index);
  return row != nullptr ? row->computation : ComputationId();
}

QModelIndex PropertyModel::Find(const QString& name) const {
  for (size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].name == name) return createIndex(rows_[i].position, kName, static_cast<quintptr>(i));
  }
  return {};
}

QModelIndex PropertyModel::index(int row, int column, const QModelIndex& parent) const {
  const Row* above = RowAt(parent);
  const std::vector<int>& children = above != nullptr ? above->children : top_;
  if (row < 0 || static_cast<size_t>(row) >= children.size() || column < 0 || column >= kColumnCount) return {};
  return createIndex(row, column, static_cast<quintptr>(children[static_cast<size_t>(row)]));
}

QModelIndex PropertyModel::parent(const QModelIndex& index) const {
  const Row* row = RowAt(index);
  if (row == nullptr || row->parent == kRoot) return {};
  const Row& above = rows_[static_cast<size_t>(row->parent)];
  return createIndex(above.position, kName, static_cast<quintptr>(row->parent));
}

int PropertyModel::rowCount(const QModelIndex& parent) const {
  if (parent.isValid() && parent.column() != kName) return 0;
  const Row* row = RowAt(parent);
  return static_cast<int>(row != nullptr ? row->children.size() : top_.size());
}

int PropertyModel::columnCount(const QModelIndex&) const { return kColumnCount; }

QVariant PropertyModel::data(const QModelIndex& index, int role) const {
  const Row* row = RowAt(index);
  if (row == nullptr) return {};
  const bool is_link = row->instruction.has_value() || row->computation.has_value();
  switch (role) {
    case Qt::DisplayRole:
      return index.column() == kName ? row->name : row->value;
    case Qt::ToolTipRole:
      return row->tool_tip.isEmpty() ? row->value : row->tool_tip;
    case Qt::FontRole: {
      QFont font;
      if (index.column() == kValue && is_link) font.setUnderline(true);
      if (index.column() == kName && !row->children.empty()) font.setBold(true);
      return font;
    }
    default:
      return {};
  }
}

QVariant PropertyModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  return section == kName ? tr("Property") : tr("Value");
}

}  // namespace hloscope::gui
