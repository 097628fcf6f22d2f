// SPDX-License-Identifier: Apache-2.0
#include "tests/support/module_generator.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/support/module_writer.h"

namespace hloscope {
namespace module_writer {

const std::vector<std::pair<std::string, void (ModuleWriter::*)(const std::string&)>>& ModuleWriter::Makers() {
  static const auto* const makers = new std::vector<std::pair<std::string, void (ModuleWriter::*)(const std::string&)>>{
      {"abs", &ModuleWriter::Unary},
      {"acos", &ModuleWriter::Unary},
      {"acosh", &ModuleWriter::Unary},
      {"asin", &ModuleWriter::Unary},
      {"asinh", &ModuleWriter::Unary},
      {"atanh", &ModuleWriter::Unary},
      {"cbrt", &ModuleWriter::Unary},
      {"ceil", &ModuleWriter::Unary},
      {"copy", &ModuleWriter::Unary},
      {"cosh", &ModuleWriter::Unary},
      {"cosine", &ModuleWriter::Unary},
      {"count-leading-zeros", &ModuleWriter::Unary},
      {"erf", &ModuleWriter::Unary},
      {"exponential", &ModuleWriter::Unary},
      {"exponential-minus-one", &ModuleWriter::Unary},
      {"floor", &ModuleWriter::Unary},
      {"imag", &ModuleWriter::Unary},
      {"is-finite", &ModuleWriter::Unary},
      {"log", &ModuleWriter::Unary},
      {"log-plus-one", &ModuleWriter::Unary},
      {"logistic", &ModuleWriter::Unary},
      {"negate", &ModuleWriter::Unary},
      {"not", &ModuleWriter::Unary},
      {"opt-barrier", &ModuleWriter::Unary},
      {"popcnt", &ModuleWriter::Unary},
      {"real", &ModuleWriter::Unary},
      {"round-nearest-afz", &ModuleWriter::Unary},
      {"round-nearest-even", &ModuleWriter::Unary},
      {"rsqrt", &ModuleWriter::Unary},
      {"sign", &ModuleWriter::Unary},
      {"sine", &ModuleWriter::Unary},
      {"sinh", &ModuleWriter::Unary},
      {"sqrt", &ModuleWriter::Unary},
      {"tan", &ModuleWriter::Unary},
      {"tanh", &ModuleWriter::Unary},
      {"add", &ModuleWriter::Binary},
      {"and", &ModuleWriter::Binary},
      {"atan2", &ModuleWriter::Binary},
      {"divide", &ModuleWriter::Binary},
      {"maximum", &ModuleWriter::Binary},
      {"minimum", &ModuleWriter::Binary},
      {"mulhi", &ModuleWriter::Binary},
      {"multiply", &ModuleWriter::Binary},
      {"or", &ModuleWriter::Binary},
      {"power", &ModuleWriter::Binary},
      {"remainder", &ModuleWriter::Binary},
      {"shift-left", &ModuleWriter::Binary},
      {"shift-right-arithmetic", &ModuleWriter::Binary},
      {"shift-right-logical", &ModuleWriter::Binary},
      {"subtract", &ModuleWriter::Binary},
      {"xor", &ModuleWriter::Binary},
      {"compare", &ModuleWriter::Compare},
      {"select", &ModuleWriter::Select},
      {"clamp", &ModuleWriter::Clamp},
      {"complex", &ModuleWriter::Complex},
      {"convert", &ModuleWriter::Convert},
      {"bitcast-convert", &ModuleWriter::BitcastConvert},
      {"reduce-precision", &ModuleWriter::ReducePrecision},
      {"stochastic-convert", &ModuleWriter::StochasticConvert},
      {"broadcast", &ModuleWriter::Broadcast},
      {"reshape", &ModuleWriter::Reshape},
      {"bitcast", &ModuleWriter::Reshape},
      {"transpose", &ModuleWriter::Transpose},
      {"reverse", &ModuleWriter::Reverse},
      {"slice", &ModuleWriter::Slice},
      {"pad", &ModuleWriter::Pad},
      {"concatenate", &ModuleWriter::Concatenate},
      {"dynamic-slice", &ModuleWriter::DynamicSlice},
      {"dynamic-update-slice", &ModuleWriter::DynamicUpdateSlice},
      {"iota", &ModuleWriter::Iota},
      {"constant", &ModuleWriter::ConstantOf},
      {"gather", &ModuleWriter::Gather},
      {"scatter", &ModuleWriter::Scatter},
      {"reduce", &ModuleWriter::Reduce},
      {"reduce-window", &ModuleWriter::ReduceWindow},
      {"select-and-scatter", &ModuleWriter::SelectAndScatter},
      {"map", &ModuleWriter::Map},
      {"scan", &ModuleWriter::Scan},
      {"sort", &ModuleWriter::Sort},
      {"topk", &ModuleWriter::Topk},
      {"dot", &ModuleWriter::Dot},
      {"ragged-dot", &ModuleWriter::RaggedDot},
      {"scaled-dot", &ModuleWriter::ScaledDot},
      {"convolution", &ModuleWriter::Convolution},
      {"fft", &ModuleWriter::Fft},
      {"cholesky", &ModuleWriter::Cholesky},
      {"triangular-solve", &ModuleWriter::TriangularSolve},
      {"batch-norm-training", &ModuleWriter::BatchNorm},
      {"batch-norm-inference", &ModuleWriter::BatchNorm},
      {"batch-norm-grad", &ModuleWriter::BatchNorm},
      {"tuple", &ModuleWriter::TupleOf},
      {"domain", &ModuleWriter::TupleOf},
      {"add-dependency", &ModuleWriter::Token},
      {"call", &ModuleWriter::CallOf},
      {"while", &ModuleWriter::While},
      {"conditional", &ModuleWriter::Conditional},
      {"fusion", &ModuleWriter::Fusion},
      {"async-start", &ModuleWriter::Async},
      {"copy-start", &ModuleWriter::CopyPair},
      {"rng-bit-generator", &ModuleWriter::RngBits},
      {"rng", &ModuleWriter::Rng},
      {"rng-get-and-update-state", &ModuleWriter::RngState},
      {"get-dimension-size", &ModuleWriter::DimensionSize},
      {"set-dimension-size", &ModuleWriter::DimensionSize},
      {"dynamic-reshape", &ModuleWriter::DynamicReshape},
      {"custom-call", &ModuleWriter::CustomCall},
      {"all-reduce", &ModuleWriter::Collective},
      {"all-gather", &ModuleWriter::Collective},
      {"all-to-all", &ModuleWriter::Collective},
      {"collective-permute", &ModuleWriter::Collective},
      {"collective-broadcast", &ModuleWriter::Collective},
      {"reduce-scatter", &ModuleWriter::Collective},
      {"ragged-all-to-all", &ModuleWriter::RaggedAllToAll},
      {"all-reduce-start", &ModuleWriter::CollectivePair},
      {"all-gather-start", &ModuleWriter::CollectivePair},
      {"collective-permute-start", &ModuleWriter::CollectivePair},
      {"replica-id", &ModuleWriter::DeviceId},
      {"partition-id", &ModuleWriter::DeviceId},
      {"infeed", &ModuleWriter::HostTransfer},
      {"outfeed", &ModuleWriter::HostTransfer},
      {"send", &ModuleWriter::HostTransfer},
      {"recv", &ModuleWriter::HostTransfer},
  };
  return *makers;
}

std::string ModuleWriter::Write() {
  std::vector<std::pair<std::string, void (ModuleWriter::*)(const std::string&)>> makers;
  for (const auto& maker : Makers()) {
    const std::string& opcode = maker.first;
    if (!options_.opcodes.empty() && !IsIn(opcode, options_.opcodes)) continue;
    if (!options_.asynchronous && absl::EndsWith(opcode, "-start")) continue;
    if (!options_.random_numbers && (opcode == "rng" || opcode == "rng-get-and-update-state")) continue;
    static constexpr auto kDeviceMakers = {&ModuleWriter::Collective, &ModuleWriter::CollectivePair,
                                           &ModuleWriter::RaggedAllToAll, &ModuleWriter::DeviceId};
    if (!options_.collectives && std::count(kDeviceMakers.begin(), kDeviceMakers.end(), maker.second) > 0) continue;
    if (!options_.host_transfers && maker.second == &ModuleWriter::HostTransfer) continue;
    if (!options_.dynamic_sizes && (opcode == "set-dimension-size" || opcode == "dynamic-reshape")) continue;
    makers.push_back(maker);
  }
  // Where the options leave nothing of the opcodes.
  if (makers.empty()) makers.emplace_back("constant", &ModuleWriter::ConstantOf);
  for (int k = 0; k < options_.instruction_count; ++k) {
    const auto& [opcode, make] = makers[Pick(makers.size())];
    (this->*make)(opcode);
  }
  Names shapes, names;
  const size_t kept = std::min<size_t>(values_.size(), 12);
  for (size_t k = values_.size() - kept; k < values_.size(); ++k) {
    shapes.push_back(ShapeOf(values_[k].type, values_[k].sizes));
    names.push_back(values_[k].name);
  }
  return absl::StrCat("HloModule random\n\n", header_computations_, "ENTRY entry {\n", text_, "  ROOT results = (",
                      absl::StrJoin(shapes, ", "), ") tuple(", absl::StrJoin(names, ", "), ")\n}\n");
}

}  // namespace module_writer

using module_writer::ModuleWriter;

std::string RandomModule(uint64_t seed, const GeneratorOptions& options) { return ModuleWriter(seed, options).Write(); }

std::vector<std::string> GeneratedOpcodes() {
  std::vector<std::string> opcodes;
  for (const auto& maker : ModuleWriter::Makers()) opcodes.push_back(maker.first);
  return opcodes;
}

}  // namespace hloscope
