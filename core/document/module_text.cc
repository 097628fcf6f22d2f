// SPDX-License-Identifier: Apache-2.0
#include "core/document/module_text.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/ir/default_layout.h"
#include "core/lex/lexer.h"
#include "core/ops/rule_context.h"
#include "core/print/attribute_presence.h"
#include "core/print/attribute_printer.h"
#include "core/print/header_printer.h"
#include "core/semantics/module_builder.h"
#include "core/syntax/syntax_parser.h"

namespace hloscope {
namespace {

// Where the attributes of one opcode are in its text, and which of them are always there.
struct AttributeOrder {
  static constexpr uint8_t kNowhere = 0xFF;
  std::array<uint8_t, 256> rank;
  absl::InlinedVector<AttributeKind, 4> always;
  bool is_known = false;

  static bool IsRequired(Opcode opcode, AttributeKind kind) {
    const auto& required = InfoOf(opcode).required;
    return std::find(required.begin(), required.end(), kind) != required.end();
  }

  void Learn(Opcode opcode) {
    rank.fill(kNowhere);
    uint8_t next = 0;
    const auto add = [&](AttributeKind kind) {
      uint8_t& place = rank[static_cast<size_t>(kind)];
      if (place != kNowhere) return;
      place = next++;
      // A topk prints whether it is stable where it says so.
      const bool is_always = AlwaysPrints(opcode, kind) && kind != AttributeKind::kIsStable;
      if (is_always || IsRequired(opcode, kind)) always.push_back(kind);
    };
    for (AttributeKind kind : InfoOf(opcode).attributes) {
      if (kind != AttributeKind::kResultAccuracy) add(kind);
    }
    if (opcode == Opcode::kParameter) add(AttributeKind::kParameterReplication);
    for (AttributeKind kind : TrailingAttributes()) add(kind);
    is_known = true;
  }
};

// A shape as its text says it: every array has a layout, but for scalars in the usual place.
Shape AsWritten(const Shape& shape) {
  if (shape.IsArray()) {
    Shape written = WithDefaultLayouts(shape);
    if (shape.rank() == 0 && written.layout() == Layout::RowMajor(0)) written.clear_layout();
    return written;
  }
  if (shape.elements().empty()) return shape;
  std::vector<Shape> elements;
  for (const Shape& element : shape.elements()) elements.push_back(AsWritten(element));
  return shape.IsBuffer() ? Shape::Buffer(std::move(elements[0])) : Shape::Tuple(std::move(elements));
}

// Makes a module the one that reading its text gives.
class ReadingOrder {
 public:
  ReadingOrder(Module& module, const PrintOptions& style)
      : module_(module), style_(style), orders_(AllOpcodes().size() + 2) {}

  // False if that cannot be, or is more than order and numbers.
  bool Run() {
    if (!module_.entry().has_value() || !NamesAreUnique() || !HeaderIsReadable() || !ShapesAreReadable()) return false;
    CompleteLayouts();
    CompleteHeader();
    uint32_t next = 0;
    for (size_t c = 0; c < module_.computations().size(); ++c) {
      Computation& computation = module_.mutable_computation(ComputationId(c));
      computation.syntax = static_cast<uint32_t>(c);
      for (InstructionId id : computation.instructions) {
        const LiteralId literal = module_.instruction(id).literal;
        if (literal.has_value() && !ElisionIsReadable(module_.literal(literal))) return false;
        if (id.index() != next || !ArrangeAttributes(id)) return false;
        module_.mutable_instruction(id).syntax = SyntaxId(next++);
      }
    }
    return next == module_.instruction_count();
  }

 private:
  bool NamesAreUnique() const {
    std::vector<bool> seen;
    const auto add = [&](StringId name) {
      if (name.index() >= seen.size()) seen.resize(std::max(name.index() + 1, seen.size() * 2));
      if (seen[name.index()]) return false;
      seen[name.index()] = true;
      return true;
    };
    for (const Instruction& instruction : module_.instructions()) {
      if (!add(instruction.name)) return false;
    }
    seen.assign(seen.size(), false);
    for (const Computation& computation : module_.computations()) {
      if (!add(computation.name)) return false;
    }
    return true;
  }

  // A text leaves out the values of arrays as a whole, and never those of scalars.
  static bool ElisionIsReadable(const Literal& literal) {
    const Shape& shape = literal.shape();
    if (!shape.IsArray()) return std::all_of(literal.elements().begin(), literal.elements().end(), ElisionIsReadable);
    return !literal.IsElided() || (shape.rank() > 0 && shape.ElementCount() > 0 && literal.bytes().empty());
  }

  // Layouts say more than the order of dimensions in many ways that not every text can say.
  static bool IsReadable(const Shape& shape) {
    if (!shape.IsArray()) {
      return std::all_of(shape.elements().begin(), shape.elements().end(),
                         [](const Shape& element) { return IsReadable(element); });
    }
    if (!shape.has_layout() || shape.layout().HasOnlyMinorToMajor()) return true;
    return TextIsReadable(absl::StrCat(shape.ToString(), " parameter(0)"));
  }

