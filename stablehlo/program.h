// SPDX-License-Identifier: Apache-2.0
// A StableHLO program as it is written: functions, operations, regions, values, attributes, each with its place.
#ifndef HLOSCOPE_STABLEHLO_PROGRAM_H_
#define HLOSCOPE_STABLEHLO_PROGRAM_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "core/diagnostics/diagnostic.h"
#include "core/ir/shape.h"
#include "core/source/source_text.h"

namespace hloscope::stablehlo {

// --- Types ---

enum class TypeKind : uint8_t {
  kError,   // could not be read: was reported, everything agrees with it
  kTensor,  // also unranked and quantized tensors: then `no_hlo` says why they have no HLO shape
  kTuple,
  kToken,
  kFuture,  // result of async_start
  kBuffer,  // memref
  kFunction,
  kScalar,  // f32, index, ... without `tensor`
  kOther,   // of another dialect
};

struct Type {
  TypeKind kind = TypeKind::kError;
  Shape shape;         // in HLO, where `no_hlo` is empty
  std::string no_hlo;  // why there is no HLO shape
  bool is_quantized = false;
  std::vector<const Type*> elements;  // of a tuple or future; operands of a function
  std::vector<const Type*> results;   // of a function
  int64_t parts = 1;                  // itself, many dimensions, and what is in a tuple or future as often as it is
  std::string text;                   // as written, blanks reduced

  bool HasShape() const { return kind != TypeKind::kError && no_hlo.empty(); }
};

// --- Attributes ---

enum class AttributeForm : uint8_t {
  kError,
  kUnit,
  kBool,           // integer
  kInteger,        // integer, type
  kFloat,          // number, type
  kString,         // text: between the quotes, with its escapes
  kSymbol,         // text: without @ and quotes
  kArray,          // items
  kDictionary,     // items, keys
  kIntegers,       // array<i64: ...>: integers
  kDense,          // dense<...>: payload, type
  kDenseResource,  // text: the key; type
  kType,           // type
  kWord,           // #stablehlo<comparison_direction LT>: text is LT; also a bare word of custom forms
  kStructure,      // #stablehlo.gather<...>: text is the name; items, keys
  kLocation,       // payload: between the parentheses
  kOther,          // skipped: its text is all that is known
};

struct AttributeValue {
  AttributeForm form = AttributeForm::kError;
  SourceRange range;
  SourceRange payload;
  int64_t integer = 0;
  double number = 0;
  absl::string_view text;
  const Type* type = nullptr;
  std::vector<const AttributeValue*> items;
  std::vector<absl::string_view> keys;
  std::vector<int64_t> integers;

  // The entry of a dictionary or structure; null if it is absent.
  const AttributeValue* Find(absl::string_view key) const;
};

struct NamedAttribute {
  absl::string_view name;
  SourceRange name_range;
  const AttributeValue* value = nullptr;
};

// --- Operations ---

struct Operation;
struct Region;

struct Value {
  absl::string_view name;  // without %; that of its pack
  const Type* type = nullptr;
  SourceRange range;                            // of its definition
  const Operation* operation = nullptr;         // null for an argument
  const Region* region = nullptr;               // where it is defined
  uint32_t number = 0;                          // of the result or argument
  const AttributeValue* location = nullptr;     // of an argument
  const std::vector<int64_t>* known = nullptr;  // the integers that it always has, if that was found out
};

struct OperandUse {
  Value* value = nullptr;  // null if it could not be resolved (was reported)
  SourceRange range;
};

struct Operation {
  absl::string_view name;        // "stablehlo.add"; the predecessor `mhlo.` reads as `stablehlo.`
  absl::string_view dialect;     // "stablehlo"
  absl::string_view short_name;  // "add"
  SourceRange range;             // first result name to the end of the type
  SourceRange name_range;
  absl::InlinedVector<OperandUse, 3> operands;
  absl::InlinedVector<Value*, 1> results;
  absl::InlinedVector<NamedAttribute, 2> attributes;
  std::vector<Region*> regions;
  const AttributeValue* location = nullptr;
  Region* parent = nullptr;
  bool is_broken = false;  // was reported: nothing is made of it

  const AttributeValue* Find(absl::string_view name) const;
};

// Whether it computes a size in another dialect (arith, tensor, shape): it becomes a constant where somebody uses it.
bool ComputesSize(const Operation& op);

struct Region {
  std::vector<Value*> arguments;
  std::vector<Operation*> operations;  // the last one is the terminator
  SourceRange range;                   // with its braces
  Region* parent = nullptr;            // the region around it; null for a function's body
};

struct FunctionResult {
  const Type* type = nullptr;
  const AttributeValue* attributes = nullptr;  // a dictionary, or null
};

struct Function {
  absl::string_view name;
  bool is_private = false;
  SourceRange range, name_range;
  std::vector<const AttributeValue*> argument_attributes;  // dictionaries, or null
  std::vector<const Type*> argument_types;
  std::vector<FunctionResult> results;
  const AttributeValue* attributes = nullptr;
  Region* body = nullptr;  // null for a declaration
};

// Elements stay where they are.
template <typename T>
class StableList {
 public:
  template <typename... Arguments>
  T& emplace_back(Arguments&&... arguments) {
    if (chunks_.empty() || chunks_.back().size() == chunks_.back().capacity()) {
      const size_t size = chunks_.empty() ? kFirst : std::min(2 * chunks_.back().size(), kMost);
      chunks_.emplace_back().reserve(size);
    }
    ++size_;
    return chunks_.back().emplace_back(std::forward<Arguments>(arguments)...);
  }
  size_t size() const { return size_; }

 private:
  static constexpr size_t kFirst = 8, kMost = 512;
  std::vector<std::vector<T>> chunks_;
  size_t size_ = 0;
};

struct MeshAxes {
  std::vector<std::string> names;
  std::vector<int64_t> sizes;
  std::vector<int64_t> device_ids;  // empty: in order
};

struct Program {
  std::shared_ptr<const SourceText> source;
  absl::string_view name;                      // of the module
  const AttributeValue* attributes = nullptr;  // of the module
  std::vector<Function*> functions;
  std::vector<Operation*> meshes;  // sdy.mesh
  absl::flat_hash_map<absl::string_view, MeshAxes> mesh_of_name;
  absl::flat_hash_map<absl::string_view, Function*> function_of_name;
  absl::flat_hash_map<absl::string_view, SourceRange> alias_of_name;     // where its value is written, by `#name`
  absl::flat_hash_map<absl::string_view, SourceRange> resource_of_name;  // the hex string with its quotes, by key
  DiagnosticSink sink;

  // What everything points into.
  StableList<Type> types;
  StableList<AttributeValue> attribute_values;
  StableList<Value> values;
  StableList<Operation> operations;
  StableList<Region> regions;
  StableList<Function> all_functions;
  StableList<std::vector<int64_t>> integer_lists;

  absl::string_view Slice(SourceRange range) const { return source->Slice(range); }
};

// The bytes of a string as the text writes it between its quotes: \" \\ \n \t and \HH are escapes.
std::string DecodeString(absl::string_view written);

// The integers of array<i64: ...>, dense<...>, a list of integers, or one integer; nullopt if it is none of these. A
// splat has as many as its type.
std::optional<std::vector<int64_t>> IntegersOf(const Program& program, const AttributeValue& value);

// Line of a byte, from 1, as messages name it.
uint32_t LineOf(const Program& program, SourceRange range);

}  // namespace hloscope::stablehlo

#endif  // HLOSCOPE_STABLEHLO_PROGRAM_H_
