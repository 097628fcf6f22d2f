// SPDX-License-Identifier: Apache-2.0
// Values as the variables of the protocol: what can be opened has a reference, which holds until the run moves.
#ifndef HLOSCOPE_LSP_DEBUG_ADAPTER_VARIABLE_TREE_H_
#define HLOSCOPE_LSP_DEBUG_ADAPTER_VARIABLE_TREE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "evaluator/tensor/value.h"
#include "lsp/debug_adapter/value_format.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::dap {

// A value and how expressions call it: `base` with `index` into its leading dimensions. An empty base has no name.
struct NamedValue {
  evaluator::Value value;
  std::string base;
  std::vector<int64_t> index;
  std::string Expression() const;
};

// What a client asks of a node's children.
struct VariablesPage {
  bool named = true, indexed = true;
  int64_t start = 0;
  std::optional<int64_t> count;  // all, if there is none
};

class VariableTree {
 public:
  // Makes the children of a scope, or of a range of one.
  using Maker = std::function<absl::StatusOr<nlohmann::json>()>;

  // Forgets all references.
  void Clear();

  // A reference for a value with parts; 0 if it has none.
  int64_t AddValue(NamedValue value);
  // A reference for what `make` makes when it is opened.
  int64_t AddMaker(Maker make);
  // A name for the bytes of an array.
  std::string AddMemory(const NamedValue& value);
  // How values are written from now on.
  void set_format(ValueFormat format) { format_ = format; }

  // Whether the client takes types of values, and names of their bytes.
  void set_client(bool takes_types, bool takes_memory) {
    takes_types_ = takes_types;
    takes_memory_ = takes_memory;
  }
  void AddType(std::string type, nlohmann::json* out) const;

  // Fills in what the protocol says of a value: value (or result), type, references, counts, evaluateName.
  // `value_key` is "value" or "result".
  void Describe(const NamedValue& value, absl::string_view value_key, nlohmann::json* out);
  nlohmann::json Variable(absl::string_view name, const NamedValue& value);

  // Errors: NotFound for a reference that does not hold; those of the maker.
  absl::StatusOr<nlohmann::json> Children(int64_t reference, const VariablesPage& page);
  // The expression of a child. Errors: NotFound; InvalidArgument if it cannot be named.
  absl::StatusOr<std::string> ExpressionOf(int64_t reference, absl::string_view name) const;
  // The array that a name of bytes means. Error NotFound.
  absl::StatusOr<NamedValue> Memory(absl::string_view reference) const;
  // Its elements are others now. Requires a name that Memory knows.
  void ReplaceMemory(absl::string_view reference, evaluator::Value value);

 private:
  struct Node {
    Maker make;  // or
    NamedValue value;
    int64_t begin = 0, end = 0;  // of a value's children; all: both 0
  };
  nlohmann::json Parts(const NamedValue& value, int64_t begin, int64_t end);

  std::vector<Node> nodes_;  // by reference - 1
  std::vector<NamedValue> memory_;
  ValueFormat format_ = ValueFormat::kUsual;
  bool takes_types_ = false, takes_memory_ = false;
};

// Many children as groups of at most kLargestGroup: [begin, end) of each. `count` is above kLargestGroup.
inline constexpr int64_t kLargestGroup = 1000;
std::vector<std::pair<int64_t, int64_t>> GroupsOf(int64_t begin, int64_t end);

// A value in one line; large arrays are not looked at as a whole.
std::string ShortValue(const evaluator::Value& value, ValueFormat format = ValueFormat::kUsual);

}  // namespace hloscope::dap

#endif  // HLOSCOPE_LSP_DEBUG_ADAPTER_VARIABLE_TREE_H_
