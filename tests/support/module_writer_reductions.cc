// SPDX-License-Identifier: Apache-2.0
// Reductions, sorts, contractions and linear algebra of random modules.
#include "tests/support/module_writer.h"

namespace hloscope::module_writer {

// --- Reductions, sorting ---

void ModuleWriter::Reduce(const std::string& opcode) {
  const Array x = TakeAny(kAll);
  const Sizes dims = Subset(x.sizes.size());
  Sizes sizes;
  for (size_t d = 0; d < x.sizes.size(); ++d) {
    if (!std::binary_search(dims.begin(), dims.end(), static_cast<int64_t>(d))) sizes.push_back(x.sizes[d]);
  }
  if (Chance(0.75)) {
    Emit(opcode, x.type, sizes, {x.name, Take(x.type, {}).name},
         absl::StrCat("dimensions=", Braces(dims), ", to_apply=", Reducer(x.type, Chance(0.7))));
    return;
  }
  // The largest element and its place.
  if (IsIn(x.type, kComplex)) return;
  const Array places = Take("s32", x.sizes);
  const std::string scalar = ShapeOf(x.type, {});
  const std::string reducer = Computation("argmax", [&] {
    const std::string a = Line(scalar, "parameter", {"0"}), i = Line("s32[]", "parameter", {"1"});
    const std::string b = Line(scalar, "parameter", {"2"}), j = Line("s32[]", "parameter", {"3"});
    const std::string greater = Line("pred[]", "compare", {a, b}, "direction=GE");
    const std::string value = Line(scalar, "select", {greater, a, b});
    const std::string place = Line("s32[]", "select", {greater, i, j});
    return absl::StrCat("t = (", scalar, ", s32[]) tuple(", value, ", ", place, ")");
  });
  const std::string shape = absl::StrCat("(", ShapeOf(x.type, sizes), ", ", ShapeOf("s32", sizes), ")");
  const std::string both = Line(shape, opcode, {x.name, places.name, Take(x.type, {}).name, Take("s32", {}).name},
                                absl::StrCat("dimensions=", Braces(dims), ", to_apply=", reducer));
  Emit("get-tuple-element", x.type, sizes, {both}, "index=0");
  Emit("get-tuple-element", "s32", sizes, {both}, "index=1");
}

void ModuleWriter::ReduceWindow(const std::string& opcode) {
  const Array x = TakeAny(kAll, 1, 3);
  Sizes window, sizes, strides, dilations, bases;
  Names pads;
  for (int64_t size : x.sizes) {
    window.push_back(Between(1, 3));
    strides.push_back(Between(1, 2));
    dilations.push_back(Chance(0.2) ? 2 : 1);
    bases.push_back(Chance(0.15) ? 2 : 1);
    const int64_t low = Between(0, 2), high = Between(0, 2);
    pads.push_back(absl::StrCat(low, "_", high));
    const int64_t base = size == 0 ? 0 : (size - 1) * bases.back() + 1;
    const int64_t reach = (window.back() - 1) * dilations.back() + 1;
    const int64_t padded = base + low + high;
    sizes.push_back(padded < reach ? 0 : (padded - reach) / strides.back() + 1);
  }
  Emit(opcode, x.type, sizes, {x.name, Take(x.type, {}).name},
       absl::StrCat("window={size=", absl::StrJoin(window, "x"), " stride=", absl::StrJoin(strides, "x"),
                    " pad=", absl::StrJoin(pads, "x"), " lhs_dilate=", absl::StrJoin(bases, "x"),
                    " rhs_dilate=", absl::StrJoin(dilations, "x"), "}, to_apply=", Reducer(x.type, Chance(0.7))));
}

void ModuleWriter::SelectAndScatter(const std::string& opcode) {
  const Array x = TakeAny(Joined({kReal}), 1, 3);
  Sizes window, sizes, strides;
  for (int64_t size : x.sizes) {
    window.push_back(Between(1, std::max<int64_t>(1, std::min<int64_t>(3, size))));
    strides.push_back(Between(1, 2));
    sizes.push_back(size < window.back() ? 0 : (size - window.back()) / strides.back() + 1);
  }
  const std::string scalar = ShapeOf(x.type, {});
  const std::string select = Computation("select", [&] {
    const std::string a = Line(scalar, "parameter", {"0"}), b = Line(scalar, "parameter", {"1"});
    return absl::StrCat("r = pred[] compare(", a, ", ", b, "), direction=GE");
  });
  Emit(opcode, x.type, x.sizes, {x.name, Take(x.type, sizes).name, Take(x.type, {}).name},
       absl::StrCat("window={size=", absl::StrJoin(window, "x"), " stride=", absl::StrJoin(strides, "x"),
                    "}, select=", select, ", scatter=", Reducer(x.type, true)));
}

void ModuleWriter::Map(const std::string& opcode) {
  const Array x = TakeAny(kAll);
  Sizes all(x.sizes.size());
  for (size_t d = 0; d < all.size(); ++d) all[d] = static_cast<int64_t>(d);
  Emit(opcode, x.type, x.sizes, {x.name, Take(x.type, x.sizes).name},
       absl::StrCat("dimensions=", Braces(all), ", to_apply=", Reducer(x.type, false)));
}

void ModuleWriter::Scan(const std::string& opcode) {
  const Array x = TakeAny({"f32", "s32", "f64", "bf16"}, 1, 3);
  const size_t dimension = Pick(x.sizes.size());
  Sizes carry = x.sizes;
  carry.erase(carry.begin() + static_cast<std::ptrdiff_t>(dimension));
  const std::string row = ShapeOf(x.type, carry);
  const std::string body = Computation("scan", [&] {
    const std::string a = Line(row, "parameter", {"0"}), b = Line(row, "parameter", {"1"});
    const std::string sum = Line(row, "add", {a, b});
    return absl::StrCat("t = (", row, ", ", row, ") tuple(", sum, ", ", sum, ")");
  });
  const std::string shape = absl::StrCat("(", ShapeOf(x.type, x.sizes), ", ", row, ")");
  const std::string both =
      Line(shape, opcode, {x.name, Take(x.type, carry).name},
           absl::StrCat("dimensions={", dimension, "}, num_carries=1, is_reverse=", Chance(0.5) ? "true" : "false",
                        ", to_apply=", body));
  Emit("get-tuple-element", x.type, x.sizes, {both}, "index=0");
}

void ModuleWriter::Sort(const std::string& opcode) {
  const Array keys = TakeAny(Joined({kPredicate, kReal}), 1, 3);
  const size_t dimension = Pick(keys.sizes.size());
  const bool with_values = Chance(0.5);
  const std::string scalar = ShapeOf(keys.type, {});
  const std::string order = Computation("order", [&] {
    const std::string a = Line(scalar, "parameter", {"0"}), b = Line(scalar, "parameter", {"1"});
    if (with_values) {
      Line("s32[]", "parameter", {"2"});
      Line("s32[]", "parameter", {"3"});
    }
    return absl::StrCat("r = pred[] compare(", a, ", ", b, "), direction=", OneOf({"LT", "GT"}),
                        IsIn(keys.type, kFloats) ? ", type=TOTALORDER" : "");
  });
  const std::string attributes = absl::StrCat("dimensions={", dimension, "}, is_stable=true, to_apply=", order);
  if (!with_values) {
    Emit(opcode, keys.type, keys.sizes, {keys.name}, attributes);
    return;
  }
  const std::string shape = absl::StrCat("(", ShapeOf(keys.type, keys.sizes), ", ", ShapeOf("s32", keys.sizes), ")");
  const std::string both = Line(shape, opcode, {keys.name, Take("s32", keys.sizes).name}, attributes);
  Emit("get-tuple-element", "s32", keys.sizes, {both}, "index=1");
}

void ModuleWriter::Topk(const std::string& opcode) {
  const Array x = TakeAny({"f32", "bf16", "s32", "u8", "f64"}, 1, 2);
  Sizes sizes = x.sizes;
  sizes.back() = Between(0, sizes.back());
  const std::string shape = absl::StrCat("(", ShapeOf(x.type, sizes), ", ", ShapeOf("s32", sizes), ")");
  const std::string both =
      Line(shape, opcode, {x.name}, absl::StrCat("k=", sizes.back(), ", largest=", Chance(0.5) ? "true" : "false"));
  Emit("get-tuple-element", x.type, sizes, {both}, "index=0");
  Emit("get-tuple-element", "s32", sizes, {both}, "index=1");
}

// --- Contractions, linear algebra ---

void ModuleWriter::Dot(const std::string& opcode) {
  const std::string type = Type(Joined({kIntegers, kWideFloats, kComplex, {"f8e5m2", "f8e4m3fn"}}));
  const bool batched = Chance(0.4);
  const int64_t batch = Between(1, 3), rows = Between(0, 6), columns = Between(1, 9), inner = Between(1, 9);
  Sizes lhs = {rows, inner}, rhs = {inner, columns}, sizes = {rows, columns};
  int64_t lhs_inner = 1, rhs_inner = 0;
  if (Chance(0.4)) {
    std::swap(lhs[0], lhs[1]);
    lhs_inner = 0;
  }
  if (Chance(0.4)) {
    std::swap(rhs[0], rhs[1]);
    rhs_inner = 1;
  }
  std::string attributes;
  if (batched) {
    for (Sizes* s : {&lhs, &rhs, &sizes}) s->insert(s->begin(), batch);
    attributes = "lhs_batch_dims={0}, rhs_batch_dims={0}, ";
    ++lhs_inner;
    ++rhs_inner;
  }
  Emit(opcode, type, sizes, {Take(type, lhs).name, Take(type, rhs).name},
       absl::StrCat(attributes, "lhs_contracting_dims={", lhs_inner, "}, rhs_contracting_dims={", rhs_inner, "}"));
}

// Some of the rows may belong to no group.
void ModuleWriter::RaggedDot(const std::string& opcode) {
  const std::string type = Type(Joined({kWideFloats, {"s8", "s32", "u8"}}));
  const int64_t rows = Between(1, 9), inner = Between(1, 6), columns = Between(1, 6), groups = Between(1, 3);
  Names counts;
  for (int64_t g = 0, left = rows; g < groups; ++g) {
    const int64_t count = Between(0, left);
    counts.push_back(absl::StrCat(count));
    left -= count;
  }
  const std::string sizes = Line(absl::StrCat(OneOf({"s32", "s64", "u32"}), "[", groups, "]"), "constant",
                                 {absl::StrCat("{", absl::StrJoin(counts, ", "), "}")});
  Emit(opcode, type, {rows, columns},
       {Take(type, {rows, inner}).name, Take(type, {groups, inner, columns}).name, sizes},
       "lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}");
}

void ModuleWriter::ScaledDot(const std::string& opcode) {
  const std::string type = OneOf({"bf16", "f8e4m3fn", "f8e5m2"});
  const int64_t rows = Between(1, 4), columns = Between(1, 4), block = Between(1, 4), blocks = Between(1, 3);
  Emit(opcode, OneOf({"f32", "bf16"}), {rows, columns},
       {Take(type, {rows, block * blocks}).name, Take(type, {block * blocks, columns}).name,
        Take("f8e8m0fnu", {rows, blocks}).name, Take("f8e8m0fnu", {blocks, columns}).name},
       "lhs_contracting_dims={1}, rhs_contracting_dims={0}");
}

void ModuleWriter::Convolution(const std::string& opcode) {
  const std::string type = Type(Joined({kWideFloats, {"s8", "s32", "u8", "c64"}}));
  const int64_t groups = Chance(0.3) ? 2 : 1, features = groups * Between(1, 3), outputs = groups * Between(1, 3);
  const int64_t batch = Between(1, 2);
  Sizes lhs = {batch}, kernel, sizes = {batch}, window, strides, dilations, bases;
  Names pads;
  for (int k = 0; k < 2; ++k) {
    lhs.push_back(Between(1, 7));
    window.push_back(Between(1, 3));
    strides.push_back(Between(1, 3));
    dilations.push_back(Chance(0.2) ? 2 : 1);
    bases.push_back(Chance(0.2) ? 2 : 1);
    const int64_t low = Between(0, 2), high = Between(0, 2);
    pads.push_back(absl::StrCat(low, "_", high));
    const int64_t base = (lhs.back() - 1) * bases.back() + 1 + low + high;
    const int64_t reach = (window.back() - 1) * dilations.back() + 1;
    sizes.push_back(base < reach ? 0 : (base - reach) / strides.back() + 1);
    kernel.push_back(window.back());
  }
  lhs.push_back(features);
  sizes.push_back(outputs);
  kernel.push_back(features / groups);
  kernel.push_back(outputs);
  Emit(
      opcode, type, sizes, {Take(type, lhs).name, Take(type, kernel).name},
      absl::StrCat("window={size=", absl::StrJoin(window, "x"), " stride=", absl::StrJoin(strides, "x"),
                   " pad=", absl::StrJoin(pads, "x"), " lhs_dilate=", absl::StrJoin(bases, "x"),
                   " rhs_dilate=", absl::StrJoin(dilations, "x"), Chance(0.1) ? " rhs_reversal=1x1" : "",
                   "}, dim_labels=b01f_01io->b01f", groups == 1 ? "" : absl::StrCat(", feature_group_count=", groups)));
}

void ModuleWriter::Fft(const std::string& opcode) {
  const int64_t length = Between(1, 12), batch = Between(1, 3);
  switch (Pick(3)) {
    case 0: {
      const std::string type = OneOf(kComplex);
      Emit(opcode, type, {batch, length}, {Take(type, {batch, length}).name},
           absl::StrCat("fft_type=", OneOf({"FFT", "IFFT"}), ", fft_length={", length, "}"));
      break;
    }
    case 1:
      Emit(opcode, "c64", {batch, length / 2 + 1}, {Take("f32", {batch, length}).name},
           absl::StrCat("fft_type=RFFT, fft_length={", length, "}"));
      break;
    default:
      Emit(opcode, "f64", {batch, length}, {Take("c128", {batch, length / 2 + 1}).name},
           absl::StrCat("fft_type=IRFFT, fft_length={", length, "}"));
      break;
  }
}

void ModuleWriter::Cholesky(const std::string& opcode) {
  const std::string type = OneOf({"f32", "f64", "c64"});
  const int64_t order = Between(1, 4);
  Emit(opcode, type, {2, order, order}, {Take(type, {2, order, order}).name},
       absl::StrCat("lower=", Chance(0.5) ? "true" : "false"));
}

void ModuleWriter::TriangularSolve(const std::string& opcode) {
  const std::string type = OneOf({"f32", "f64", "c64"});
  const int64_t order = Between(1, 4), columns = Between(1, 3);
  const bool left = Chance(0.5);
  const Sizes sizes = left ? Sizes{order, columns} : Sizes{columns, order};
  Emit(opcode, type, sizes, {Take(type, {order, order}).name, Take(type, sizes).name},
       absl::StrCat("left_side=", left ? "true" : "false", ", lower=", Chance(0.5) ? "true" : "false",
                    ", unit_diagonal=", Chance(0.3) ? "true" : "false",
                    ", transpose_a=", OneOf({"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"})));
}

void ModuleWriter::BatchNorm(const std::string& opcode) {
  const Array x = TakeAny(kWideFloats, 2, 4);
  const size_t feature = Pick(x.sizes.size());
  const Sizes features = {x.sizes[feature]};
  const auto vector = [&] { return Take(x.type, features).name; };
  const std::string attributes = absl::StrCat("epsilon=0.001, feature_index=", feature);
  const std::string whole = ShapeOf(x.type, x.sizes), one = ShapeOf(x.type, features);
  if (opcode == "batch-norm-inference") {
    Emit(opcode, x.type, x.sizes, {x.name, vector(), vector(), vector(), vector()}, attributes);
    return;
  }
  Names operands = {x.name, vector(), vector()};
  if (opcode == "batch-norm-grad") {
    operands.push_back(vector());
    operands.push_back(Take(x.type, x.sizes).name);
  }
  const std::string all = Line(absl::StrCat("(", whole, ", ", one, ", ", one, ")"), opcode, operands, attributes);
  Emit("get-tuple-element", x.type, x.sizes, {all}, "index=0");
  Emit("get-tuple-element", x.type, features, {all}, "index=2");
}

}  // namespace hloscope::module_writer
