// SPDX-License-Identifier: Apache-2.0
// gather, scatter and select-and-scatter (docs/ops/tensor.md 2, 3.4).
#include <algorithm>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codegen/conversion_loop.h"
#include "codegen/cpp_types.h"
#include "codegen/element_writer.h"
#include "codegen/families.h"
#include "codegen/pooling.h"
#include "codegen/window_loops.h"

namespace hloscope::codegen {
namespace {

// The dimension numbers that gather and scatter share.
struct IndexNumbers {
  int64_t vector_dim;
  absl::Span<const int64_t> start_index_map, operand_batching, indices_batching;
};

// Which loop (of a nest that begins with the dimensions of the indices but the index vector) belongs to dimension `d`
// of the indices.
size_t LoopOf(int64_t d, int64_t vector_dim) { return static_cast<size_t>(d < vector_dim ? d : d - 1); }

// The expression of the start index in dimension `d` of the operand; empty if it is always 0. `vector` marks the index
// vector's place in the indices.
std::string StartText(const IndexNumbers& numbers, int64_t d, const std::string& indices, const std::string& vector,
                      int64_t component_stride, LoopNest& nest) {
  for (size_t k = 0; k < numbers.start_index_map.size(); ++k) {
    if (numbers.start_index_map[k] == d) {
      const int64_t step = static_cast<int64_t>(k) * component_stride;
      return absl::StrCat(indices, "[", vector, step == 0 ? "" : absl::StrCat(" + ", step), "]");
    }
  }
  for (size_t k = 0; k < numbers.operand_batching.size(); ++k) {
    if (numbers.operand_batching[k] != d) continue;
    LinearIndex index{0, std::vector<int64_t>(nest.sizes().size(), 0)};
    index.strides[LoopOf(numbers.indices_batching[k], numbers.vector_dim)] = 1;
    return absl::StrCat("(", nest.Index(index), ")");
  }
  return "";
}

// Where the index vector of the loops lies, and how far its components are apart.
LinearIndex VectorIndex(const Shape& indices, int64_t vector_dim, size_t loop_count, int64_t* component_stride) {
  const std::vector<int64_t> strides = RowMajorStridesOf(indices.dimensions());
  LinearIndex index{0, std::vector<int64_t>(loop_count, 0)};
  *component_stride = 0;
  for (int64_t d = 0; d < indices.rank(); ++d) {
    if (d == vector_dim) {
      *component_stride = strides[static_cast<size_t>(d)];
    } else {
      index.strides[LoopOf(d, vector_dim)] = strides[static_cast<size_t>(d)];
    }
  }
  return index;
}

std::vector<int64_t> BatchSizes(const Shape& indices, int64_t vector_dim) {
  std::vector<int64_t> sizes;
  for (int64_t d = 0; d < indices.rank(); ++d) {
    if (d != vector_dim) sizes.push_back(indices.dimension(d));
  }
  return sizes;
}

// The text of loops [from, to) around `body`, whose lines are written for an indent of two blanks.
std::string InnerLoops(const LoopNest& nest, size_t from, size_t to, const std::string& body, bool vector) {
  std::string text, indent = "  ";
  for (size_t k = from; k < to; ++k) {
    if (vector && k + 1 == to) text += "#pragma GCC ivdep\n";
    absl::StrAppend(&text, indent, "for (int64_t i", k, " = 0; i", k, " < ", nest.joined_sizes()[k], "; ++i", k,
                    ") {\n");
    indent += "  ";
  }
  absl::StrAppend(&text, indent, body, "\n");
  for (size_t k = from; k < to; ++k) {
    indent.resize(indent.size() - 2);
    absl::StrAppend(&text, indent, "}\n");
  }
  return text;
}

absl::Status WriteGather(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  const InstructionId operand = module.operand(id, 0), start_indices = module.operand(id, 1);
  const Shape& array = module.shape(operand);
  const Shape& indices = module.shape(start_indices);
  const Shape& shape = module.shape(id);
  const IndexNumbers numbers = {module.IntAttribute(id, AttributeKind::kIndexVectorDim),
                                module.IntsAttribute(id, AttributeKind::kStartIndexMap),
                                module.IntsAttribute(id, AttributeKind::kOperandBatchingDims),
                                module.IntsAttribute(id, AttributeKind::kStartIndicesBatchingDims)};
  const auto offset_dims = module.IntsAttribute(id, AttributeKind::kOffsetDims);
  const auto collapsed = module.IntsAttribute(id, AttributeKind::kCollapsedSliceDims);
  const auto slice_sizes = module.IntsAttribute(id, AttributeKind::kSliceSizes);
  const std::string result = writer.DefineAllocated(id);
  if (shape.ElementCount() == 0) return absl::OkStatus();
  if (array.ElementCount() == 0) return absl::UnimplementedError("an empty array to gather from");

  // Loops over the index vectors, then over the window.
  std::vector<int64_t> sizes = BatchSizes(indices, numbers.vector_dim);
  const size_t batch_rank = sizes.size();
  const std::vector<int64_t> strides = RowMajorStridesOf(array.dimensions());
  std::vector<int64_t> window_strides;
  for (int64_t d = 0; d < array.rank(); ++d) {
    if (absl::c_linear_search(collapsed, d) || absl::c_linear_search(numbers.operand_batching, d)) continue;
    sizes.push_back(slice_sizes[static_cast<size_t>(d)]);
    window_strides.push_back(strides[static_cast<size_t>(d)]);
  }
  const size_t loop_count = sizes.size();
  LinearIndex window{0, std::vector<int64_t>(loop_count, 0)}, target = window;
  std::copy(window_strides.begin(), window_strides.end(),
            window.strides.begin() + static_cast<std::ptrdiff_t>(batch_rank));
  const std::vector<int64_t> result_strides = RowMajorStridesOf(shape.dimensions());
  for (size_t d = 0, b = 0, w = batch_rank; d < result_strides.size(); ++d) {
    target.strides[absl::c_linear_search(offset_dims, static_cast<int64_t>(d)) ? w++ : b++] = result_strides[d];
  }
  LoopNest nest(sizes, {batch_rank});
  LoopArguments arguments;
  const std::string type = BitsType(StorageBytes(shape.element_type())),
                    index_type = StoredType(indices.element_type());
  const std::string a = arguments.Input(type, absl::StrCat(writer.Read(operand), ".as<", type, ">()"));
  const std::string s =
      arguments.Input(index_type, absl::StrCat(writer.Read(start_indices), ".as<", index_type, ">()"));
  const std::string r = arguments.Output(type, absl::StrCat(result, ".to<", type, ">()"));
  int64_t component_stride;
  const std::string vector = nest.Index(VectorIndex(indices, numbers.vector_dim, loop_count, &component_stride));
  std::string at = "0";
  for (int64_t d = 0; d < array.rank(); ++d) {
    const std::string start = StartText(numbers, d, s, vector, component_stride, nest);
    const int64_t largest =
        array.dimension(d) - (absl::c_linear_search(collapsed, d) ? 1 : slice_sizes[static_cast<size_t>(d)]);
    if (start.empty() || largest <= 0) continue;
    absl::StrAppend(&at, " + ClampIndex(", start, ", ", largest, ") * ", strides[static_cast<size_t>(d)]);
  }
  const std::string move = absl::StrCat(r, "[", nest.Index(target), "] = ", a, "[at + ", nest.Index(window), "];");
  nest.Join();
  const std::vector<std::string> variables = LoopVariables(nest.joined_sizes().size());
  const size_t batch_loops = nest.JoinedBefore(batch_rank);
  const std::string body =
      absl::StrCat("  const int64_t at = ", nest.Replace(at, variables), ";\n",
                   InnerLoops(nest, batch_loops, variables.size(), nest.Replace(move, variables), /*vector=*/true));
  const std::vector<int64_t> outer(nest.joined_sizes().begin(),
                                   nest.joined_sizes().begin() + static_cast<std::ptrdiff_t>(batch_loops));
  const double window_count = static_cast<double>(shape.ElementCount()) / static_cast<double>(ProductOf(outer));
  writer.CallLoop(id, arguments.parameters(), arguments.arguments(),
                  FunctionOfLoops(arguments.parameters(), outer, 15 + 0.3 * window_count, body,
                                  /*last_is_vector=*/false));
  return absl::OkStatus();
}

// Where a scatter reads and writes: loops over the index vectors, then over the window.
struct ScatterLoops {
  std::vector<int64_t> sizes;
  size_t batch_rank = 0;            // loops over index vectors
  std::vector<int64_t> largest;     // start of the window in the smallest array, by dimension
  std::vector<LinearIndex> window;  // in each array, from the window's start
  LinearIndex source;               // in the updates
};

ScatterLoops LoopsOfScatter(const Module& module, InstructionId id, const IndexNumbers& numbers) {
  const size_t count = module.operands(id).size() / 2;
  const Shape& array = module.shape(module.operand(id, 0));
  const Shape& update = module.shape(module.operand(id, count + 1));
  const auto window_dims = module.IntsAttribute(id, AttributeKind::kUpdateWindowDims);
  const auto inserted = module.IntsAttribute(id, AttributeKind::kInsertedWindowDims);
  ScatterLoops loops;
  loops.sizes = BatchSizes(module.shape(module.operand(id, count)), numbers.vector_dim);
  loops.batch_rank = loops.sizes.size();
  std::vector<size_t> window_of;  // dimensions of the arrays
  for (int64_t d = 0, w = 0; d < array.rank(); ++d) {
    int64_t size = 1, smallest = array.dimension(d);
    if (!absl::c_linear_search(inserted, d) && !absl::c_linear_search(numbers.operand_batching, d)) {
      size = update.dimension(window_dims[static_cast<size_t>(w++)]);
      loops.sizes.push_back(size);
      window_of.push_back(static_cast<size_t>(d));
    }
    for (size_t k = 1; k < count; ++k) smallest = std::min(smallest, module.shape(module.operand(id, k)).dimension(d));
    loops.largest.push_back(smallest - size);
  }
  loops.source = {0, std::vector<int64_t>(loops.sizes.size(), 0)};
  loops.window.assign(count, loops.source);
  for (size_t k = 0; k < count; ++k) {
    const std::vector<int64_t> strides = RowMajorStridesOf(module.shape(module.operand(id, k)).dimensions());
    for (size_t w = 0; w < window_of.size(); ++w) {
      loops.window[k].strides[loops.batch_rank + w] = strides[window_of[w]];
    }
  }
  const std::vector<int64_t> update_strides = RowMajorStridesOf(update.dimensions());
  for (size_t d = 0, b = 0, w = loops.batch_rank; d < update_strides.size(); ++d) {
    loops.source.strides[absl::c_linear_search(window_dims, static_cast<int64_t>(d)) ? w++ : b++] = update_strides[d];
  }
  return loops;
}

// The statements of one scatter.
class ScatterWriter {
 public:
  ScatterWriter(ComputationWriter& writer, InstructionId id)
      : writer_(writer),
        module_(writer.module()),
        id_(id),
        count_(module_.operands(id).size() / 2),
        numbers_{module_.IntAttribute(id, AttributeKind::kIndexVectorDim),
                 module_.IntsAttribute(id, AttributeKind::kScatterDimsToOperandDims),
                 module_.IntsAttribute(id, AttributeKind::kInputBatchingDims),
                 module_.IntsAttribute(id, AttributeKind::kScatterIndicesBatchingDims)} {}

