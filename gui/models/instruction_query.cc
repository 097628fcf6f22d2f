#include "gui/models/instruction_query.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "gui/models/text.h"

namespace hloscope::gui {

InstructionQuery InstructionQuery::Parse(const QString& text) {
  static constexpr std::pair<const char*, Field> kPrefixes[] = {{"name:", Field::kName},
                                                                {"opcode:", Field::kOpcode},
                                                                {"op:", Field::kOpcode},
                                                                {"shape:", Field::kShape},
                                                                {"op_name:", Field::kOpName}};
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

bool InstructionQuery::Matches(const Module& module, InstructionId id) const {
  if (text_.isEmpty() || (is_pattern_ && !pattern_.isValid())) return false;
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

std::vector<InstructionId> InstructionQuery::Find(const Module& module, size_t limit) const {
  std::vector<InstructionId> found;
  for (size_t i = 0; i < module.instruction_count() && found.size() < limit; ++i) {
    if (Matches(module, InstructionId(i))) found.push_back(InstructionId(i));
  }
  return found;
}

std::vector<InstructionId> InstructionQuery::Find(const Module& module, ComputationId computation, size_t limit) const {
  std::vector<InstructionId> found;
  for (InstructionId id : module.computation(computation).instructions) {
    if (found.size() >= limit) break;
    if (Matches(module, id)) found.push_back(id);
  }
  return found;
}

}  // namespace hloscope::gui