  bool ShapesAreReadable() const {
    for (size_t i = 0; i < module_.shape_count(); ++i) {
      if (!IsReadable(module_.shape(ShapeId(i)))) return false;
    }
    const auto& entry = module_.header().entry_computation_layout;
    return !entry || (IsReadable(entry->result) && std::all_of(entry->parameters.begin(), entry->parameters.end(),
                                                               [](const Shape& shape) { return IsReadable(shape); }));
  }

  bool HeaderIsReadable() const {
    if (module_.header().frontend_attributes.empty()) return true;
    std::string value;
    AppendFrontendAttributes(module_.header().frontend_attributes, &value);
    return TextIsReadable(absl::StrCat("f32[] parameter(0), frontend_attributes=", value));
  }

  void CompleteLayouts() {
    std::vector<ShapeId> complete;
    const size_t count = module_.shape_count();
    bool is_other = false;
    for (size_t i = 0; i < count; ++i) {
      const ShapeId id(i);
      complete.push_back(module_.InternShape(AsWritten(module_.shape(id))));
      is_other |= complete.back() != id;
    }
    for (size_t i = 0; is_other && i < module_.instruction_count(); ++i) {
      const InstructionId id(i);
      const ShapeId shape = complete[module_.instruction(id).shape.index()];
      if (shape == module_.instruction(id).shape) continue;
      module_.mutable_instruction(id).shape = shape;
      if (!module_.instruction(id).literal.has_value()) continue;
      Literal literal = module_.literal(id);
      literal.mutable_shape() = module_.shape(shape);
      module_.SetLiteral(id, std::move(literal));
    }
  }

  void CompleteHeader() {
    ModuleHeader& header = module_.mutable_header();
    header.written = true;
    header.entry_computation_layout = EntryLayoutOf(module_);
    std::stable_sort(header.input_output_alias.begin(), header.input_output_alias.end(),
                     [](const AliasEntry& a, const AliasEntry& b) { return a.output_index < b.output_index; });
    std::sort(header.buffer_donor.begin(), header.buffer_donor.end(), [](const DonorEntry& a, const DonorEntry& b) {
      return std::tie(a.parameter, a.index) < std::tie(b.parameter, b.index);
    });
  }

  // What does not print is not there when the text is read, and what always prints is.
  bool ArrangeAttributes(InstructionId id) {
    const Opcode opcode = module_.opcode(id);
    AttributeOrder& order = orders_[static_cast<size_t>(opcode)];
    if (!order.is_known) order.Learn(opcode);
    const absl::Span<const Attribute> attributes = module_.attributes(id);
    arranged_.clear();
    for (const Attribute& attribute : attributes) {
      const bool is_renamed = attribute.kind == AttributeKind::kToApply && opcode == Opcode::kCustomCall;
      if (is_renamed || !IsReadable(id, attribute)) return false;
      const bool is_written = order.rank[static_cast<size_t>(attribute.kind)] != AttributeOrder::kNowhere;
      if (is_written && AttributePrints(module_, id, attribute.kind)) arranged_.push_back(attribute);
    }
    for (AttributeKind kind : order.always) {
      if (module_.HasAttribute(id, kind)) continue;
      const AttributeType type = InfoOf(kind).type;
      if (order.IsRequired(opcode, kind) || (type != AttributeType::kBool && type != AttributeType::kInts))
        return false;
      arranged_.push_back({kind, kAbsent});
    }
    if (arranged_.empty() && attributes.empty()) return true;
    const auto is_before = [&](const Attribute& a, const Attribute& b) {
      return order.rank[static_cast<size_t>(a.kind)] < order.rank[static_cast<size_t>(b.kind)];
    };
    const bool is_sorted = std::is_sorted(arranged_.begin(), arranged_.end(), is_before);
    if (is_sorted && SameKinds(arranged_, attributes)) {
      for (uint32_t i = 0; i < arranged_.size(); ++i) module_.SetAttributeSyntax(id, i, i);
      return true;
    }
    if (!is_sorted) std::sort(arranged_.begin(), arranged_.end(), is_before);
    // They are one run at another place then.
    module_.mutable_instruction(id).attribute_count = 0;
    for (uint32_t i = 0; i < arranged_.size(); ++i) {
      const Attribute& attribute = arranged_[i];
      if (attribute.payload != kAbsent) {
        module_.AddShared(id, attribute, i);
      } else if (InfoOf(attribute.kind).type == AttributeType::kBool) {
        module_.AddBool(id, attribute.kind, DefaultBool(attribute.kind, opcode), i);
      } else {
        module_.AddInts(id, attribute.kind, {}, i);
      }
    }
    return true;
  }

  static bool SameKinds(absl::Span<const Attribute> a, absl::Span<const Attribute> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Attribute& left, const Attribute& right) { return left.kind == right.kind; });
  }