  absl::Status Write() {
    absl::StatusOr<ScalarFunction> function =
        writer_.writer().ScalarFunctionOf(module_.ComputationAttribute(id_, AttributeKind::kToApply));
    if (!function.ok()) return function.status();
    for (size_t k = 0; k < count_; ++k) {
      const std::string taken = writer_.Take(module_.operand(id_, k));
      results_.push_back(writer_.Define(id_, static_cast<int64_t>(k)));
      writer_.AddLine(absl::StrCat("Array ", results_.back(), " = Writable(", taken, ");"));
    }
    for (size_t k = 1; k < count_; ++k) {
      if (update(k).dimensions() == update(0).dimensions()) continue;
      return absl::UnimplementedError("updates of different shapes");
    }
    for (size_t k = 0; k < count_; ++k) {
      if (array(k).ElementCount() == 0) return absl::OkStatus();
    }
    if (update(0).ElementCount() == 0) return absl::OkStatus();
    const ScatterLoops loops = LoopsOfScatter(module_, id_, numbers_);
    LoopNest nest(loops.sizes, {loops.batch_rank});
    FindPlaces(loops, nest);
    Combine(*function, loops, nest);
    Finish(loops, nest);
    return absl::OkStatus();
  }

 private:
  const Shape& array(size_t k) const { return module_.shape(module_.operand(id_, k)); }
  InstructionId updated(size_t k) const { return module_.operand(id_, count_ + 1 + k); }
  const Shape& update(size_t k) const { return module_.shape(updated(k)); }
  static std::string NameOfPlace(size_t k) { return k == 0 ? std::string("at") : absl::StrCat("at", k); }

