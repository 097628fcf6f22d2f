// SPDX-License-Identifier: Apache-2.0
#include "stablehlo/bytecode.h"

#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "stablehlo/bytecode_attributes.h"
#include "stablehlo/bytecode_container.h"
#include "stablehlo/bytecode_elements.h"
#include "stablehlo/exported_program.h"

namespace hloscope::stablehlo {
namespace {

// Deeper regions are hostile, and the stack is limited.
constexpr int kMaxRegions = 400;
// What an operation's mask says that there is.
constexpr uint8_t kHasAttributes = 0x01, kHasResults = 0x02, kHasOperands = 0x04, kHasSuccessors = 0x08,
                  kHasRegions = 0x10, kHasUseOrders = 0x20, kHasProperties = 0x40;
// What came with the versions of the format.
constexpr uint64_t kSectionsOfRegions = 2, kUseOrders = 3, kArgumentLocations = 4;

struct NumberedValue {
  std::string name;
  size_t type = 0;
};

// An operation without its regions.
struct OperationHeader {
  absl::string_view dialect, name;  // "vhlo", "add" without version
  size_t location = 0;
  NamedElements properties, attributes;
  std::vector<size_t> result_types;
  std::vector<NumberedValue> operands;
  uint64_t regions = 0;
  bool is_isolated = false;
};

// `add_v2` is `add`.
absl::string_view WithoutVersion(absl::string_view name) {
  const size_t at = name.rfind("_v");
  if (at == absl::string_view::npos || at + 2 == name.size()) return name;
  for (const char digit : name.substr(at + 2)) {
    if (!absl::ascii_isdigit(static_cast<unsigned char>(digit))) return name;
  }
  return name.substr(0, at);
}

class TextWriter {
 public:
  explicit TextWriter(const BytecodeContainer& container) : container_(container), table_(container) {}

  absl::StatusOr<std::string> Write() {
    ByteReader reader = container_.ir;
    const uint64_t operations = reader.Varint() >> 1;
    for (uint64_t i = 0; i < operations && Good(reader); ++i) WriteTopOperation(reader);
    table_.Fail(reader.status());
    if (!table_.status().ok()) return table_.status();
    return std::move(text_);
  }

 private:
  bool Good(const ByteReader& reader) const { return reader.ok() && table_.status().ok(); }

  void Append(absl::string_view piece) {
    table_.Spend(piece.size());
    if (table_.status().ok()) text_.append(piece.data(), piece.size());
  }
  // One after the other, so that a list whose every byte names a long text ends where there is too much of it.
  template <typename AppendOne>
  void AppendList(size_t count, AppendOne append_one) {
    for (size_t i = 0; i < count && table_.status().ok(); ++i) {
      if (i > 0) Append(", ");
      append_one(i);
    }
  }
  void AppendTypes(const std::vector<size_t>& types) {
    AppendList(types.size(), [&](size_t i) { Append(table_.Type(types[i]).text); });
  }
  void StartLine() { Append(std::string(2 * static_cast<size_t>(depth_), ' ')); }

  // --- Operations ---

  OperationHeader ReadHeader(ByteReader& reader) {
    OperationHeader header;
    const size_t number = reader.Index(container_.operations.size(), "operation");
    if (!reader.ok()) return header;
    header.dialect = container_.operations[number].dialect;
    header.name = container_.operations[number].name;
    if (header.dialect == "vhlo") header.name = WithoutVersion(header.name);
    const uint8_t mask = reader.Byte();
    header.location = table_.ReadAttributeNumber(reader);
    if ((mask & kHasAttributes) != 0) ReadAttributes(reader, header);
    if ((mask & kHasProperties) != 0) ReadOwnAttributes(reader, header);
    if ((mask & kHasResults) != 0) {
      header.result_types.resize(reader.Count());
      for (size_t& type : header.result_types) type = table_.ReadTypeNumber(reader);
    }
    if ((mask & kHasOperands) != 0) {
      const size_t count = reader.Count();
      for (size_t i = 0; i < count && reader.ok(); ++i) {
        const size_t value = reader.Index(values_.size(), "value");
        if (reader.ok() && values_[value].name.empty()) reader.Fail("a value that is used before it is defined");
        if (reader.ok()) header.operands.push_back(values_[value]);
      }
    }
    if ((mask & kHasSuccessors) != 0) {
      if (reader.Count() > 0) reader.Fail("an operation that jumps to blocks");
    }
    if ((mask & kHasUseOrders) != 0) SkipUseOrders(reader, header.result_types.size());
    if ((mask & kHasRegions) != 0) {
      const uint64_t regions = reader.Varint();
      header.regions = regions >> 1;
      header.is_isolated = (regions & 1) != 0;
    }
    return header;
  }

