// SPDX-License-Identifier: Apache-2.0
#include "core/ops/operand_roles.h"

#include <algorithm>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace hloscope {
namespace {

struct Signature {
  Opcode opcode;
  absl::string_view operands;
};

// Opcodes whose operands are more than `x` or `a, b`.
constexpr Signature kSignatures[] = {
    {Opcode::kAddDependency, "x, token"},
    {Opcode::kAfterAll, "tokens..."},
    {Opcode::kAllGather, "x..."},
    {Opcode::kAllGatherDone, "start"},
    {Opcode::kAllGatherStart, "x..."},
    {Opcode::kAllReduce, "x..."},
    {Opcode::kAllReduceDone, "start"},
    {Opcode::kAllReduceStart, "x..."},
    {Opcode::kAllToAll, "x..."},
    {Opcode::kAsyncDone, "start"},
    {Opcode::kAsyncStart, "args..."},
    {Opcode::kAsyncUpdate, "start, args..."},
    {Opcode::kBatchNormGrad, "x, scale, mean, variance, grad"},
    {Opcode::kBatchNormInference, "x, scale, offset, mean, variance"},
    {Opcode::kBatchNormTraining, "x, scale, offset"},
    {Opcode::kCall, "args..."},
    {Opcode::kCholesky, "a"},
    {Opcode::kClamp, "low, x, high"},
    {Opcode::kCollectiveBroadcast, "x..."},
    {Opcode::kCollectivePermute, "x..."},
    {Opcode::kCollectivePermuteDone, "start"},
    {Opcode::kCollectivePermuteStart, "x..."},
    {Opcode::kConcatenate, "a, b, ..."},
    {Opcode::kConditional, "p, a, b, ..."},
    {Opcode::kConvolution, "input, kernel"},
    {Opcode::kCopyDone, "s"},
    {Opcode::kCustomCall, "args..."},
    {Opcode::kDynamicReshape, "x, size0, size1, ..."},
    {Opcode::kDynamicSlice, "x, start0, start1, ..."},
    {Opcode::kDynamicUpdateSlice, "x, update, start0, start1, ..."},
    {Opcode::kFusion, "args..."},
    {Opcode::kGather, "x, indices"},
    {Opcode::kGetTupleElement, "t"},
    {Opcode::kInfeed, "token"},
    {Opcode::kMap, "x, y, ..."},
    {Opcode::kOutfeed, "x, token"},
    {Opcode::kPad, "x, value"},
    {Opcode::kRaggedAllToAll, "x, output, input_offsets, send_sizes, output_offsets, recv_sizes"},
    {Opcode::kRaggedDot, "a, b, group_sizes"},
    {Opcode::kRecv, "token"},
    {Opcode::kRecvDone, "r"},
    {Opcode::kReduce, "x..., init..."},
    {Opcode::kReduceScatter, "x..."},
    {Opcode::kReduceWindow, "x..., init..."},
    {Opcode::kRng, "a, b"},
    {Opcode::kRngBitGenerator, "state"},
    {Opcode::kScaledDot, "a, b, a_scale, b_scale"},
    {Opcode::kScan, "x..., init..."},
    {Opcode::kScatter, "x..., indices, updates..."},
    {Opcode::kSelect, "p, on_true, on_false"},
    {Opcode::kSelectAndScatter, "x, source, init"},
    {Opcode::kSend, "x, token"},
    {Opcode::kSendDone, "s"},
    {Opcode::kSetDimensionSize, "x, size"},
    {Opcode::kSort, "x, ..."},
    {Opcode::kStochasticConvert, "x, random"},
    {Opcode::kTuple, "a, b, ..."},
    {Opcode::kWhile, "init"},
};

constexpr absl::string_view kRepeat = "...";

std::vector<absl::string_view> Items(Opcode opcode) {
  return absl::StrSplit(OperandSignature(opcode), ", ", absl::SkipEmpty());
}

// "start1" and 3 give "start3"; "b" and 3 give "d"; anything else itself.
std::string Continue(absl::string_view last, size_t last_index, size_t k) {
  const size_t digits = last.size() - std::min(last.size(), last.find_last_not_of("0123456789") + 1);
  if (digits > 0) {
    const absl::string_view stem = last.substr(0, last.size() - digits);
    const size_t number = static_cast<size_t>(last[last.size() - 1] - '0');
    return absl::StrCat(stem, number + k - last_index);
  }
  const size_t offset = k - last_index;
  if (last.size() == 1 && last[0] >= 'a' && static_cast<size_t>('z' - last[0]) >= offset && last != "x" && last != "y")
    return std::string(1, static_cast<char>(last[0] + static_cast<char>(offset)));
  return absl::StrCat(last, k);
}

}  // namespace

absl::string_view OperandSignature(Opcode opcode) {
  const auto* found = std::find_if(std::begin(kSignatures), std::end(kSignatures),
                                   [&](const Signature& s) { return s.opcode == opcode; });
  if (found != std::end(kSignatures)) return found->operands;
  switch (InfoOf(opcode).arity) {
    case 1:
      return "x";
    case 2:
      return "a, b";
    default:
      return "";
  }
}

std::string OperandRole(Opcode opcode, size_t k, size_t count) {
  const std::vector<absl::string_view> items = Items(opcode);
  if (items.empty()) return "operand";
  if (items.back() == kRepeat) {
    const size_t last = items.size() - 2;
    return k <= last ? std::string(items[k]) : Continue(items[last], last, k);
  }
  const size_t repeated = static_cast<size_t>(
      std::count_if(items.begin(), items.end(), [](absl::string_view item) { return absl::EndsWith(item, kRepeat); }));
  const size_t fixed = items.size() - repeated;
  const size_t each = repeated == 0 ? 1 : std::max<size_t>(1, count > fixed ? (count - fixed) / repeated : 1);
  size_t at = k;
  for (absl::string_view item : items) {
    if (!absl::ConsumeSuffix(&item, kRepeat)) {
      if (at == 0) return std::string(item);
      --at;
      continue;
    }
    if (at < each) return each == 1 ? std::string(item) : absl::StrCat(item, at);
    at -= each;
  }
  absl::string_view last = items.back();
  absl::ConsumeSuffix(&last, kRepeat);
  return std::string(last);
}

size_t LeastOperandCount(Opcode opcode) {
  const std::vector<absl::string_view> items = Items(opcode);
  return items.empty() || items.back() != kRepeat ? items.size() : items.size() - 1;
}

}  // namespace hloscope
