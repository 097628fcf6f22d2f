// SPDX-License-Identifier: Apache-2.0
// Literals of snapshots as they lie in the file: nothing is read before somebody asks.
#ifndef HLOSCOPE_INTEROP_FILES_LITERAL_DATA_H_
#define HLOSCOPE_INTEROP_FILES_LITERAL_DATA_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/ir/literal.h"

namespace hloscope::interop {

// Keeps the file alive.
class LiteralData {
 public:
  enum class Form : uint8_t {
    kMessage,  // LiteralProto
    kRaw,      // of a delimited snapshot: size of the shape, shape, elements
  };
  LiteralData(Form form, absl::string_view bytes, std::shared_ptr<const void> owner)
      : form_(form), bytes_(bytes), owner_(std::move(owner)) {}

  // An array as it lies in the file: row-major, aligned to nothing.
  struct Array {
    Shape shape;
    absl::Span<const uint8_t> bytes;
    bool is_varints = false;  // its elements are numbers of 1 to 10 bytes each; else they are as they are in memory
  };
  // Nothing if the file holds something else, or in another form: then it has to be read.
  std::optional<Array> InPlace() const;

  // The elements of a tuple, each where it lies; empty if it is none, or has none.
  std::vector<LiteralData> Elements() const;

  // Arrays are copied once, from the file to the literal. Errors (InvalidArgument): as
  // LiteralFromProto; of raw data, sizes that do not add up.
  absl::StatusOr<Literal> Read() const;
  size_t size() const { return bytes_.size(); }

 private:
  Form form_;
  absl::string_view bytes_;
  std::shared_ptr<const void> owner_;
};

// Writes the elements of `from`, as they are in memory, to `to`, which has room for exactly as many as the shape has.
// `done` gets, piece by piece, what of the bytes is not needed any more. Errors (InvalidArgument): there are more
// elements, or fewer.
absl::Status CopyElements(const LiteralData::Array& from, absl::Span<uint8_t> to,
                          absl::FunctionRef<void(absl::Span<const uint8_t>)> done);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_FILES_LITERAL_DATA_H_
