// SPDX-License-Identifier: Apache-2.0
// Requests about the bytes of arrays: elements in row-major order, little-endian, types below a byte in a byte each.
#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "lsp/debug_adapter/debug_session.h"
#include "lsp/debug_adapter/request_arguments.h"
#include "lsp/debug_adapter/session_console.h"
#include "nlohmann/json.hpp"

namespace hloscope::dap {
namespace {

using nlohmann::json;

// Bytes of one answer to readMemory.
constexpr int64_t kMostBytes = int64_t{16} << 20;

// Whether a byte is an element of a type that has fewer bits, as it is kept in memory.
bool IsElement(uint8_t byte, ElementType type) {
  const int bits = BitWidth(type);
  if (!IsSigned(type)) return byte < (1 << bits);
  const int value = static_cast<int8_t>(byte);
  return value >= -(1 << (bits - 1)) && value < (1 << (bits - 1));
}

// Error InvalidArgument, with the byte and where it is.
absl::Status CheckElements(absl::string_view bytes, int64_t offset, ElementType type) {
  if (BitWidth(type) >= 8) return absl::OkStatus();
  for (size_t i = 0; i < bytes.size(); ++i) {
    const uint8_t byte = static_cast<uint8_t>(bytes[i]);
    if (IsElement(byte, type)) continue;
    return absl::InvalidArgumentError(absl::StrCat("byte ", offset + static_cast<int64_t>(i), " would be 0x",
                                                   absl::Hex(byte, absl::kZeroPad2), ", which is no ",
                                                   Shape::Array(type, {}).ToString(false)));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<json> DebugSession::ReadMemory(const json& arguments) {
  const absl::StatusOr<std::string> reference = RequiredString(arguments, "memoryReference");
  if (!reference.ok()) return reference.status();
  const absl::StatusOr<int64_t> count = RequiredInteger(arguments, "count");
  if (!count.ok()) return count.status();
  const int64_t offset = IntegerOr(arguments, "offset", 0);
  if (*count < 0) return absl::InvalidArgumentError("`count` must be at least 0");
  const absl::StatusOr<NamedValue> memory = variables_.Memory(*reference);
  if (!memory.ok()) return memory.status();
  const evaluator::Tensor& tensor = memory->value.tensor();
  const int64_t size = tensor.byte_size();
  json body = {{"address", absl::StrCat("0x", absl::Hex(std::max<int64_t>(offset, 0)))}};
  if (offset < 0 || offset >= size) {
    body["unreadableBytes"] = *count;
    return body;
  }
  const int64_t wanted = std::min({*count, size - offset, kMostBytes});
  const absl::StatusOr<evaluator::Tensor> dense = tensor.Contiguous();
  if (!dense.ok()) return dense.status();
  body["data"] = absl::Base64Escape(
      absl::string_view(reinterpret_cast<const char*>(dense->data()) + offset, static_cast<size_t>(wanted)));
  if (wanted < *count && wanted < kMostBytes) body["unreadableBytes"] = *count - wanted;
  return body;
}

absl::StatusOr<json> DebugSession::WriteMemory(const json& arguments) {
  const absl::StatusOr<std::string> reference = RequiredString(arguments, "memoryReference");
  if (!reference.ok()) return reference.status();
  const absl::StatusOr<std::string> data = RequiredString(arguments, "data");
  if (!data.ok()) return data.status();
  std::string bytes;
  if (!absl::Base64Unescape(*data, &bytes)) return absl::InvalidArgumentError("`data` is not base64");
  const int64_t offset = IntegerOr(arguments, "offset", 0);
  const absl::StatusOr<NamedValue> memory = variables_.Memory(*reference);
  if (!memory.ok()) return memory.status();
  const std::string target = memory->Expression();
  const evaluator::Tensor& before = memory->value.tensor();
  if (target.empty()) {
    return absl::InvalidArgumentError(
        "these are the bytes of an expression, not of an instruction: they cannot be set");
  }
  const int64_t size = before.byte_size();
  int64_t end = 0;
  const bool fits = offset >= 0 && offset <= size &&
                    !__builtin_add_overflow(offset, static_cast<int64_t>(bytes.size()), &end) && end <= size;
  if (!fits) {
    if (!BoolOr(arguments, "allowPartial", false) || offset < 0 || offset > size) {
      return absl::InvalidArgumentError(
          absl::StrCat(bytes.size(), " bytes at ", offset, " do not fit: ", target, " has ", size, " bytes"));
    }
    bytes.resize(static_cast<size_t>(size - offset));
  }
  if (absl::Status status = CheckElements(bytes, offset, before.element_type()); !status.ok()) return status;
  const FrameReference frame = latest_frame_.value_or(InnermostFrame(stop_.device));
  absl::Status problem;
  console_->Select(frame.device, frame.frame);
  const bool done = console_->SetElements(target, [&](const Shape& shape) -> std::optional<evaluator::Value> {
    absl::StatusOr<evaluator::Tensor> changed = before.Copy();
    if (changed.ok() && changed->shape().ToString(false) != shape.ToString(false)) {
      changed = absl::InvalidArgumentError(
          absl::StrCat(target, " has sizes that are known at run time only: `set` in the console changes it"));
    }
    problem = changed.status();
    if (!changed.ok()) return std::nullopt;
    std::memcpy(changed->mutable_data() + offset, bytes.data(), bytes.size());
    variables_.ReplaceMemory(*reference, evaluator::Value(*changed));
    // A copy of its own: what is shown does not change with what the run has.
    changed = changed->Copy();
    problem = changed.status();
    if (!changed.ok()) return std::nullopt;
    return evaluator::Value(*std::move(changed));
  });
  console_->TakeSaid();
  const std::string said = console_->TakeProblems();
  if (!problem.ok()) return problem;
  if (!done) return absl::InvalidArgumentError(said);
  TellChangedValues();
  if (client_.memory) {
    after_response_.push_back([this, reference = *reference, offset, count = bytes.size()] {
      writer_.Event("memory", {{"memoryReference", reference}, {"offset", offset}, {"count", count}});
    });
  }
  return json{{"bytesWritten", bytes.size()}};
}

}  // namespace hloscope::dap