  // Where the window begins in each array, and whether it fits. Arrays of one shape share the place.
  void FindPlaces(const ScatterLoops& loops, LoopNest& nest) {
    const InstructionId scatter_indices = module_.operand(id_, count_);
    const Shape& indices = module_.shape(scatter_indices);
    const std::string index_type = StoredType(indices.element_type());
    const std::string s =
        arguments_.Input(index_type, absl::StrCat(writer_.Read(scatter_indices), ".as<", index_type, ">()"));
    int64_t component_stride;
    const std::string vector =
        nest.Index(VectorIndex(indices, numbers_.vector_dim, loops.sizes.size(), &component_stride));
    place_.assign(count_, 0);
    at_.assign(count_, "0");
    for (size_t k = 0; k < count_; ++k) {
      while (array(place_[k]).dimensions() != array(k).dimensions()) ++place_[k];
    }
    for (int64_t d = 0; d < array(0).rank(); ++d) {
      const std::string start = StartText(numbers_, d, s, vector, component_stride, nest);
      if (start.empty()) continue;
      absl::StrAppend(&fits_, fits_.empty() ? "" : " && ", "IsInside(", start, ", ",
                      loops.largest[static_cast<size_t>(d)], ")");
      for (size_t k = 0; k < count_; ++k) {
        const std::vector<int64_t> strides = RowMajorStridesOf(array(k).dimensions());
        absl::StrAppend(&at_[k], " + static_cast<int64_t>(", start, ") * ", strides[static_cast<size_t>(d)]);
      }
    }
  }

