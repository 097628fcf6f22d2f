// SPDX-License-Identifier: Apache-2.0
#include "core/editing/outer_place.h"

#include <algorithm>
#include <optional>
#include <string>

#include "core/lex/lexer.h"

namespace hloscope {
namespace {

using Kind = OuterPlace::Kind;

TokenBuffer TokensOf(const Document& document, SourceRange range) {
  DiagnosticSink quiet;  // what there is to say is among the document's diagnostics
  return LexPart(document.source(), range.begin, range.end, 0, quiet);
}

// Calls `visit(row number, range)` for the rows of a table: a number, then a string or a group. Stops once it returns
// true.
template <typename Visit>
void ForEachRow(const TokenBuffer& tokens, Visit visit) {
  size_t row = 0;
  for (TokenIndex t = 1; t + 1 < tokens.size(); ++t) {
    if (tokens.kind(t) != TokenKind::kInteger) continue;
    TokenIndex end = t + 1;
    if (tokens.kind(end) == TokenKind::kLeftBrace) {
      while (end + 1 < tokens.size() && tokens.kind(end) != TokenKind::kRightBrace &&
             tokens.kind(end) != TokenKind::kEndOfFile) {
        ++end;
      }
    } else if (tokens.kind(end) != TokenKind::kString) {
      continue;
    }
    if (visit(++row, SourceRange{tokens.begin(t), tokens.end(end)})) return;
    t = end;
  }
}

class Finder {
 public:
  Finder(const Document& document, uint32_t offset) : document_(document), map_(document.text_map()), offset_(offset) {}

  OuterPlace Find() {
    if (FindInHeader() || FindInTables() || FindInComputations()) return place_;
    return OuterPlace();
  }

 private:
  bool Set(Kind kind, SourceRange range) {
    place_.kind = kind;
    place_.range = range;
    return true;
  }

  bool FindInHeader() {
    if (!map_.module_name.empty() && offset_ < map_.module_name.begin) {
      const TokenBuffer tokens = TokensOf(document_, {0, map_.module_name.begin});
      const SourceRange keyword = tokens.range(0);
      return tokens.kind(0) == TokenKind::kHloModule && keyword.Touches(offset_) && Set(Kind::kModuleKeyword, keyword);
    }
    for (const TextMap::HeaderAttribute& attribute : map_.header) {
      if (!attribute.range.Touches(offset_)) continue;
      place_.word = document_.source().Slice(
          {attribute.range.begin, attribute.range.begin + static_cast<uint32_t>(attribute.name.size())});
      return Set(Kind::kHeaderAttribute, attribute.range);
    }
    return false;
  }

  bool FindInTables() {
    for (place_.table = 0; place_.table < map_.tables.size(); ++place_.table) {
      const SourceRange table = map_.tables[place_.table];
      if (table.empty() || !table.Touches(offset_)) continue;
      const TokenBuffer tokens = TokensOf(document_, table);
      if (tokens.range(0).Touches(offset_)) return Set(Kind::kTableHeading, tokens.range(0));
      bool found = false;
      ForEachRow(tokens, [&](size_t row, SourceRange range) {
        if (range.Touches(offset_)) {
          place_.row = row;
          found = Set(Kind::kTableRow, range);
        }
        return range.begin > offset_ || found;
      });
      return found;
    }
    return false;
  }

  bool FindInComputations() {
    for (size_t node = 0; node < map_.computations.size(); ++node) {
      const TextMap::ComputationText& text = map_.computations[node];
      if (!text.is_top_level || !text.range.Touches(offset_)) continue;
      place_.computation = document_.ComputationOfNode(node);
      if (offset_ < text.name.begin) {
        const TokenBuffer tokens = TokensOf(document_, {text.range.begin, text.name.begin});
        return tokens.kind(0) == TokenKind::kEntry && tokens.range(0).Touches(offset_) &&
               Set(Kind::kEntryKeyword, tokens.range(0));
      }
      if (!text.result.empty() && text.result.Touches(offset_)) return Set(Kind::kSignatureResult, text.result);
      if (!text.result.empty() && offset_ < text.result.begin) return FindParameter({text.name.end, text.result.begin});
      return text.is_closed && offset_ > text.close_brace && FindThread({text.close_brace, text.range.end});
    }
    return false;
  }

  // `(name: shape, name: shape) ->`
  bool FindParameter(SourceRange signature) {
    const TokenBuffer tokens = TokensOf(document_, signature);
    const absl::string_view text = document_.source().text();
    int depth = 0;
    for (TokenIndex t = 0; t < tokens.size(); ++t) {
      depth += IsOpeningBracket(tokens.kind(t)) ? 1 : IsClosingBracket(tokens.kind(t)) ? -1 : 0;
      if (tokens.kind(t) != TokenKind::kName || depth != 1) continue;
      // To the comma or parenthesis after the shape.
      TokenIndex end = t + 1;
      for (int inner = 0; end + 1 < tokens.size(); ++end) {
        const TokenKind kind = tokens.kind(end);
        if (inner == 0 && (kind == TokenKind::kComma || IsClosingBracket(kind))) break;
        inner += IsOpeningBracket(kind) ? 1 : IsClosingBracket(kind) ? -1 : 0;
      }
      const SourceRange range = {tokens.begin(t), tokens.end(end - 1)};
      if (!range.Touches(offset_)) continue;
      place_.word = TokenName(TokenKind::kName, text.substr(tokens.begin(t), tokens.range(t).size()));
      const Module& module = document_.module();
      for (InstructionId parameter : module.computation(place_.computation).parameters) {
        if (parameter.has_value() && module.InstructionName(parameter) == place_.word) place_.parameter = parameter;
      }
      return Set(Kind::kSignatureParameter, range);
    }
    return false;
  }

  bool FindThread(SourceRange rest) {
    const TokenBuffer tokens = TokensOf(document_, rest);
    for (TokenIndex t = 0; t + 1 < tokens.size(); ++t) {
      if (tokens.kind(t) != TokenKind::kAttributeName) continue;
      const SourceRange range = {tokens.begin(t), tokens.end(t + 1)};
      if (range.Touches(offset_)) return Set(Kind::kExecutionThread, range);
    }
    return false;
  }

  const Document& document_;
  const TextMap& map_;
  const uint32_t offset_;
  OuterPlace place_;
};

}  // namespace

OuterPlace OuterPlaceAt(const Document& document, uint32_t offset) { return Finder(document, offset).Find(); }

SourceRange TableRowRange(const Document& document, size_t table, size_t row) {
  SourceRange found;
  ForEachRow(TokensOf(document, document.text_map().tables[table]), [&](size_t number, SourceRange range) {
    if (number == row) found = range;
    return number == row;
  });
  return found;
}

}  // namespace hloscope