  // Whether a text can say the value: keys and words may be anything in a module.
  bool IsReadable(InstructionId id, const Attribute& attribute) {
    const AttributeType type = InfoOf(attribute.kind).type;
    if (type == AttributeType::kShape) return IsReadable(*module_.ShapeAttribute(id, attribute.kind));
    if (type == AttributeType::kShapes) {
      const std::vector<Shape>& shapes = *module_.ShapesAttribute(id, attribute.kind);
      return std::all_of(shapes.begin(), shapes.end(), [](const Shape& shape) { return IsReadable(shape); });
    }
    if (type != AttributeType::kFrontendAttributes && type != AttributeType::kStatistics &&
        type != AttributeType::kOrigin && type != AttributeType::kSharding) {
      return true;
    }
    const auto [known, is_new] = readable_.try_emplace({attribute.kind, attribute.payload}, false);
    if (is_new) {
      std::string value;
      AppendAttributeValue(module_, id, attribute.kind, style_, &value);
      known->second = TextIsReadable(absl::StrCat("f32[] parameter(0), ", AttributeName(attribute.kind), "=", value));
    }
    return known->second;
  }
  static bool TextIsReadable(absl::string_view instruction) {
    const auto text =
        SourceText::FromString("", absl::StrCat("HloModule m\nENTRY e {\n  ROOT a = ", instruction, "\n}\n"));
    DiagnosticSink sink;
    const TokenBuffer tokens = Lex(*text, sink);
    const SyntaxTree tree = ParseSyntax(*text, tokens, sink);
    BuildModule(*text, tokens, tree, VerifyOptions(), sink);
    return sink.diagnostics().empty();
  }

  static constexpr uint32_t kAbsent = 0xFFFFFFFFu;  // payload of an attribute that is not there yet

  Module& module_;
  const PrintOptions& style_;
  std::vector<AttributeOrder> orders_;  // by opcode
  absl::InlinedVector<Attribute, 8> arranged_;
  absl::flat_hash_map<std::pair<AttributeKind, uint32_t>, bool> readable_;  // by kind and payload
};

// The rest of the heading of a computation, `%name (a: f32[]) -> f32[] {`.
void MapHeading(const SourceText& source, SourceRange heading, TextMap::ComputationText* text) {
  absl::string_view written = source.Slice(heading);
  uint32_t at = heading.begin;
  const auto skip = [&](absl::string_view word) {
    if (!absl::StartsWith(written, word)) return;
    written.remove_prefix(word.size());
    at += static_cast<uint32_t>(word.size());
  };
  skip("ENTRY ");
  skip("%");
  text->name = {at, at + static_cast<uint32_t>(std::min(written.find(' '), written.size()))};
  text->body_begin = heading.end;
  if (const size_t arrow = written.rfind(") -> "); arrow != absl::string_view::npos && written.size() > arrow + 7) {
    text->result = {at + static_cast<uint32_t>(arrow) + 5, heading.end - 2};
  }
}

// What is before the first computation.
void MapHeader(const SourceText& source, uint32_t end, TextMap* map) {
  const auto header = SourceText::FromString("", std::string(source.text().substr(0, end)));
  DiagnosticSink quiet;
  const TokenBuffer tokens = Lex(*header, quiet);
  const SyntaxTree tree = ParseSyntax(*header, tokens, quiet);
  TextMap mapped = MapText(*header, tokens, tree, Module(), {});
  map->header = std::move(mapped.header);
  map->module_name = mapped.module_name;
  map->tables = mapped.tables;
}

}  // namespace

std::shared_ptr<const ModuleText> ModuleText::Of(Module* module, const PrintOptions& style) {
  if (!ReadingOrder(*module, style).Run()) return nullptr;
  return std::shared_ptr<const ModuleText>(new ModuleText(std::move(*module), style));
}

std::string ModuleText::MakeText() const {
  PrintedModule printed = PrintModuleWithPositions(module_, style_);
  parts_ = std::move(printed.parts);
  return std::move(printed.text);
}

TextMap ModuleText::MapOf(const SourceText& source) const {
  using PartKind = PrintedModule::Part::Kind;
  TextMap map;
  const uint32_t size = source.size();  // makes the text
  const size_t count = module_.instruction_count();
  map.nodes.resize(count);
  map.flags.assign(count, TextMap::kStatement);
  map.computations.resize(module_.computations().size());
  uint32_t header_end = size;
  for (const PrintedModule::Part& part : parts_) {
    // What a text cannot hold is cut off.
    const SourceRange range = {std::min(part.begin, size), std::min(part.end, size)};
    if (part.kind == PartKind::kInstruction) map.nodes[part.instruction.index()] = range;
    if (part.kind != PartKind::kComputationOpen && part.kind != PartKind::kComputationClose) continue;
    TextMap::ComputationText& text = map.computations[part.computation.index()];
    if (part.kind == PartKind::kComputationClose) {
      text.range.end = range.end;
      text.close_brace = range.begin;
      continue;
    }
    header_end = std::min(header_end, range.begin);
    text.range = range;
    text.is_closed = text.is_top_level = true;
    text.is_plain = !module_.computation(part.computation).instructions.empty();
    MapHeading(source, range, &text);
  }
  MapHeader(source, header_end, &map);
  return map;
}

}  // namespace hloscope