  // One call of the computation, and where its results go.
  void Combine(const ScalarFunction& function, const ScatterLoops& loops, LoopNest& nest) {
    const std::string from = nest.Index(loops.source);
    std::vector<std::string> current, updates, stores;
    for (size_t k = 0; k < count_; ++k) {
      const std::string to = absl::StrCat(NameOfPlace(place_[k]), " + ", nest.Index(loops.window[k]));
      const ElementType type = array(k).element_type();
      const ElementType update_type = update(k).element_type();
      const std::string u = arguments_.Input(
          StoredType(update_type), absl::StrCat(writer_.Read(updated(k)), ".as<", StoredType(update_type), ">()"));
      const std::string r =
          arguments_.Output(StoredType(type), absl::StrCat(results_[k], ".to<", StoredType(type), ">()"));
      current.push_back(Converted(type, function.parameters[k], Loaded(type, absl::StrCat(r, "[", to, "]"))));
      updates.push_back(Converted(update_type, function.parameters[count_ + k],
                                  Loaded(update_type, absl::StrCat(u, "[", from, "]"))));
      const std::string next = count_ == 1 ? "next" : absl::StrCat("next.r", k);
      stores.push_back(absl::StrCat(r, "[", to, "] = ", Stored(type, Converted(function.results[k], type, next)), ";"));
    }
    nest.AddLine(absl::StrCat("const auto next = ", function.name, "(", absl::StrJoin(current, ", "), ", ",
                              absl::StrJoin(updates, ", "), ");"));
    for (const std::string& store : stores) nest.AddLine(store);
  }

