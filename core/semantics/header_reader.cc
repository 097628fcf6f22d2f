// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/header_reader.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/ir/default_layout.h"
#include "core/lex/lexer.h"
#include "core/semantics/metadata_reader.h"
#include "core/semantics/module_builder.h"
#include "core/semantics/shape_reader.h"
#include "core/semantics/token_cursor.h"
#include "core/semantics/value_readers.h"
#include "core/syntax/syntax_parser.h"

namespace hloscope {
namespace {

using Kind = TokenKind;

constexpr HeaderAttributeInfo kHeaderAttributes[] = {
    {"is_scheduled", "The text order of instructions is the order in which they execute.", "false"},
    {"replica_count", "How many copies of the program run, each on data of its own.", "1"},
    {"num_partitions", "Over how many devices one copy of the program is split.", "1"},
    {"input_output_alias", "Which parts of the result use the memory of which parameters.", "none"},
    {"buffer_donor", "Parameters whose memory the program may use for anything.", "none"},
    {"alias_passthrough_params", "Parameters that are results, unchanged, keep their memory.", "false"},
    {"entry_computation_layout", "Shapes of the parameters and of the result, with the layouts that callers see.",
     "those of the entry computation"},
    {"allow_spmd_sharding_propagation_to_parameters",
     "The partitioner may choose how parameters are split: one flag, or one for each.", "{false}"},
    {"allow_spmd_sharding_propagation_to_output",
     "The partitioner may choose how the result is split: one flag, or one for each part of a tuple.", "{false}"},
    {"frontend_attributes", "Free key-value pairs that the frontend attached; they pass through compilation.", "none"},
    {"origin_recovery_table", "How values of the original program are computed from values of this one.", "none"},
    {"debug_attributes", "What is logged about values of the original program.", "none"}};

std::optional<EntryComputationLayout> ReadEntryLayout(TokenCursor& c) {
  EntryComputationLayout layout;
  if (!c.Expect(Kind::kLeftBrace)) return std::nullopt;
  const bool good = c.ReadList(Kind::kLeftParen, Kind::kRightParen, true, [&] {
    auto shape = ReadShape(c);
    if (shape) layout.parameters.push_back(WithDefaultLayouts(*shape));
    return shape.has_value();
  });
  if (!good || !c.Expect(Kind::kArrow)) return std::nullopt;
  auto result = ReadShape(c);
  if (!result || !c.Expect(Kind::kRightBrace)) return std::nullopt;
  layout.result = WithDefaultLayouts(*result);
  return layout;
}

// A complete text in a string at the cursor. Null after a diagnostic: the first error of the text, at the string.
std::shared_ptr<const Module> ReadRecoveryModule(TokenCursor& c) {
  const SourceRange range = c.range();
  auto text = c.String();
  if (!text) return nullptr;
  const auto source = SourceText::FromString("recovery module", *std::move(text));
  DiagnosticSink sink;
  const TokenBuffer tokens = Lex(*source, sink);
  const SyntaxTree tree = ParseSyntax(*source, tokens, sink);
  BuiltModule built = BuildModule(*source, tokens, tree, VerifyOptions(), sink);
  for (const Diagnostic& d : sink.diagnostics()) {
    if (d.severity != Severity::kError) continue;
    c.Report(DiagnosticKind::kRecoveryModule, range, source->LineColumnAt(d.range.begin).line + 1, d.Message());
    return nullptr;
  }
  return std::make_shared<const Module>(std::move(built.module));
}

bool ReadRecoveryTable(TokenCursor& c, std::vector<OriginRecoveryEntry>& table) {
  if (!c.Expect(Kind::kLeftBrace)) return false;
  while (c.At(Kind::kLeftBrace)) {
    OriginRecoveryEntry entry;
    auto from = ReadOriginArray(c);
    if (!from || !c.Expect(Kind::kColon)) return false;
    auto to = ReadOriginArray(c);
    if (!to) return false;
    entry.from = *std::move(from);
    entry.to = *std::move(to);
    if (c.Eat(Kind::kComma)) {
      entry.module = ReadRecoveryModule(c);
      if (entry.module == nullptr) return false;
    }
    table.push_back(std::move(entry));
  }
  return c.Expect(Kind::kRightBrace);
}

std::optional<DebugAttribute> ReadDebugAttribute(TokenCursor& c) {
  static constexpr absl::string_view kFields[] = {"log_mode", "callback_id", "partitioned", "op_id"};
  DebugAttribute attribute;
  if (!c.Expect(Kind::kLeftBrace)) return std::nullopt;
  do {
    const absl::string_view field = c.name();
    if (!c.At(Kind::kAttributeName)) {
      c.FailExpected("`field=value`");
      return std::nullopt;
    }
    if (std::find(std::begin(kFields), std::end(kFields), field) == std::end(kFields)) {
      c.FailUnknownField("debug_attributes", kFields);
      return std::nullopt;
    }
    c.Advance();
    if (field == "log_mode") {
      if (!c.AtWord("default") && !c.AtWord("fusion_debugger")) {
        static constexpr absl::string_view kModes[] = {"default", "fusion_debugger"};
        c.FailUnknownWord("log_mode", kModes);
        return std::nullopt;
      }
      attribute.log_mode = c.AtWord("default") ? DebugLogMode::kDefault : DebugLogMode::kFusionDebugger;
      c.Advance();
    } else if (field == "partitioned") {
      const auto value = c.Bool();
      if (!value) return std::nullopt;
      attribute.partitioned = *value;
    } else {
      const auto value = c.Int();
      if (!value) return std::nullopt;
      (field == "op_id" ? attribute.op_id : attribute.callback_id) = *value;
    }
  } while (c.Eat(Kind::kComma));
  if (!c.Expect(Kind::kRightBrace)) return std::nullopt;
  return attribute;
}

bool ReadDebugAttributes(TokenCursor& c, std::vector<std::pair<OriginArray, std::vector<DebugAttribute>>>& table) {
  if (!c.Expect(Kind::kLeftBrace)) return false;
  while (!c.At(Kind::kRightBrace)) {
    auto key = ReadOriginArray(c);
    if (!key || !c.Expect(Kind::kColon)) return false;
    std::vector<DebugAttribute> list;
    const bool many = c.Eat(Kind::kLeftParen);
    while (!many || !c.At(Kind::kRightParen)) {
      auto attribute = ReadDebugAttribute(c);
      if (!attribute) return false;
      list.push_back(*attribute);
      if (!many || !c.Eat(Kind::kComma)) break;
    }
    if (many && !c.Expect(Kind::kRightParen)) return false;
    // A repeated key replaces the earlier list.
    const auto it = std::find_if(table.begin(), table.end(), [&](const auto& entry) { return entry.first == *key; });
    if (it != table.end()) {
      it->second = std::move(list);
    } else {
      table.emplace_back(*std::move(key), std::move(list));
    }
    if (!c.Eat(Kind::kComma)) break;
  }
  return c.Expect(Kind::kRightBrace);
}

// `true`, `false` or a list of them.
bool ReadPropagation(TokenCursor& c, std::vector<bool>& flags) {
  if (!c.At(Kind::kLeftBrace)) {
    const auto flag = c.Bool();
    if (flag) flags = {*flag};
    return flag.has_value();
  }
  const auto list = ReadBools(c);
  if (!list) return false;
  flags.assign(list->begin(), list->end());
  return true;
}

bool ReadHeaderAttribute(TokenCursor& c, absl::string_view name, ModuleHeader& header) {
  const auto read_bool = [&](bool& target) {
    const auto value = c.Bool();
    if (value) target = *value;
    return value.has_value();
  };
  const auto read_count = [&](int64_t& target) {
    const auto value = c.IntIn(1, std::numeric_limits<int32_t>::max());
    if (value) target = *value;
    return value.has_value();
  };
  if (name == "is_scheduled") return read_bool(header.is_scheduled);
  if (name == "replica_count") return read_count(header.replica_count);
  if (name == "num_partitions") return read_count(header.num_partitions);
  if (name == "alias_passthrough_params") return read_bool(header.alias_passthrough_params);
  if (name == "input_output_alias") {
    auto aliases = ReadAliasing(c, /*with_kind=*/true);
    if (aliases) header.input_output_alias = *std::move(aliases);
    return aliases.has_value();
  }
  if (name == "buffer_donor") {
    auto donors = ReadDonors(c);
    if (donors) header.buffer_donor = *std::move(donors);
    return donors.has_value();
  }
  if (name == "entry_computation_layout") {
    auto layout = ReadEntryLayout(c);
    if (layout) header.entry_computation_layout = std::move(layout);
    return header.entry_computation_layout.has_value();
  }
  if (name == "allow_spmd_sharding_propagation_to_parameters") {
    return ReadPropagation(c, header.allow_spmd_sharding_propagation_to_parameters);
  }
  if (name == "allow_spmd_sharding_propagation_to_output") {
    return ReadPropagation(c, header.allow_spmd_sharding_propagation_to_output);
  }
  if (name == "frontend_attributes") {
    auto attributes = ReadFrontendAttributes(c);
    if (attributes) header.frontend_attributes = *std::move(attributes);
    return attributes.has_value();
  }
  if (name == "origin_recovery_table") return ReadRecoveryTable(c, header.origin_recovery_table);
  return ReadDebugAttributes(c, header.debug_attributes);
}

}  // namespace

absl::Span<const absl::string_view> HeaderAttributeNames() {
  static const auto& names = *new auto([] {
    std::array<absl::string_view, std::size(kHeaderAttributes)> list;
    std::transform(std::begin(kHeaderAttributes), std::end(kHeaderAttributes), list.begin(),
                   [](const HeaderAttributeInfo& info) { return info.name; });
    return list;
  }());
  return names;
}

const HeaderAttributeInfo* FindHeaderAttribute(absl::string_view name) {
  const auto* found = std::find_if(std::begin(kHeaderAttributes), std::end(kHeaderAttributes),
                                   [&](const HeaderAttributeInfo& info) { return info.name == name; });
  return found == std::end(kHeaderAttributes) ? nullptr : found;
}

void ReadHeader(const SourceText& source, const TokenBuffer& tokens, const SyntaxTree& tree, Module& module,
                NameDiagnostics& names, DiagnosticSink& sink) {
  ModuleHeader& header = module.mutable_header();
  header.written = tree.kind == SyntaxTree::TextKind::kModule;
  const auto token_name = [&](TokenIndex i) { return TokenName(tokens.kind(i), source.Slice(tokens.range(i))); };
  if (tree.module_name != kNoToken) {
    header.name = std::string(token_name(tree.module_name));
    names.CheckName(tree.module_name, NameDiagnostics::Owner::kOther);
    const uint32_t end = tokens.end(tree.module_name);
    if (source.text()[end - 1] == ':') {
      sink.Report(DiagnosticKind::kOldSpelling, SourceRange{end - 1, end}, ":", "the name of a module needs no colon")
          .Fix("remove the colon", SourceRange{end - 1, end}, "");
    }
  }
  std::vector<std::pair<absl::string_view, TokenIndex>> seen;
  for (uint32_t i = 0; i < tree.header_attribute_count; ++i) {
    const AttributeSyntax& attribute = tree.attributes[tree.first_header_attribute + i];
    const absl::string_view name = token_name(attribute.name);
    if (FindHeaderAttribute(name) == nullptr) {
      names.UnknownAttribute(attribute.name, "HloModule", HeaderAttributeNames(), {});
      continue;
    }
    const auto first = std::find_if(seen.begin(), seen.end(), [&](const auto& entry) { return entry.first == name; });
    if (first != seen.end()) {
      names.DuplicateAttribute(tree.first_header_attribute + i, first->second);
      continue;
    }
    seen.emplace_back(name, attribute.name);
    TokenCursor cursor(source, tokens, sink, attribute.value, name);
    if (ReadHeaderAttribute(cursor, name, header)) cursor.ExpectEnd();
  }
  StackFrameTables& frames = header.stack_frames;
  TokenCursor files(source, tokens, sink, tree.file_names, "FileNames");
  TokenCursor functions(source, tokens, sink, tree.function_names, "FunctionNames");
  TokenCursor locations(source, tokens, sink, tree.file_locations, "FileLocations");
  TokenCursor stack(source, tokens, sink, tree.stack_frames, "StackFrames");
  ReadStringRows(files, frames.file_names);
  ReadStringRows(functions, frames.function_names);
  ReadLocationRows(locations, frames.locations);
  ReadFrameRows(stack, frames.frames);
}

}  // namespace hloscope
