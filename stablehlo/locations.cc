#include "stablehlo/locations.h"

#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "stablehlo/hlo_writer.h"
#include "stablehlo/lexer.h"

namespace hloscope::stablehlo {
namespace {

constexpr int kMostLevels = 200;
constexpr int kMostParts = 10000;

// Walks a location without keeping it.
class LocationReader {
 public:
  explicit LocationReader(const Program& program) : program_(program), lexer_(program.source->text(), &ignored_) {}

  struct Result {
    std::vector<std::string> names;
    std::string op_type, file;
    int64_t line = 0, column = 0;
  };

  // What is between the parentheses of loc(...).
  void Read(SourceRange range, bool names_count, int level) {
    if (level > kMostLevels || ++parts_ > kMostParts) return;
    const Token outer = token_;
    token_ = lexer_.ReadFrom(range.begin);
    ReadOne(range.end, names_count, level);
    token_ = outer;
  }
  Result& result() { return result_; }

 private:
  bool At(TokenKind kind) const { return token_.kind == kind; }
  absl::string_view text() const { return lexer_.Slice(token_.range()); }
  void Advance() { token_ = lexer_.ReadFrom(token_.end); }

  void ReadOne(uint32_t end, bool names_count, int level) {
    if (token_.begin >= end || level > kMostLevels || ++parts_ > kMostParts) return;
    if (At(TokenKind::kHash)) {
      const auto alias = program_.alias_of_name.find(text());
      Advance();
      if (alias == program_.alias_of_name.end()) return;
      SourceRange value = alias->second;
      if (absl::StartsWith(program_.Slice(value), "loc(")) value.begin += 4;
      Read(value, names_count, level + 1);
    } else if (At(TokenKind::kString)) {
      ReadString(end, names_count, level);
    } else if (At(TokenKind::kWord) && text() == "callsite") {
      Advance();
      if (!At(TokenKind::kLeftParen)) return;
      Advance();
      ReadOne(end, names_count, level + 1);  // the callee; who called it is not in the metadata
    } else if (At(TokenKind::kWord) && text() == "fused") {
      Advance();
      if (At(TokenKind::kLess)) token_ = lexer_.ReadFrom(lexer_.EndOfBracket(token_.begin));
      if (!At(TokenKind::kLeftBracket)) return;
      do {
        Advance();
        ReadOne(end, names_count, level + 1);
      } while (At(TokenKind::kComma) && token_.begin < end);
    } else if (At(TokenKind::kWord) && text() == "loc") {
      Advance();
      if (!At(TokenKind::kLeftParen)) return;
      Advance();
      ReadOne(end, names_count, level + 1);
    }
  }

  // "name", "name"(child) or "file":line:column.
  void ReadString(uint32_t end, bool names_count, int level) {
    const absl::string_view quoted = text();
    const std::string name = DecodeString(quoted.substr(1, quoted.size() >= 2 ? quoted.size() - 2 : 0));
    Advance();
    if (At(TokenKind::kColon) && token_.begin < end) {
      result_.file = name;
      Advance();
      if (!At(TokenKind::kInteger) || !absl::SimpleAtoi(text(), &result_.line)) result_.line = 0;
      Advance();
      if (!At(TokenKind::kColon)) return;
      Advance();
      if (!At(TokenKind::kInteger) || !absl::SimpleAtoi(text(), &result_.column)) result_.column = 0;
      Advance();
      while (token_.begin < end && (At(TokenKind::kWord) || At(TokenKind::kColon) || At(TokenKind::kInteger)))
        Advance();
      return;
    }
    const std::string before = name.substr(0, name.find('@'));
    const bool is_type = absl::EndsWith(before, ":");
    if (is_type && result_.op_type.empty()) result_.op_type = before.substr(0, before.size() - 1);
    if (names_count && !is_type) result_.names.push_back(before);
    if (!At(TokenKind::kLeftParen) || token_.begin >= end) return;
    Advance();
    ReadOne(end, names_count && is_type, level + 1);
    if (At(TokenKind::kRightParen)) Advance();
  }

  const Program& program_;
  DiagnosticSink ignored_;
  Lexer lexer_;
  Token token_;
  Result result_;
  int parts_ = 0;
};

// A line or column that the metadata can hold.
bool Fits(int64_t number) { return number > 0 && number <= std::numeric_limits<int32_t>::max(); }

}  // namespace

std::string MetadataOfLocation(const Program& program, const AttributeValue& location) {
  LocationReader reader(program);
  reader.Read(location.payload, true, 0);
  const LocationReader::Result& result = reader.result();
  std::vector<std::string> fields;
  if (!result.op_type.empty()) fields.push_back(absl::StrCat("op_type=", Quoted(result.op_type)));
  if (!result.names.empty()) fields.push_back(absl::StrCat("op_name=", Quoted(absl::StrJoin(result.names, ";"))));
  if (!result.file.empty()) {
    fields.push_back(absl::StrCat("source_file=", Quoted(result.file)));
    if (Fits(result.line)) {
      fields.push_back(absl::StrCat("source_line=", result.line, " source_end_line=", result.line));
      if (Fits(result.column)) {
        fields.push_back(absl::StrCat("source_column=", result.column, " source_end_column=", result.column));
      }
    }
  }
  return fields.empty() ? "" : absl::StrCat(", metadata={", absl::StrJoin(fields, " "), "}");
}

}  // namespace hloscope::stablehlo