  void ReadAttributes(ByteReader& reader, OperationHeader& header) {
    const DecodedAttribute& dictionary = table_.Attribute(table_.ReadAttributeNumber(reader));
    for (size_t i = 0; i + 1 < dictionary.items.size(); i += 2) {
      if (table_.Attribute(dictionary.items[i + 1]).form == ElementForm::kForeign) continue;
      header.attributes.emplace_back(table_.Attribute(dictionary.items[i]).string, dictionary.items[i + 1]);
    }
  }

  void ReadOwnAttributes(ByteReader& reader, OperationHeader& header) {
    const size_t entry = reader.Index(container_.properties.size(), "properties");
    if (!reader.ok()) return;
    if (header.dialect == "vhlo") {
      header.properties = ReadProperties(table_, header.name, container_.properties[entry]);
    } else if (header.dialect == "builtin" && header.name == "module") {
      ByteReader bytes = container_.properties[entry];
      const uint64_t name = bytes.Varint();
      if (bytes.ok() && (name & 1) != 0 && name >> 1 < container_.attributes.size()) {
        module_name_ = table_.Attribute(name >> 1).string;
      }
    } else {
      table_.Fail(absl::UnimplementedError(
          absl::StrCat("the bytecode holds ", header.dialect, ".", header.name,
                       " as its dialect writes it, not in the versioned form of portable artifacts")));
    }
  }

  static void SkipUseOrders(ByteReader& reader, size_t values) {
    const size_t count = values > 1 ? reader.Count() : 1;
    for (size_t i = 0; i < count && reader.ok(); ++i) {
      if (values > 1) reader.Varint();
      const uint64_t uses = reader.Varint() >> 1;
      for (uint64_t k = 0; k < uses && reader.ok(); ++k) reader.Varint();
    }
  }

  // The module, or what is in its place.
  void WriteTopOperation(ByteReader& reader) {
    const OperationHeader header = ReadHeader(reader);
    if (!Good(reader)) return;
    if (header.dialect != "builtin" || header.name != "module") {
      return reader.Fail(absl::StrCat("expected builtin.module, not ", header.dialect, ".", header.name));
    }
    Append("module");
    NamedElements others;
    for (const auto& attribute : header.attributes) {
      if (attribute.first == "sym_name") {
        module_name_ = table_.Attribute(attribute.second).string;
      } else if (attribute.first != "sym_visibility") {
        others.push_back(attribute);
      }
    }
    if (!module_name_.empty()) Append(absl::StrCat(" @", QuotedString(module_name_)));
    if (!others.empty()) Append(" attributes");
    AppendAttributes(others);
    Append(" {\n");
    ReadRegions(reader, header, [this](ByteReader& regions, size_t) { ReadOperationsOf(regions, nullptr); });
    Append("}\n");
  }

  // In braces, after a blank; nothing if there are none.
  void AppendAttributes(const NamedElements& attributes) {
    if (attributes.empty()) return;
    Append(" {");
    AppendList(attributes.size(), [&](size_t i) {
      const DecodedAttribute& attribute = table_.Attribute(attributes[i].second);
      Append(QuotedString(attributes[i].first));
      if (attribute.form == ElementForm::kUnit) return;
      Append(" = ");
      Append(attribute.text);
    });
    Append("}");
  }

  void WriteOperation(ByteReader& reader) {
    OperationHeader header = ReadHeader(reader);
    if (!Good(reader)) return;
    if (header.dialect == "vhlo" && header.name == "func") return WriteFunction(reader, header);
    StartLine();
    const std::vector<std::string> results = DefineResults(reader, header);
    if (!results.empty()) {
      const std::string pack = results.size() == 1 ? "" : absl::StrCat(":", results.size());
      Append(absl::StrCat("%", absl::string_view(results[0]).substr(0, results[0].find('#')), pack, " = "));
    }
    const bool is_function_return = header.dialect == "vhlo" && header.name == "return" && is_function_body_;
    Append(is_function_return ? "\"func.return\"(" : absl::StrCat("\"", StableHloName(header), "\"("));
    AppendList(header.operands.size(), [&](size_t i) { Append(absl::StrCat("%", header.operands[i].name)); });
    Append(")");
    DivideAttributes(header);
    const std::string own = PropertiesText(table_, header.name, header.properties);
    if (!own.empty()) Append(absl::StrCat(" <{", own, "}>"));
    if (header.regions > 0) {
      Append(" (");
      ReadRegions(reader, header, [this](ByteReader& regions, size_t number) {
        Append(number > 0 ? ", {\n" : "{\n");
        const bool around = std::exchange(is_function_body_, false);
        ReadOperationsOf(regions,
                         [this](const std::vector<NumberedValue>& arguments, const std::vector<size_t>& locations) {
                           StartLine();
                           Append("^bb0(");
                           AppendArguments(arguments, locations, nullptr);
                           Append("):\n");
                         });
        is_function_body_ = around;
        StartLine();
        Append("}");
      });
      Append(")");
    }
    AppendAttributes(header.attributes);
    Append(" : (");
    AppendList(header.operands.size(), [&](size_t i) { Append(table_.Type(header.operands[i].type).text); });
    Append(") -> ");
    const bool is_one = header.result_types.size() == 1;
    Append(is_one ? "" : "(");
    AppendTypes(header.result_types);
    Append(is_one ? "" : ")");
    Append(absl::StrCat(LocationText(header.location), "\n"));
  }

