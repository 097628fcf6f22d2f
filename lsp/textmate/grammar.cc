// SPDX-License-Identifier: Apache-2.0
#include "lsp/textmate/grammar.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "core/ir/element_type.h"
#include "core/ir/opcode.h"
#include "core/semantics/header_reader.h"
#include "nlohmann/json.hpp"

namespace hloscope::lsp {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kName[] = "%?[A-Za-z_][A-Za-z0-9_.-]*";

// `(?:a|b|c)` of words in which `.` and `-` may occur; the longest first, each once.
std::string AnyOf(std::vector<absl::string_view> words) {
  std::sort(words.begin(), words.end(), [](absl::string_view a, absl::string_view b) {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  });
  words.erase(std::unique(words.begin(), words.end()), words.end());
  // Types that only shapes can spell have no word.
  while (!words.empty() && words.back().empty()) words.pop_back();
  return absl::StrCat("(?:", absl::StrJoin(words, "|"), ")");
}

// The same, in any case: [Rr][Nn][Gg].
std::string AnyOfIgnoringCase(absl::Span<const absl::string_view> words) {
  std::vector<std::string> patterns;
  for (absl::string_view word : words) {
    std::string pattern;
    for (char c : word) {
      const unsigned char byte = static_cast<unsigned char>(c);
      if (absl::ascii_isalpha(byte)) {
        absl::StrAppend(&pattern, "[", std::string(1, absl::ascii_toupper(byte)),
                        std::string(1, absl::ascii_tolower(byte)), "]");
      } else {
        pattern.push_back(c);
      }
    }
    patterns.push_back(pattern);
  }
  return AnyOf(std::vector<absl::string_view>(patterns.begin(), patterns.end()));
}

template <typename... Rules>
Json List(Rules... rules) {
  Json list = Json::array();
  (list.push_back(std::move(rules)), ...);
  return list;
}

Json Match(absl::string_view scope, std::string pattern) {
  return {{"name", absl::StrCat(scope, ".hlo")}, {"match", std::move(pattern)}};
}

// {"1": {"name": ...}, ...} for the groups in order.
Json Captures(const std::vector<absl::string_view>& scopes) {
  Json captures = Json::object();
  for (size_t i = 0; i < scopes.size(); ++i) {
    captures[absl::StrCat(i + 1)] = {{"name", absl::StrCat(scopes[i], ".hlo")}};
  }
  return captures;
}

Json MatchGroups(std::string pattern, std::vector<absl::string_view> scopes) {
  return {{"match", std::move(pattern)}, {"captures", Captures(std::move(scopes))}};
}

Json Include(absl::string_view name) { return {{"include", absl::StrCat("#", name)}}; }

Json Patterns(std::initializer_list<absl::string_view> includes) {
  Json patterns = Json::array();
  for (absl::string_view name : includes) patterns.push_back(Include(name));
  return patterns;
}

constexpr char kAttributeScope[] = "entity.other.attribute-name";
constexpr char kAssign[] = "keyword.operator.assignment";

std::vector<AttributeKind> AttributesOfType(AttributeType type) {
  std::vector<AttributeKind> kinds;
#define HLO_ATTRIBUTE(Enum, spelling, Type, Enumeration, doc) \
  if (AttributeType::k##Type == type) kinds.push_back(AttributeKind::k##Enum);
#include "core/ir/attributes.def"
  return kinds;
}

std::vector<absl::string_view> Names(const std::vector<AttributeKind>& kinds) {
  std::vector<absl::string_view> names;
  for (AttributeKind kind : kinds) names.push_back(AttributeName(kind));
  return names;
}

// Enumerations whose words may be written in any case (6.9).
bool IgnoresCase(Enumeration enumeration) {
#define HLO_ENUMERATION(Name, ignore_case) \
  if (enumeration == Enumeration::k##Name) return ignore_case;
#include "core/ir/words.def"
  return false;
}

std::string WordsPattern(const std::vector<AttributeKind>& kinds) {
  std::vector<absl::string_view> exact, any_case;
  for (AttributeKind kind : kinds) {
    const Enumeration enumeration = InfoOf(kind).enumeration;
    const auto words = WordsOf(enumeration);
    std::vector<absl::string_view>& target = IgnoresCase(enumeration) ? any_case : exact;
    target.insert(target.end(), words.begin(), words.end());
  }
  if (any_case.empty()) return AnyOf(exact);
  if (exact.empty()) return AnyOfIgnoringCase(any_case);
  return absl::StrCat("(?:", AnyOf(exact), "|", AnyOfIgnoringCase(any_case), ")");
}

Json Comments() {
  const Json block = {{"name", "comment.block.hlo"}, {"begin", "/\\*"}, {"end", "\\*/"}};
  return {{"patterns", List(Match("comment.line.double-slash", "//.*$"), block)}};
}

Json Strings() {
  const auto quoted = [](absl::string_view scope, absl::string_view quote) {
    Json rule = {{"name", absl::StrCat(scope, ".hlo")}, {"begin", quote}, {"end", quote}};
    rule["patterns"] = List(Match("constant.character.escape",
                                  "\\\\(?:[abfnrtv\\\\?'\"]|[0-3]?[0-7]{1,2}|[xX][0-9A-Fa-f]+|u[0-9A-Fa-f]{4}|"
                                  "U[0-9A-Fa-f]{8})"),
                            Match("invalid.illegal.escape", "\\\\."));
    return rule;
  };
  return {{"patterns", List(quoted("string.quoted.double", "\""), quoted("string.quoted.single", "'"))}};
}

// The inside of a raw block: nested braces, and strings in which braces do not count.
Json RawInside() {
  const Json string = {{"name", "string.quoted.double.hlo"},
                       {"begin", "\""},
                       {"end", "\""},
                       {"patterns", List(Match("constant.character.escape", "\\\\."))}};
  const Json braces = {{"begin", "\\{"}, {"end", "\\}"}, {"patterns", Patterns({"raw-inside"})}};
  return {{"patterns", List(string, braces)}};
}

// `name={...}` with a raw block, or with anything else after the `=`.
Json RawAttribute(absl::string_view name, absl::string_view scope) {
  return {{"begin", absl::StrCat("(", name, ")(=)\\s*(\\{)")},
          {"beginCaptures", Captures({scope, kAssign, "punctuation.section.raw.begin"})},
          {"end", "(\\})"},
          {"endCaptures", Captures({"punctuation.section.raw.end"})},
          {"contentName", "string.unquoted.raw.hlo"},
          {"patterns", Patterns({"raw-inside"})}};
}

Json RawBlocks() {
  Json patterns = Json::array();
  for (absl::string_view name : Names(AttributesOfType(AttributeType::kRaw))) {
    patterns.push_back(RawAttribute(absl::StrCat("\\b", name), kAttributeScope));
  }
  for (absl::string_view name : Names(AttributesOfType(AttributeType::kFrontendAttributes))) {
    patterns.push_back({{"begin", absl::StrCat("\\b(", name, ")(=)\\s*(\\{)")},
                        {"beginCaptures", Captures({kAttributeScope, kAssign, "punctuation.section.braces.begin"})},
                        {"end", "(\\})"},
                        {"endCaptures", Captures({"punctuation.section.braces.end"})},
                        {"patterns", Patterns({"comments", "frontend-raw", "frontend-key", "strings"})}});
  }
  return {{"patterns", patterns}};
}

// Attributes whose value has words or names of its own; then all others by name.
Json Attributes() {
  Json patterns = Json::array();
  const Json body = {{"begin", "\\{"}, {"end", "\\}"}, {"patterns", List(Json{{"include", "$self"}})}};
  const std::vector<AttributeKind> callers = AttributesOfType(AttributeType::kComputation);
  patterns.push_back(MatchGroups(absl::StrCat("\\b", "(", AnyOf(Names(callers)), ")(=)\\s*(", kName, ")"),
                                 {kAttributeScope, kAssign, "entity.name.function"}));
  patterns.push_back({{"begin", absl::StrCat("\\b(", AnyOf(Names(AttributesOfType(AttributeType::kComputations))),
                                             ")(=)\\s*(\\{)(?!\\s*$)")},
                      {"beginCaptures", Captures({kAttributeScope, kAssign, "punctuation.section.braces.begin"})},
                      {"end", "(\\})"},
                      {"endCaptures", Captures({"punctuation.section.braces.end"})},
                      {"patterns", List(Include("comments"), body, Match("entity.name.function", kName))}});
  const std::vector<AttributeKind> words = AttributesOfType(AttributeType::kWord);
  std::set<std::string> done;  // names with several enumerations share one rule
  for (AttributeKind kind : words) {
    const std::string name(AttributeName(kind));
    if (!done.insert(name).second) continue;
    std::vector<AttributeKind> same;
    for (AttributeKind other : words) {
      if (AttributeName(other) == name) same.push_back(other);
    }
    patterns.push_back(MatchGroups(absl::StrCat("\\b(", name, ")(=)\\s*(", WordsPattern(same), ")(?![A-Za-z0-9_.-])"),
                                   {kAttributeScope, kAssign, "constant.language.word"}));
  }
  for (AttributeKind kind : AttributesOfType(AttributeType::kWords)) {
    patterns.push_back(
        {{"begin", absl::StrCat("\\b(", AttributeName(kind), ")(=)\\s*(\\{)")},
         {"beginCaptures", Captures({kAttributeScope, kAssign, "punctuation.section.braces.begin"})},
         {"end", "(\\})"},
         {"endCaptures", Captures({"punctuation.section.braces.end"})},
         {"patterns", List(Include("comments"), Match("constant.language.word", WordsPattern({kind})))}});
  }
  std::vector<absl::string_view> all;
#define HLO_ATTRIBUTE(Enum, spelling, Type, Enumeration, doc) all.push_back(spelling);
#include "core/ir/attributes.def"
  const auto header = HeaderAttributeNames();
  all.insert(all.end(), header.begin(), header.end());
  all.push_back("execution_thread");  // of computations
  patterns.push_back(MatchGroups(absl::StrCat("\\b(", AnyOf(all), ")(=)"), {kAttributeScope, kAssign}));
  // Fields of structured values, and attributes of other versions.
  patterns.push_back(MatchGroups("\\b([A-Za-z_][A-Za-z0-9_.-]*)(=)", {"variable.parameter.field", kAssign}));
  return {{"patterns", patterns}};
}

Json Declarations() {
  return {{"patterns",
           List(MatchGroups(absl::StrCat("\\b(HloModule)\\s+(", kName, ")"),
                            {"keyword.control.module", "entity.name.namespace"}),
                // A computation: name, then its signature with an arrow, or its body.
                MatchGroups(absl::StrCat("^\\s*(ENTRY)\\s+(", kName, ")"),
                            {"storage.modifier.entry", "entity.name.function"}),
                MatchGroups(absl::StrCat("^(", kName, ")(?=\\s*(?:\\{|\\([^=]*\\)\\s*->))"), {"entity.name.function"}),
                // An instruction: `name =`.
                MatchGroups(absl::StrCat("(?:\\b(ROOT)\\s+)?(", kName, ")\\s+(=)(?!=)"),
                            {"storage.modifier.root", "entity.name.variable", kAssign}),
                MatchGroups("(?:\\b(ROOT)\\s+)?(%[A-Za-z_][A-Za-z0-9_.-]*)(=)",
                            {"storage.modifier.root", "entity.name.variable", kAssign}))}};
}

Json Keywords() {
  std::vector<absl::string_view> sections, shardings;
#define HLO_TOKEN(Name, description)
#define HLO_PUNCTUATION(Name, spelling)
#define HLO_KEYWORD(Name, spelling)                                   \
  if (absl::ascii_isupper(static_cast<unsigned char>(spelling[0]))) { \
    sections.push_back(spelling);                                     \
  } else {                                                            \
    shardings.push_back(spelling);                                    \
  }
#include "core/lex/token_kinds.def"
  const auto is_number = [](absl::string_view word) { return word == "true" || word == "false" || word == "inf"; };
  shardings.erase(std::remove_if(shardings.begin(), shardings.end(), is_number), shardings.end());
  const char* const end = "(?![A-Za-z0-9_.:=-])";
  return {{"patterns", List(Match("keyword.control", absl::StrCat("\\b", AnyOf(sections), end)),
                            Match("constant.language.boolean", absl::StrCat("\\b(?:true|false)", end)),
                            Match("constant.language.sharding", absl::StrCat("\\b", AnyOf(shardings), end)),
                            Match("keyword.other.mesh", "\\b(?:maximal_)?mesh(?=\\[)"))}};
}

Json Opcodes() {
  std::vector<absl::string_view> names;
  for (Opcode opcode : AllOpcodes()) names.push_back(OpcodeName(opcode));
  const std::string any = AnyOf(names);
  return {{"patterns", List(Match("support.function.opcode", absl::StrCat("\\b", any, "(?=\\()")),
                            Match("support.function.opcode.asynchronous",
                                  absl::StrCat("\\b", any, "-(?:start|update|done)(?=\\()")),
                            // `b(` is a buffer shape; anything else before a parenthesis should be an opcode.
                            Match("keyword.other.buffer", "\\bb(?=\\()"),
                            Match("keyword.other.layout", "\\b(?:SC|[DTLESPM])(?=\\()"))}};
}

Json ElementTypes() {
  std::vector<absl::string_view> names;
#define HLO_ELEMENT_TYPE(Enum, spelling, bits, storage_bytes, kind, proto_number) names.push_back(spelling);
#include "numerics/elements/element_types.def"
  return {{"patterns", List(Match("storage.type", absl::StrCat("\\b", AnyOf(names), "(?=\\s*[\\[)])")))}};
}

Json Numbers() {
  return {
      {"patterns",
       List(Match("constant.other.dim-labels", "[0-9bf?]{2,}_[0-9io?]{2,}->[0-9bf?]{2,}"),
            Match("constant.numeric.padding", "-?[0-9]+_-?[0-9]+(?:_[0-9]+)?(?:x-?[0-9]+_-?[0-9]+(?:_[0-9]+)?)*"),
            Match("constant.numeric.sizes", "[0-9]+(?:x[0-9]+)+"),
            Match("constant.numeric.decimal",
                  "-?(?:[0-9]+\\.?[0-9]*|[0-9]*\\.[0-9]+)[eE][+-]?[0-9]+|-?[0-9]+\\.[0-9]*|-\\.[0-9]+"),
            Match("constant.numeric.integer", "-?[0-9]+"),
            Match("constant.numeric.special", "-?\\bnan\\(0x[0-9A-Fa-f]+\\)|-?\\b(?:nan|inf)(?![A-Za-z0-9_.:=-])"))}};
}

Json Names() {
  return {{"patterns",
           List(  // An element of a tuple: `%t#1`.
               MatchGroups("(#)([0-9]+)", {"keyword.operator.tuple-access", "constant.numeric.integer"}),
               Match("variable.other", absl::StrCat(kName, ":?")))}};
}

Json Punctuation() {
  return {{"patterns",
           List(Match("constant.language.elided", "\\.\\.\\."), Match("keyword.operator", "->|<=|=|\\*|\\+|~|\\?"),
                Match("punctuation.separator", "[,:]"), Match("punctuation.section", "[\\[\\](){}]"))}};
}

}  // namespace

std::string TextMateGrammar() {
  Json grammar;
  grammar["name"] = "HLO";
  grammar["scopeName"] = "source.hlo";
  grammar["fileTypes"] = {"hlo"};
  grammar["patterns"] = Patterns({"comments", "declarations", "raw-blocks", "attributes", "strings", "keywords",
                                  "opcodes", "element-types", "numbers", "names", "punctuation"});
  Json& repository = grammar["repository"];
  repository["comments"] = Comments();
  repository["declarations"] = Declarations();
  repository["raw-blocks"] = RawBlocks();
  repository["raw-inside"] = RawInside();
  repository["frontend-raw"] = RawAttribute("[A-Za-z_][A-Za-z0-9_.-]*", "variable.parameter.field");
  repository["frontend-key"] = MatchGroups("([A-Za-z_][A-Za-z0-9_.-]*)(=)", {"variable.parameter.field", kAssign});
  repository["attributes"] = Attributes();
  repository["strings"] = Strings();
  repository["keywords"] = Keywords();
  repository["opcodes"] = Opcodes();
  repository["element-types"] = ElementTypes();
  repository["numbers"] = Numbers();
  repository["names"] = Names();
  repository["punctuation"] = Punctuation();
  return grammar.dump(2) + "\n";
}

}  // namespace hloscope::lsp