  void Finish(const ScatterLoops& loops, LoopNest& nest) {
    nest.Join();
    const std::vector<std::string> variables = LoopVariables(nest.joined_sizes().size());
    const size_t batch_loops = nest.JoinedBefore(loops.batch_rank);
    std::string lines = nest.Body("", variables);
    std::replace(lines.begin(), lines.end(), '\n', ' ');
    std::string body;
    if (!fits_.empty()) absl::StrAppend(&body, "  if (!(", nest.Replace(fits_, variables), ")) continue;\n");
    for (size_t k = 0; k < count_; ++k) {
      if (place_[k] != k) continue;
      absl::StrAppend(&body, "  const int64_t ", NameOfPlace(k), " = ", nest.Replace(at_[k], variables), ";\n");
    }
    absl::StrAppend(&body, InnerLoops(nest, batch_loops, variables.size(), lines, /*vector=*/false));
    // One after the other: positions may meet.
    std::vector<int64_t> outer(nest.joined_sizes().begin(),
                               nest.joined_sizes().begin() + static_cast<std::ptrdiff_t>(batch_loops));
    if (outer.empty()) outer = {1};  // there must be a loop to continue
    writer_.CallLoop(id_, arguments_.parameters(), arguments_.arguments(),
                     FunctionOfLoops(arguments_.parameters(), outer, 0, body,
                                     /*last_is_vector=*/false));
  }