  static std::string StableHloName(const OperationHeader& header) {
    if (header.dialect != "vhlo") return absl::StrCat(header.dialect, ".", header.name);
    return header.name == "call" ? "func.call" : absl::StrCat("stablehlo.", header.name);
  }

  // Divides an operation's attributes: before format version 5 its own are among the others.
  static void DivideAttributes(OperationHeader& header) {
    if (header.dialect != "vhlo" || !header.properties.empty()) return;
    NamedElements others;
    for (const auto& attribute : header.attributes) {
      (absl::StrContains(attribute.first, ".") ? others : header.properties).push_back(attribute);
    }
    header.attributes = std::move(others);
  }

  std::string LocationText(size_t location) {
    const std::string& text = table_.Attribute(location).text;
    return text.empty() ? text : absl::StrCat(" loc(", text, ")");
  }

  // --- Functions ---

  void WriteFunction(ByteReader& reader, OperationHeader& header) {
    const auto find = [&](absl::string_view name) -> const DecodedAttribute* {
      for (const NamedElements* list : {&header.properties, &header.attributes}) {
        for (const auto& [key, value] : *list) {
          if (key == name) return &table_.Attribute(value);
        }
      }
      return nullptr;
    };
    const DecodedAttribute* const name = find("sym_name");
    const DecodedAttribute* const type = find("function_type");
    if (name == nullptr || type == nullptr || type->form != ElementForm::kType) {
      return reader.Fail("a function without name or type");
    }
    const DecodedAttribute* const visibility = find("sym_visibility");
    const DecodedAttribute* const arguments = find("arg_attrs");
    StartLine();
    Append(absl::StrCat("func.func ", visibility != nullptr && visibility->string == "private" ? "private " : "", "@",
                        QuotedString(name->string), "("));
    const DecodedType& signature = table_.Type(type->type);
    const DecodedAttribute* const result_attributes = find("res_attrs");
    ReadRegions(reader, header, [&](ByteReader& regions, size_t) {
      is_function_body_ = true;
      bool is_open = false;
      const auto open = [&](const std::vector<NumberedValue>& values, const std::vector<size_t>& locations) {
        AppendArguments(values, locations, arguments);
        Append(")");
        AppendFunctionResults(signature, result_attributes);
        Append(" {\n");
        is_open = true;
      };
      ReadOperationsOf(regions, open, /*is_always_opened=*/true);
      if (!is_open) Append(")");
      is_function_body_ = false;
    });
    StartLine();
    Append(absl::StrCat("}", LocationText(header.location), "\n"));
  }

  void AppendFunctionResults(const DecodedType& type, const DecodedAttribute* attributes) {
    if (type.results.empty()) return;
    Append(" -> (");
    AppendList(type.results.size(), [&](size_t i) {
      Append(table_.Type(type.results[i]).text);
      Append(DictionaryOf(attributes, i));
    });
    Append(")");
  }

  // The dictionary of an argument or result; empty if there is none.
  std::string DictionaryOf(const DecodedAttribute* attributes, size_t number) {
    if (attributes == nullptr || number >= attributes->items.size()) return "";
    const DecodedAttribute& dictionary = table_.Attribute(attributes->items[number]);
    return dictionary.items.empty() ? "" : absl::StrCat(" ", dictionary.text);
  }

  void AppendArguments(const std::vector<NumberedValue>& arguments, const std::vector<size_t>& locations,
                       const DecodedAttribute* attributes) {
    AppendList(arguments.size(), [&](size_t i) {
      Append(absl::StrCat("%", arguments[i].name, ": "));
      Append(table_.Type(arguments[i].type).text);
      Append(DictionaryOf(attributes, i));
      Append(LocationText(locations[i]));
    });
  }

  // --- Regions and values ---

