// SPDX-License-Identifier: Apache-2.0
// oneDNN as a peer of the evaluator: rows of peers.py whose work the library has one primitive for, or a few. Speaks
// the protocol that peers.py describes. Arrays come and go as the modules have them; in between, the library may choose
// its own formats, and what it takes to get there is part of its time, as packing is of ours.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <dnnl.hpp>
#include <functional>
#include <iostream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tests/bench/bench_clock.h"

namespace {

using Type = dnnl::memory::data_type;
using Tag = dnnl::memory::format_tag;
using Sizes = dnnl::memory::dims;
using Arguments = std::unordered_map<int, dnnl::memory>;

const dnnl::engine& Engine() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

dnnl::stream& Stream() {
  static dnnl::stream stream(Engine());
  return stream;
}

// An array of numbers from -1 to 1.
dnnl::memory Random(const dnnl::memory::desc& description) {
  const dnnl::memory memory(description, Engine());
  std::mt19937 random(1);
  const auto number = [&] { return static_cast<float>(random() % 20001) / 10000.0f - 1.0f; };
  if (description.data_type() == Type::f32) {
    auto* const values = static_cast<float*>(memory.get_data_handle());
    for (size_t i = 0; i < description.get_size() / sizeof(float); ++i) values[i] = number();
  } else {
    auto* const values = static_cast<uint16_t*>(memory.get_data_handle());
    for (size_t i = 0; i < description.get_size() / sizeof(uint16_t); ++i) {
      const float value = number();
      uint32_t bits;
      std::memcpy(&bits, &value, sizeof bits);
      values[i] = static_cast<uint16_t>(bits >> 16);
    }
  }
  return memory;
}

// Primitives that run one after the other.
class Steps {
 public:
  void Add(dnnl::primitive primitive, Arguments arguments) {
    steps_.emplace_back(std::move(primitive), std::move(arguments));
  }
  // `memory` in the format that a primitive asks for.
  dnnl::memory Reordered(const dnnl::memory& memory, const dnnl::memory::desc& wanted) {
    if (memory.get_desc() == wanted) return memory;
    dnnl::memory to(wanted, Engine());
    Add(dnnl::reorder(memory, to), {{DNNL_ARG_FROM, memory}, {DNNL_ARG_TO, to}});
    return to;
  }
  void Run() {
    for (auto& [primitive, arguments] : steps_) primitive.execute(Stream(), arguments);
    Stream().wait();
  }