  ComputationWriter& writer_;
  const Module& module_;
  const InstructionId id_;
  const size_t count_;  // of arrays
  const IndexNumbers numbers_;
  LoopArguments arguments_;
  std::vector<std::string> results_;  // names, by array
  std::vector<size_t> place_;         // by array: the first one of its shape
  std::vector<std::string> at_;       // by array: where the window begins
  std::string fits_;                  // the condition that it does in all of them; empty if it always does
};

absl::Status WriteSelectAndScatter(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  const InstructionId operand = module.operand(id, 0), source = module.operand(id, 1), init = module.operand(id, 2);
  const Shape& array = module.shape(operand);
  const Shape& sources = module.shape(source);
  const ElementType type = array.element_type(), result_type = module.shape(id).element_type();
  if (IsPoolingGradient(module, id)) {
    const std::string first = WriteArranged(writer, id, init, {}, {type, type});
    WritePoolingGradient(writer, id, first, writer.DefineAllocated(id));
    return absl::OkStatus();
  }
  const absl::StatusOr<ScalarFunction> select =
      writer.writer().ScalarFunctionOf(module.ComputationAttribute(id, AttributeKind::kSelect));
  if (!select.ok()) return select.status();
  const absl::StatusOr<ScalarFunction> scatter =
      writer.writer().ScalarFunctionOf(module.ComputationAttribute(id, AttributeKind::kScatter));
  if (!scatter.ok()) return scatter.status();
  if (scatter->parameters[0] != scatter->results[0] || scatter->results[0] != result_type) {
    return absl::UnimplementedError("a scatter computation of another type than the result");
  }
  const size_t rank = static_cast<size_t>(array.rank());
  std::vector<WindowDimension> window(rank);
  if (const Window* w = module.WindowAttribute(id)) window = w->dimensions;
  const std::string result = writer.DefineAllocated(id);
  if (array.ElementCount() == 0) return absl::OkStatus();

  // Everything starts with the initial value.
  LoopArguments fill;
  const std::string stored = StoredType(result_type), init_type = StoredType(module.shape(init).element_type());
  const std::string i = fill.Input(init_type, absl::StrCat(writer.Read(init), ".as<", init_type, ">()"));
  const std::string f = fill.Output(stored, absl::StrCat(result, ".to<", stored, ">()"));
  const std::string first =
      Stored(result_type, Converted(module.shape(init).element_type(), result_type,
                                    Loaded(module.shape(init).element_type(), absl::StrCat(i, "[0]"))));
  writer.CallLoop(id, fill.parameters(), fill.arguments(),
                  FunctionOfLoops(fill.parameters(), {array.ElementCount()}, 0.2,
                                  absl::StrCat("  ", f, "[i0] = ", first, ";\n"), /*last_is_vector=*/true));
  if (sources.ElementCount() == 0) return absl::OkStatus();

  LoopArguments arguments;
  const std::string a =
      arguments.Input(StoredType(type), absl::StrCat(writer.Read(operand), ".as<", StoredType(type), ">()"));
  const std::string source_type = StoredType(sources.element_type());
  const std::string s = arguments.Input(source_type, absl::StrCat(writer.Read(source), ".as<", source_type, ">()"));
  const std::string r = arguments.Output(stored, absl::StrCat(result, ".to<", stored, ">()"));
  const std::vector<int64_t> source_strides = RowMajorStridesOf(sources.dimensions());
  std::string from = "0";
  std::vector<int64_t> outer;
  for (size_t d = 0; d < rank; ++d) {
    outer.push_back(sources.dimension(static_cast<int64_t>(d)));
    absl::StrAppend(&from, " + i", d, " * ", source_strides[d]);
  }
  const WindowLoops loops(window, array);
  const auto element = [&](const std::string& index, size_t parameter) {
    return Converted(type, select->parameters[parameter], Loaded(type, absl::StrCat(a, "[", index, "]")));
  };
  std::string text =
      absl::StrCat("  int64_t best = -1;\n", loops.begin(), loops.indent(), "const int64_t at = ", loops.at(), ";\n",
                   loops.indent(), "if (best < 0 || ", select->name, "(", element("best", 0), ", ", element("at", 1),
                   ") == 0) best = at;\n", loops.end());
  // The current value first, then the source (D6).
  const std::string next = absl::StrCat(scatter->name, "(", Loaded(result_type, absl::StrCat(r, "[best]")), ", ",
                                        Converted(sources.element_type(), scatter->parameters[1],
                                                  Loaded(sources.element_type(), absl::StrCat(s, "[", from, "]"))),
                                        ")");
  absl::StrAppend(&text, "  if (best >= 0) ", r, "[best] = ", Stored(result_type, next), ";\n");
  writer.CallLoop(id, arguments.parameters(), arguments.arguments(),
                  FunctionOfLoops(arguments.parameters(), outer, 0, text,
                                  /*last_is_vector=*/false));
  return absl::OkStatus();
}

}  // namespace

absl::Status WriteGatherScatter(ComputationWriter& writer, InstructionId id) {
  switch (writer.module().opcode(id)) {
    case Opcode::kGather:
      return WriteGather(writer, id);
    case Opcode::kScatter:
      return ScatterWriter(writer, id).Write();
    case Opcode::kSelectAndScatter:
      return WriteSelectAndScatter(writer, id);
    default:
      return absl::UnimplementedError("no code is written for this opcode");
  }
}

}  // namespace hloscope::codegen
