// SPDX-License-Identifier: Apache-2.0
#include "gui/models/instruction_query.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gui/models/text.h"

namespace hloscope::gui {

InstructionQuery InstructionQuery::Parse(const QString& text) {
  static constexpr std::pair<const char*, Field> kPrefixes[] = {
      {"name:", Field::kName},           {"opcode:", Field::kOpcode},  {"op:", Field::kOpcode},
      {"shape:", Field::kShape},         {"op_name:", Field::kOpName}, {"source:", Field::kSource},
      {"attribute:", Field::kAttribute}, {"has:", Field::kHas},        {"has ", Field::kHas}};
  QString rest = text.trimmed();
  Field field = Field::kAny;
  for (const auto& [prefix, wanted] : kPrefixes) {
    if (!rest.startsWith(QLatin1String(prefix))) continue;
    field = wanted;
    rest = rest.mid(QLatin1String(prefix).size()).trimmed();
    break;
  }
  const bool is_pattern = rest.size() > 2 && rest.startsWith(QLatin1Char('/')) && rest.endsWith(QLatin1Char('/'));
  if (is_pattern) rest = rest.mid(1, rest.size() - 2);
  return InstructionQuery(field, rest, is_pattern);
}

InstructionQuery::InstructionQuery(Field field, const QString& text, bool is_pattern)
    : field_(field),
      text_(text),
      lower_(absl::AsciiStrToLower(text.toStdString())),
      is_pattern_(is_pattern),
      pattern_(is_pattern ? text : QString(), QRegularExpression::CaseInsensitiveOption) {
  // Instructions are written with a % in some dialects; no name has one.
  if (!is_pattern_ && lower_.size() > 1 && lower_.front() == '%') lower_.erase(0, 1);
}

QString InstructionQuery::error() const {
  return is_pattern_ && !pattern_.isValid() ? pattern_.errorString() : QString();
}

bool InstructionQuery::MatchesText(absl::string_view text, bool whole) const {
  if (is_pattern_) return pattern_.match(ToQString(text)).hasMatch();
  return whole ? absl::EqualsIgnoreCase(text, lower_) : absl::StrContains(absl::AsciiStrToLower(text), lower_);
}

// Of the place that the metadata name: the file and line, or the frame that is on top of the stack.
bool InstructionQuery::MatchesSource(const Module& module, InstructionId id) const {
  const Metadata* metadata = module.MetadataOf(id);
  if (metadata == nullptr) return false;
  if (metadata->source_file.has_value()) {
    return MatchesText(absl::StrCat(module.string(metadata->source_file), ":", metadata->source_line), false);
  }
  const StackFrameTables& tables = module.header().stack_frames;
  const auto frame = static_cast<size_t>(metadata->stack_frame_id) - 1;
  if (metadata->stack_frame_id < 1 || frame >= tables.frames.size()) return false;
  const int32_t location = tables.frames[frame].file_location_id;
  if (location < 1 || static_cast<size_t>(location) > tables.locations.size()) return false;
  const StackFrameTables::Location& place = tables.locations[static_cast<size_t>(location) - 1];
  const auto file = static_cast<size_t>(place.file_name_id) - 1;
  if (place.file_name_id < 1 || file >= tables.file_names.size()) return false;
  return MatchesText(absl::StrCat(tables.file_names[file], ":", place.line), false);
}

// As it is written; what the text leaves out is not there.
bool InstructionQuery::MatchesAttribute(const Document& document, InstructionId id) const {
  for (const Attribute& attribute : document.module().attributes(id)) {
    if (attribute.kind == AttributeKind::kMetadata) continue;
    if (MatchesText(document.source().Slice(document.AttributeRange(id, attribute.kind)), false)) return true;
  }
  return false;
}

bool InstructionQuery::MatchesValue(InstructionId id, const Knowledge& knowledge) const {
  if (lower_ == "value") return knowledge.executed && knowledge.executed(id);
  if (!knowledge.health) return false;
  const evaluator::NonFinite health = knowledge.health(id);
  return (AsksNan() && health.nan) || (AsksInfinity() && health.infinity);
}

bool InstructionQuery::Matches(const Module& module, InstructionId id, const Knowledge& knowledge) const {
  if (text_.isEmpty() || (is_pattern_ && !pattern_.isValid())) return false;
  if (field_ == Field::kSource) return MatchesSource(module, id);
  if (field_ == Field::kAttribute) return knowledge.document != nullptr && MatchesAttribute(*knowledge.document, id);
  if (field_ == Field::kHas) return MatchesValue(id, knowledge);
  const bool any = field_ == Field::kAny;
  if ((any || field_ == Field::kName) && MatchesText(module.InstructionName(id), false)) return true;
  if (any || field_ == Field::kOpcode) {
    if (MatchesText(OpcodeName(module.opcode(id)), field_ == Field::kOpcode)) return true;
  }
  if (any || field_ == Field::kOpName) {
    const Metadata* metadata = module.MetadataOf(id);
    if (metadata != nullptr && metadata->op_name.has_value() && MatchesText(module.string(metadata->op_name), false)) {
      return true;
    }
  }
  return (any || field_ == Field::kShape) && module.shape(id).IsValid() &&
         MatchesText(module.shape(id).ToString(/*with_layout=*/false), false);
}

std::vector<InstructionId> InstructionQuery::Find(const Module& module, size_t limit,
                                                  const Knowledge& knowledge) const {
  std::vector<InstructionId> found;
  for (size_t i = 0; i < module.instruction_count() && found.size() < limit; ++i) {
    if (Matches(module, InstructionId(i), knowledge)) found.push_back(InstructionId(i));
  }
  return found;
}

std::vector<InstructionId> InstructionQuery::Find(const Module& module, ComputationId computation, size_t limit,
                                                  const Knowledge& knowledge) const {
  std::vector<InstructionId> found;
  for (InstructionId id : module.computation(computation).instructions) {
    if (found.size() >= limit) break;
    if (Matches(module, id, knowledge)) found.push_back(id);
  }
  return found;
}

}  // namespace hloscope::gui