 private:
  std::vector<std::pair<dnnl::primitive, Arguments>> steps_;
};

Steps Matmul(const Sizes& lhs, const Sizes& rhs, const Sizes& result, Tag tag, Type type) {
  const dnnl::memory::desc a(lhs, type, tag), b(rhs, type, tag), c(result, type, tag);
  const dnnl::matmul::primitive_desc chosen({a, b, c}, Engine());
  Steps steps;
  steps.Add(dnnl::matmul(chosen),
            {{DNNL_ARG_SRC, Random(a)}, {DNNL_ARG_WEIGHTS, Random(b)}, {DNNL_ARG_DST, dnnl::memory(c, Engine())}});
  return steps;
}

// A 3x3 window with the padding that keeps the size. `weights` in the order of the tag.
Steps Convolution(int64_t batch, int64_t size, int64_t features, const Sizes& weights, Tag weights_tag, Type type) {
  const Sizes sizes = {batch, features, size, size};
  const dnnl::memory::desc in(sizes, type, Tag::nhwc), kernel(weights, type, weights_tag);
  const dnnl::convolution_forward::primitive_desc chosen({dnnl::prop_kind::forward_inference,
                                                          dnnl::algorithm::convolution_auto,
                                                          in,
                                                          {weights, type, Tag::any},
                                                          in,
                                                          {1, 1},
                                                          {1, 1},
                                                          {1, 1}},
                                                         Engine());
  Steps steps;
  const dnnl::memory reordered = steps.Reordered(Random(kernel), chosen.weights_desc());
  steps.Add(dnnl::convolution_forward(chosen),
            {{DNNL_ARG_SRC, Random(in)}, {DNNL_ARG_WEIGHTS, reordered}, {DNNL_ARG_DST, dnnl::memory(in, Engine())}});
  return steps;
}

Steps Add() {
  const dnnl::memory::desc a({1 << 24}, Type::f32, Tag::a);
  Steps steps;
  steps.Add(dnnl::binary(dnnl::binary::primitive_desc({dnnl::algorithm::binary_add, a, a, a}, Engine())),
            {{DNNL_ARG_SRC_0, Random(a)}, {DNNL_ARG_SRC_1, Random(a)}, {DNNL_ARG_DST, dnnl::memory(a, Engine())}});
  return steps;
}

Steps Exponential() {
  const dnnl::memory::desc a({1 << 24}, Type::f32, Tag::a);
  const dnnl::eltwise_forward::primitive_desc chosen(
      {dnnl::prop_kind::forward_inference, dnnl::algorithm::eltwise_exp, a, 0, 0}, Engine());
  Steps steps;
  steps.Add(dnnl::eltwise_forward(chosen), {{DNNL_ARG_SRC, Random(a)}, {DNNL_ARG_DST, dnnl::memory(a, Engine())}});
  return steps;
}

Steps Sum(const Sizes& sizes, const Sizes& result, Tag tag, Type type) {
  const dnnl::memory::desc in(sizes, type, tag), out(result, Type::f32, tag);
  const dnnl::reduction::primitive_desc chosen({dnnl::algorithm::reduction_sum, in, out, 0, 0}, Engine());
  Steps steps;
  steps.Add(dnnl::reduction(chosen), {{DNNL_ARG_SRC, Random(in)}, {DNNL_ARG_DST, dnnl::memory(out, Engine())}});
  return steps;
}

Steps Transpose() {
  const dnnl::memory::desc a({4096, 4096}, Type::f32, Tag::ab), b({4096, 4096}, Type::f32, Tag::ba);
  Steps steps;
  steps.Reordered(Random(a), b);
  return steps;
}

void AddSoftmax(const dnnl::memory& from, const dnnl::memory& to, int axis, Steps& steps) {
  const dnnl::softmax_v2_forward::primitive_desc chosen(
      {dnnl::prop_kind::forward_inference, dnnl::algorithm::softmax_accurate, from.get_desc(), to.get_desc(), axis},
      Engine());
  steps.Add(dnnl::softmax_v2_forward(chosen), {{DNNL_ARG_SRC, from}, {DNNL_ARG_DST, to}});
}

Steps Softmax() {
  const dnnl::memory::desc a({4096, 4096}, Type::f32, Tag::ab);
  Steps steps;
  AddSoftmax(Random(a), dnnl::memory(a, Engine()), 1, steps);
  return steps;
}

Steps LayerNorm() {
  const dnnl::memory::desc a({4096, 768}, Type::bf16, Tag::ab);
  const dnnl::layer_normalization_forward::primitive_desc chosen(
      {dnnl::prop_kind::forward_inference, a, 1.001e-5f, dnnl::normalization_flags::none}, Engine());
  Steps steps;
  steps.Add(dnnl::layer_normalization_forward(chosen),
            {{DNNL_ARG_SRC, Random(a)}, {DNNL_ARG_DST, dnnl::memory(a, Engine())}});
  return steps;
}

// The composed form: two products and a softmax, all of bf16.
Steps Attention() {
  const Sizes values = {12, 128, 64}, scores = {12, 128, 128};
  const dnnl::memory::desc q(values, Type::bf16, Tag::abc), k({12, 64, 128}, Type::bf16, Tag::acb);
  const dnnl::memory::desc s(scores, Type::bf16, Tag::abc);
  dnnl::primitive_attr scaled;
  scaled.set_output_scales(0, {0.125f});
  const dnnl::memory products(s, Engine()), weights(s, Engine());
  Steps steps;
  steps.Add(dnnl::matmul(dnnl::matmul::primitive_desc({q, k, s}, scaled, Engine())),
            {{DNNL_ARG_SRC, Random(q)}, {DNNL_ARG_WEIGHTS, Random(k)}, {DNNL_ARG_DST, products}});
  AddSoftmax(products, weights, 2, steps);
  steps.Add(dnnl::matmul(dnnl::matmul::primitive_desc({s, q, q}, Engine())),
            {{DNNL_ARG_SRC, weights}, {DNNL_ARG_WEIGHTS, Random(q)}, {DNNL_ARG_DST, dnnl::memory(q, Engine())}});
  return steps;
}

Steps MaxPool(Type type, Tag tag) {
  const dnnl::memory::desc in({8, 64, 112, 112}, type, tag), out({8, 64, 56, 56}, type, tag);
  const dnnl::pooling_v2_forward::primitive_desc chosen({dnnl::prop_kind::forward_inference,
                                                         dnnl::algorithm::pooling_max,
                                                         in,
                                                         out,
                                                         {2, 2},
                                                         {3, 3},
                                                         {0, 0},
                                                         {1, 1},
                                                         {0, 0}},
                                                        Engine());
  Steps steps;
  steps.Add(dnnl::pooling_v2_forward(chosen),
            {{DNNL_ARG_SRC, Random(in)}, {DNNL_ARG_DST, dnnl::memory(out, Engine())}});
  return steps;
}

const std::map<std::string, std::function<Steps()>>& Rows() {
  static const std::map<std::string, std::function<Steps()>> rows = {
      {"gemm",
       [] {
         return Matmul({1024, 1024}, {1024, 1024}, {1024, 1024}, Tag::ab, Type::f32);
       }},
      {"batched_gemm",
       [] {
         return Matmul({16, 512, 512}, {16, 512, 512}, {16, 512, 512}, Tag::abc, Type::f32);
       }},
      {"bf16_gemm",
       [] {
         return Matmul({1024, 1024}, {1024, 1024}, {1024, 1024}, Tag::ab, Type::bf16);
       }},
      {"matrix_vector",
       [] {
         return Matmul({4096, 4096}, {4096, 1}, {4096, 1}, Tag::ab, Type::f32);
       }},
      {"vector_matrix",
       [] {
         return Matmul({1, 4096}, {4096, 4096}, {1, 4096}, Tag::ab, Type::f32);
       }},
      {"conv56",
       [] {
         return Convolution(1, 56, 64, {64, 64, 3, 3}, Tag::hwio, Type::f32);
       }},
      {"conv28",
       [] {
         return Convolution(8, 28, 128, {128, 128, 3, 3}, Tag::hwio, Type::f32);
       }},
      {"conv28_bf16",
       [] {
         return Convolution(8, 28, 128, {128, 128, 3, 3}, Tag::hwio, Type::bf16);
       }},
      {"depthwise",
       [] {
         return Convolution(1, 56, 256, {256, 1, 1, 3, 3}, Tag::hwigo, Type::bf16);
       }},
      {"add", Add},
      {"exp", Exponential},
      {"reduce_last",
       [] {
         return Sum({4096, 4096}, {4096, 1}, Tag::ab, Type::f32);
       }},
      {"reduce_first",
       [] {
         return Sum({4096, 4096}, {1, 4096}, Tag::ab, Type::f32);
       }},
      {"sum_axis_1x4096x1024_bf16",
       [] {
         return Sum({4096, 1024}, {4096, 1}, Tag::ab, Type::bf16);
       }},
      {"transpose", Transpose},
      {"softmax", Softmax},
      {"layer_norm", LayerNorm},
      {"attention", Attention},
      {"max_pool", [] { return MaxPool(Type::f32, Tag::nhwc); }},
      {"max_pool_planes", [] { return MaxPool(Type::f32, Tag::nchw); }},
      {"max_pool_bf16", [] { return MaxPool(Type::bf16, Tag::nhwc); }},
  };
  return rows;
}

double SecondsOfRun(Steps& steps) {
  const double start = hloscope::bench::ClockSeconds();
  steps.Run();
  return hloscope::bench::ClockSeconds() - start;
}

}  // namespace

int main() {
  Steps prepared;
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string command, name;
    int count = 0;
    words >> command >> name >> count;
    if (command == "peers") {
      std::printf("onednn");
    } else if (command == "prepare") {
      prepared = Steps();
      try {
        const auto row = Rows().find(name);
        if (row != Rows().end()) {
          prepared = row->second();
          prepared.Run();
          std::printf("onednn");
        }
      } catch (const dnnl::error& error) {
        // The library has no implementation of it for this processor.
        std::fprintf(stderr, "oneDNN, %s: %s\n", name.c_str(), error.what());
      }
    } else if (command == "run") {
      for (int i = 0; count > 1 && i <= count / 4; ++i) prepared.Run();
      for (int i = 0; i < count; ++i) std::printf("%s%.9g", i == 0 ? "" : " ", SecondsOfRun(prepared));
    } else if (command == "drop") {
      prepared = Steps();
    }
    std::printf("\n");
    std::fflush(stdout);
  }
}
