// SPDX-License-Identifier: Apache-2.0
// Tuples, control flow, random numbers, dynamic sizes and devices in random modules.
#include "absl/strings/str_replace.h"
#include "tests/support/module_writer.h"

namespace hloscope::module_writer {

// --- Tuples, tokens, control flow ---

void ModuleWriter::TupleOf(const std::string& opcode) {
  const Array a = TakeAny(kAll), b = TakeAny(kAll);
  const std::string inner = absl::StrCat("(", ShapeOf(b.type, b.sizes), ")");
  const std::string first = Line(inner, "tuple", {b.name});
  std::string tuple = Line(absl::StrCat("(", ShapeOf(a.type, a.sizes), ", ", inner, ")"), "tuple", {a.name, first});
  if (opcode == "domain") {
    Emit(opcode, a.type, a.sizes, {a.name}, R"(domain={kind="sharding", entry={replicated}, exit={replicated}})");
    return;
  }
  Emit("get-tuple-element", a.type, a.sizes, {tuple}, "index=0");
  const std::string again = Line(inner, "get-tuple-element", {tuple}, "index=1");
  Emit("get-tuple-element", b.type, b.sizes, {again}, "index=0");
}

void ModuleWriter::Token(const std::string&) {
  const Array x = TakeAny(kAll);
  const std::string token = Line("token[]", "after-all", {});
  const std::string both = Line("token[]", "after-all", {token, token});
  Emit("add-dependency", x.type, x.sizes, {x.name, both});
}

void ModuleWriter::CallOf(const std::string& opcode) {
  const Array a = TakeAny({"f32", "s32", "bf16", "f64", "u8"});
  const Array b = Take(a.type, a.sizes);
  const std::string shape = ShapeOf(a.type, a.sizes);
  const std::string callee = Computation("callee", [&] {
    const Names p = {Line(shape, "parameter", {"0"}), Line(shape, "parameter", {"1"})};
    return absl::StrCat("r = ", shape, " add(", SmallBody(a.type, a.sizes, p), ", ", p[1], ")");
  });
  Emit(opcode, a.type, a.sizes, {a.name, b.name}, absl::StrCat("to_apply=", callee));
}

void ModuleWriter::While(const std::string& opcode) {
  const Array x = TakeAny({"f32", "s32", "bf16", "f64", "u8"});
  const std::string shape = ShapeOf(x.type, x.sizes), state = absl::StrCat("(s32[], ", shape, ")");
  const int64_t trips = Between(0, 5);
  const std::string body = Computation("body", [&] {
    const std::string p = Line(state, "parameter", {"0"});
    const std::string i = Line("s32[]", "get-tuple-element", {p}, "index=0");
    const std::string v = Line(shape, "get-tuple-element", {p}, "index=1");
    const std::string one = Line("s32[]", "constant", {"1"});
    const std::string next = Line("s32[]", "add", {i, one});
    return absl::StrCat("t = ", state, " tuple(", next, ", ", SmallBody(x.type, x.sizes, {v}), ")");
  });
  const std::string condition = Computation("condition", [&] {
    const std::string p = Line(state, "parameter", {"0"});
    const std::string i = Line("s32[]", "get-tuple-element", {p}, "index=0");
    const std::string limit = Line("s32[]", "constant", {absl::StrCat(trips)});
    return absl::StrCat("r = pred[] compare(", i, ", ", limit, "), direction=LT");
  });
  const std::string zero = Line("s32[]", "constant", {"0"});
  const std::string initial = Line(state, "tuple", {zero, x.name});
  const std::string result = Line(state, opcode, {initial}, absl::StrCat("condition=", condition, ", body=", body));
  Emit("get-tuple-element", x.type, x.sizes, {result}, "index=1");
}

void ModuleWriter::Conditional(const std::string& opcode) {
  const Array x = TakeAny({"f32", "s32", "bf16", "f64", "u8"});
  const std::string shape = ShapeOf(x.type, x.sizes);
  const auto branch = [&] {
    return Computation("branch", [&] {
      const Names p = {Line(shape, "parameter", {"0"})};
      const std::string last = SmallBody(x.type, x.sizes, p);
      return absl::StrCat("r = ", shape, " copy(", last, ")");
    });
  };
  if (Chance(0.5)) {
    const std::string yes = branch(), no = branch();
    Emit(opcode, x.type, x.sizes, {Take("pred", {}).name, x.name, x.name},
         absl::StrCat("true_computation=", yes, ", false_computation=", no));
    return;
  }
  Names branches, operands = {Take("s32", {}).name};
  for (size_t k = 1 + Pick(3); k > 0; --k) {
    branches.push_back(branch());
    operands.push_back(x.name);
  }
  Emit(opcode, x.type, x.sizes, operands, absl::StrCat("branch_computations={", absl::StrJoin(branches, ", "), "}"));
}

void ModuleWriter::Fusion(const std::string& opcode) {
  const Array a = TakeAny({"f32", "s32", "bf16", "f64", "u8"});
  const std::string shape = ShapeOf(a.type, a.sizes);
  const std::string fused = Computation("fused", [&] {
    const Names p = {Line(shape, "parameter", {"0"}), Line(shape, "parameter", {"1"})};
    const std::string sum = Line(shape, "add", p);
    return absl::StrCat("r = ", shape, " maximum(", SmallBody(a.type, a.sizes, {sum}), ", ", sum, ")");
  });
  Emit(opcode, a.type, a.sizes, {a.name, Take(a.type, a.sizes).name},
       absl::StrCat("kind=", OneOf({"kLoop", "kInput", "kOutput", "kCustom"}), ", calls=", fused));
}

// Every form of a chain: what is wrapped as a computation or by the name of its opcode, on a thread or not, updated or
// not, with operands and result that are given at the start or bound later.
void ModuleWriter::Async(const std::string&) {
  const Array x = TakeAny({"f32", "s32", "bf16", "u8"});
  const Array y = Take(x.type, x.sizes);
  const std::string shape = ShapeOf(x.type, x.sizes);
  static const std::string kOther = R"(async_execution_thread="dma")";
  const std::string thread = OneOf({"", kOther, kOther, R"(async_execution_thread="main")"});
  const bool is_binary = Chance(0.5);
  const auto wrapped = [&] {
    return Computation("wrapped", [&] {
      Names p = {Line(shape, "parameter", {"0"})};
      if (is_binary) p.push_back(Line(shape, "parameter", {"1"}));
      // The main thread takes one operation only.
      if (thread == kOther && Chance(0.5)) p[0] = Line(shape, "negate", {p[0]});
      return absl::StrCat("r = ", shape, is_binary ? " maximum(" : " negate(", absl::StrJoin(p, ", "), ")");
    });
  };
  std::string stem, attributes;
  switch (Pick(5)) {
    case 0:
      stem = "async", attributes = absl::StrCat("calls=", wrapped());
      break;
    case 1:
      stem = "call", attributes = absl::StrCat("to_apply=", wrapped());
      break;
    case 2:
      stem = "fusion";
      attributes = absl::StrCat("kind=", OneOf({"kLoop", "kInput", "kOutput", "kCustom"}), ", calls=", wrapped());
      break;
    case 3:
      stem = is_binary ? "minimum" : "negate";
      break;
    default:
      stem = is_binary ? "shift-left" : "not";
      if (!IsIn(x.type, kIntegers)) stem = is_binary ? "power" : "tanh";
  }
  if (!thread.empty()) absl::StrAppend(&attributes, attributes.empty() ? "" : ", ", thread);
  const Names operands = is_binary ? Names{x.name, y.name} : Names{x.name};
  const auto state = [&](size_t bound, bool has_result) {
    return absl::StrCat("((", absl::StrJoin(Names(bound, shape), ", "), "), ", has_result ? shape : "()", ", u32[])");
  };
  // `late` operands are bound one by one, the result with the last of them.
  const size_t late = Chance(0.4) ? 1 + Pick(operands.size()) : 0;
  size_t bound = operands.size() - late;
  std::string chain = Line(state(bound, late == 0), absl::StrCat(stem, "-start"),
                           Names(operands.begin(), operands.begin() + static_cast<ptrdiff_t>(bound)), attributes);
  while (bound < operands.size()) {
    const Names next = {chain, operands[bound]};
    ++bound;
    chain = Line(state(bound, bound == operands.size()), absl::StrCat(stem, "-update"), next);
  }
  if (Chance(0.3)) chain = Line(state(bound, true), absl::StrCat(stem, "-update"), {chain});
  Emit(absl::StrCat(stem, "-done"), x.type, x.sizes, {chain});
}

void ModuleWriter::CopyPair(const std::string&) {
  const Array x = TakeAny(kAll);
  const std::string shape = ShapeOf(x.type, x.sizes);
  const std::string start = Line(absl::StrCat("(", shape, ", ", shape, ", u32[])"), "copy-start", {x.name});
  Emit("copy-done", x.type, x.sizes, {start});
}

// --- Random numbers, dynamic sizes, custom calls, devices, hosts ---

void ModuleWriter::RngBits(const std::string& opcode) {
  const std::string algorithm = OneOf({"rng_default", "rng_philox", "rng_three_fry"});
  const Sizes state = {algorithm == "rng_three_fry" ? 2 : 3}, sizes = RandomSizes(0, 3);
  const std::string type = OneOf({"u8", "u16", "u32", "u64"});
  const std::string both = Line(absl::StrCat("(", ShapeOf("u64", state), ", ", ShapeOf(type, sizes), ")"), opcode,
                                {Take("u64", state).name}, absl::StrCat("algorithm=", algorithm));
  Emit("get-tuple-element", "u64", state, {both}, "index=0");
  Emit("get-tuple-element", type, sizes, {both}, "index=1");
}

void ModuleWriter::Rng(const std::string& opcode) {
  const std::string type = OneOf({"f32", "f64", "bf16"});
  const std::string low = Line(ShapeOf(type, {}), "constant", {"0"}), high = Line(ShapeOf(type, {}), "constant", {"1"});
  Emit(opcode, type, RandomSizes(0, 3), {low, high},
       absl::StrCat("distribution=", OneOf({"rng_uniform", "rng_normal"})));
}

void ModuleWriter::RngState(const std::string& opcode) {
  Emit(opcode, "u64", {2}, {}, absl::StrCat("delta=", Between(1, 9)));
}

void ModuleWriter::DimensionSize(const std::string& opcode) {
  const Array x = TakeAny(kAll, 1, 3);
  const size_t dimension = Pick(x.sizes.size());
  if (opcode == "get-dimension-size") {
    Emit(opcode, "s32", {}, {x.name}, absl::StrCat("dimensions={", dimension, "}"));
    return;
  }
  if (CountOf(x.sizes) == 0) return;
  Names sizes;
  for (size_t d = 0; d < x.sizes.size(); ++d) sizes.push_back(absl::StrCat(d == dimension ? "<=" : "", x.sizes[d]));
  const std::string size = Line("s32[]", "constant", {absl::StrCat(Between(0, x.sizes[dimension]))});
  const std::string name = Line(absl::StrCat(x.type, "[", absl::StrJoin(sizes, ","), "]"), opcode, {x.name, size},
                                absl::StrCat("dimensions={", dimension, "}"));
  Emit("get-dimension-size", "s32", {}, {name}, absl::StrCat("dimensions={", dimension, "}"));
}

void ModuleWriter::DynamicReshape(const std::string& opcode) {
  const Array x = TakeAny(kAll, 1, 3);
  const int64_t count = CountOf(x.sizes);
  const std::string all = Line("s32[]", "constant", {absl::StrCat(count)});
  const std::string name = Line(absl::StrCat(x.type, "[<=", count, "]"), opcode, {x.name, all});
  Emit("get-dimension-size", "s32", {}, {name}, "dimensions={0}");
}

void ModuleWriter::CustomCall(const std::string& opcode) {
  const Array x = TakeAny(kAll);
  Emit(opcode, x.type, x.sizes, {x.name},
       absl::StrCat(R"(custom_call_target="Sharding")",
                    Chance(0.5) ? R"(, api_version=API_VERSION_STATUS_RETURNING)" : ""));
}

void ModuleWriter::Collective(const std::string& opcode) {
  const Array x = TakeAny({"f32", "s32", "bf16", "u8", "f64"}, 1, 3);
  const std::string channel = Chance(0.3) ? absl::StrCat("channel_id=", ++channel_, ", ") : "";
  const std::string groups = absl::StrCat(channel, "replica_groups={}");
  if (opcode == "all-reduce") {
    Emit(opcode, x.type, x.sizes, {x.name}, absl::StrCat(groups, ", to_apply=", Reducer(x.type, true)));
  } else if (opcode == "collective-permute") {
    Emit(opcode, x.type, x.sizes, {x.name}, absl::StrCat(channel, "source_target_pairs={{0,0}}"));
  } else if (opcode == "collective-broadcast") {
    Emit(opcode, x.type, x.sizes, {x.name}, absl::StrCat(channel, "replica_groups={{0}}"));
  } else if (opcode == "all-to-all") {
    const std::string tuple = Line(absl::StrCat("(", ShapeOf(x.type, x.sizes), ")"), opcode, {x.name},
                                   absl::StrCat(channel, "replica_groups={{0}}"));
    Emit("get-tuple-element", x.type, x.sizes, {tuple}, "index=0");
  } else {
    const std::string dimension = absl::StrCat(", dimensions={", Pick(x.sizes.size()), "}");
    const std::string combiner = opcode == "reduce-scatter" ? absl::StrCat(", to_apply=", Reducer(x.type, true)) : "";
    Emit(opcode, x.type, x.sizes, {x.name}, absl::StrCat(channel, "replica_groups={{0}}", dimension, combiner));
  }
}

void ModuleWriter::CollectivePair(const std::string& opcode) {
  const Array x = TakeAny({"f32", "s32", "bf16", "u8", "f64"}, 1, 3);
  const std::string shape = ShapeOf(x.type, x.sizes);
  const std::string channel = Chance(0.3) ? absl::StrCat("channel_id=", ++channel_, ", ") : "";
  std::string state = shape, attributes;
  if (opcode == "all-reduce-start") {
    attributes = absl::StrCat("replica_groups={}, to_apply=", Reducer(x.type, true));
  } else if (opcode == "all-gather-start") {
    state = absl::StrCat("(", shape, ", ", shape, ")");
    attributes = absl::StrCat("replica_groups={{0}}, dimensions={", Pick(x.sizes.size()), "}");
  } else {
    state = absl::StrCat("(", shape, ", ", shape, ", u32[], u32[])");
    attributes = "source_target_pairs={{0,0}}";
  }
  const std::string start = Line(state, opcode, {x.name}, absl::StrCat(channel, attributes));
  Emit(absl::StrReplaceAll(opcode, {{"-start", "-done"}}), x.type, x.sizes, {start});
}

// One device, which sends some rows to itself.
void ModuleWriter::RaggedAllToAll(const std::string& opcode) {
  const Array x = TakeAny({"f32", "s32", "bf16", "u8", "f64"}, 1, 3);
  Sizes sizes = x.sizes;
  sizes[0] = Between(1, 6);
  const int64_t count = Between(0, std::min(x.sizes[0], sizes[0]));
  const auto number = [&](int64_t high) { return Line("s32[1]", "constant", {absl::StrCat("{", high, "}")}); };
  const std::string from = number(Between(0, x.sizes[0] - count)), to = number(Between(0, sizes[0] - count));
  const std::string sent = number(count), output = Take(x.type, sizes).name;
  Emit(opcode, x.type, sizes, {x.name, output, from, sent, to, sent}, "replica_groups={{0}}");
}

void ModuleWriter::DeviceId(const std::string& opcode) { Emit(opcode, "u32", {}, {}); }

void ModuleWriter::HostTransfer(const std::string& opcode) {
  const Array x = TakeAny(kAll);
  const std::string shape = ShapeOf(x.type, x.sizes), token = Line("token[]", "after-all", {});
  if (opcode == "infeed") {
    const std::string both = Line(absl::StrCat("(", shape, ", token[])"), opcode, {token});
    Emit("get-tuple-element", x.type, x.sizes, {both}, "index=0");
  } else if (opcode == "outfeed") {
    Line("token[]", opcode, {x.name, token}, absl::StrCat("outfeed_shape=", shape));
  } else {
    const std::string channel = absl::StrCat("channel_id=", ++channel_, ", is_host_transfer=true");
    const std::string state = absl::StrCat("(", shape, ", u32[], token[])");
    if (opcode == "send") {
      Line("token[]", "send-done", {Line(state, opcode, {x.name, token}, channel)}, channel);
    } else {
      const std::string done =
          Line(absl::StrCat("(", shape, ", token[])"), "recv-done", {Line(state, opcode, {token}, channel)}, channel);
      Emit("get-tuple-element", x.type, x.sizes, {done}, "index=0");
    }
  }
}

}  // namespace hloscope::module_writer