  // Calls `read` for each region with the reader of its bytes.
  template <typename Read>
  void ReadRegions(ByteReader& reader, const OperationHeader& header, Read read) {
    if (depth_ >= kMaxRegions) return reader.Fail("regions nested too deep");
    // The values around are not visible in what is isolated.
    std::vector<NumberedValue> around;
    if (header.is_isolated) around.swap(values_);
    const auto read_all = [&](ByteReader& regions) {
      for (uint64_t i = 0; i < header.regions && Good(regions); ++i) read(regions, i);
    };
    ++depth_;
    if (header.regions > 0 && header.is_isolated && container_.version >= kSectionsOfRegions) {
      BytecodeSection section = ReadSection(reader);
      if (reader.ok() && section.id != kIrSection) reader.Fail("expected a section of operations");
      if (reader.ok()) read_all(section.data);
      table_.Fail(section.data.status());
    } else {
      read_all(reader);
    }
    --depth_;
    if (header.is_isolated) values_.swap(around);
  }

  // The operations of a region's one block; first `open` with its arguments if it has any.
  template <typename Open>
  void ReadOperationsOf(ByteReader& reader, Open open, bool is_always_opened = false) {
    const uint64_t blocks = reader.Varint();
    if (blocks > 1) return reader.Fail("a region of several blocks");
    if (blocks == 0 || !reader.ok()) return;
    const size_t first = values_.size();
    const uint64_t count = reader.Varint();
    // Each value takes at least a byte where it is defined, and those of the regions around are in the same bytes.
    if (count > reader.left() || first + count > reader.file().size())
      return reader.Fail("the bytecode ends before the values of a region");
    const size_t next = std::exchange(next_value_, first);
    values_.resize(first + count);
    const uint64_t operations = reader.Varint();
    std::vector<NumberedValue> arguments;
    std::vector<size_t> locations;
    if ((operations & 1) != 0) ReadArguments(reader, arguments, locations);
    if constexpr (!std::is_same_v<Open, std::nullptr_t>) {
      if (reader.ok() && (is_always_opened || !arguments.empty())) open(arguments, locations);
    }
    for (uint64_t i = 0; i < operations >> 1 && Good(reader); ++i) WriteOperation(reader);
    // Or each region of a few bytes could ask for as many values as the file has bytes.
    if (Good(reader) && next_value_ != values_.size()) reader.Fail("a region defines fewer values than it says");
    values_.resize(first);
    next_value_ = next;
  }

  void ReadArguments(ByteReader& reader, std::vector<NumberedValue>& arguments, std::vector<size_t>& locations) {
    const size_t count = reader.Count();
    for (size_t i = 0; i < count && Good(reader); ++i) {
      uint64_t type = reader.Varint();
      bool has_location = true;
      if (container_.version >= kArgumentLocations) {
        has_location = (type & 1) != 0;
        type >>= 1;
      }
      if (type >= container_.types.size()) return reader.Fail("an argument without a type");
      const size_t unknown = container_.attributes.size();
      locations.push_back(has_location ? table_.ReadAttributeNumber(reader) : unknown);
      arguments.push_back({absl::StrCat("arg", argument_names_++), static_cast<size_t>(type)});
      DefineNext(reader, arguments.back());
    }
    if (container_.version >= kUseOrders && reader.Byte() != 0) SkipUseOrders(reader, count);
  }

  void DefineNext(ByteReader& reader, NumberedValue value) {
    if (next_value_ >= values_.size()) return reader.Fail("a region defines more values than it says");
    values_[next_value_++] = std::move(value);
  }

  // Names of the results, in order: 5, or 5#0 and 5#1.
  std::vector<std::string> DefineResults(ByteReader& reader, const OperationHeader& header) {
    std::vector<std::string> names;
    if (header.result_types.empty()) return names;
    const std::string base = absl::StrCat(result_names_++);
    for (size_t i = 0; i < header.result_types.size(); ++i) {
      names.push_back(header.result_types.size() == 1 ? base : absl::StrCat(base, "#", i));
      DefineNext(reader, {names.back(), header.result_types[i]});
    }
    return names;
  }

  const BytecodeContainer& container_;
  ElementTable table_;
  std::string text_;
  std::string module_name_;
  std::vector<NumberedValue> values_;  // those that can be used, by their numbers; without a name: not yet defined
  size_t next_value_ = 0;
  uint64_t argument_names_ = 0, result_names_ = 0;
  bool is_function_body_ = false;
  int depth_ = 0;
};

}  // namespace

absl::string_view BytecodeOf(absl::string_view bytes) {
  return absl::StartsWith(bytes, kBytecodeMagic) ? bytes : ArtifactOfExported(bytes);
}

bool IsBytecode(absl::string_view bytes) { return !BytecodeOf(bytes).empty(); }

absl::StatusOr<std::string> TextOfBytecode(absl::string_view bytes) {
  const absl::StatusOr<BytecodeContainer> container = ReadContainer(bytes);
  if (!container.ok()) return container.status();
  return TextWriter(*container).Write();
}

}  // namespace hloscope::stablehlo
