// SPDX-License-Identifier: Apache-2.0
#include "tests/support/hostile_files.h"

#include <functional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace hloscope {
namespace {

constexpr absl::string_view kApplied = R"(
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }
odd { a = f32[] parameter(0) b = f32[] parameter(1) c = f32[] multiply(a, b) d = f32[] sine(c) ROOT s = f32[] add(d, a) }
)";

std::string ModuleOf(absl::string_view entry, absl::string_view header = "") {
  return absl::StrCat("HloModule m", header, "\n", kApplied, "ENTRY e {\n", entry, "\n}\n");
}

std::string Times(int count, const std::function<std::string(int)>& text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text(i);
  return all;
}

std::string Repeated(int count, absl::string_view text) {
  return Times(count, [&](int) { return std::string(text); });
}

// Computations d0 to d(depth), each of which calls the one before so many times.
std::string Calls(int depth, int calls) {
  std::string text = "HloModule m\nd0 { x0 = f32[] parameter(0) ROOT r = f32[] negate(x0) }\n";
  for (int i = 1; i <= depth; ++i) {
    absl::StrAppend(&text, i == depth ? "ENTRY e" : absl::StrCat("d", i), " {\n  x0 = f32[] parameter(0)\n");
    for (int k = 1; k <= calls; ++k) {
      absl::StrAppend(&text, "  x", k, " = f32[] call(x", k - 1, "), to_apply=d", i - 1, "\n");
    }
    absl::StrAppend(&text, "  ROOT r = f32[] negate(x", calls, ")\n}\n");
  }
  return text;
}

std::string Loop(absl::string_view condition) {
  return absl::StrCat("HloModule m\nc { p = s32[] parameter(0) n = s32[] constant(2000000000) ROOT t = pred[] ",
                      condition, " }\nb { p = s32[] parameter(0) o = s32[] constant(1) ROOT a = s32[] add(p, o) }\n",
                      "ENTRY e { p = s32[] constant(1) ROOT r = s32[] while(p), condition=c, body=b }\n");
}

// One instruction after the other, with attributes.
std::string Chain(int count, absl::string_view shape, const std::function<std::string(int)>& attributes) {
  return ModuleOf(absl::StrCat(
      "x0 = ", shape, " parameter(0)\n",
      Times(count,
            [&](int i) { return absl::StrCat("x", i + 1, " = ", shape, " negate(x", i, ")", attributes(i), "\n"); }),
      "ROOT r = ", shape, " negate(x", count, ")"));
}

std::string Program(absl::string_view arguments, absl::string_view result, absl::string_view body) {
  return absl::StrCat("module @m {\n  func.func public @main(", arguments, ") -> ", result, " {\n", body, "\n  }\n}\n");
}

std::string NestedRegions(int depth) {
  constexpr absl::string_view kType = "tensor<4xf32>";
  return Program(absl::StrCat("%a: ", kType, ", %c: tensor<i1>"), kType,
                 absl::StrCat(Times(depth, [](int i) { return absl::StrCat("%r", i, " = \"stablehlo.if\"(%c) ({\n"); }),
                              "stablehlo.return %a : ", kType, "\n", Times(depth, [&](int i) {
                                return absl::StrCat("}, {\nstablehlo.return %a : ", kType, "\n}) : (tensor<i1>) -> ",
                                                    kType, "\n", i + 1 < depth ? "stablehlo.return" : "return", " %r",
                                                    depth - 1 - i, " : ", kType, "\n");
                              })));
}

std::string ProgramCalls(int depth, int calls) {
  constexpr absl::string_view kType = "tensor<4xf32>";
  const auto function = [&](absl::string_view name, const std::string& callee) {
    return absl::StrCat("func.func ", name, "(%x0: ", kType, ") -> ", kType, " {\n",
                        Times(calls,
                              [&](int k) {
                                return absl::StrCat("%x", k + 1, " = call @", callee, "(%x", k, ") : (", kType, ") -> ",
                                                    kType, "\n");
                              }),
                        "return %x", calls, " : ", kType, "\n}\n");
  };
  return absl::StrCat(
      "module @m {\n", function("public @main", "f0"),
      Times(depth, [&](int i) { return function(absl::StrCat("private @f", i), absl::StrCat("f", i + 1)); }),
      "func.func private @f", depth, "(%x: ", kType, ") -> ", kType, " { return %x : ", kType, " }\n}\n");
}

// The same bytes each time.
std::string Noise(size_t size) {
  std::string bytes;
  uint32_t state = 1;
  for (size_t i = 0; i < size; ++i) {
    state = state * 1664525u + 1013904223u;
    bytes += static_cast<char>(state >> 24);
  }
  return bytes;
}

}  // namespace

std::vector<HostileFile> HostileTexts() {
  const std::string open(20000, '('), close(20000, ')');
  std::vector<HostileFile> files;
  const auto add = [&](const char* name, std::string text, bool is_quick = false) {
    files.push_back({absl::StrCat(name, ".txt"), std::move(text), is_quick});
  };
  add("huge", ModuleOf("p = f32[100000000000] parameter(0)\nROOT r = f32[100000000000] negate(p)"), true);
  add("more_than_counts", ModuleOf("p = f32[4000000000,4000000000,4000000000] parameter(0)\n"
                                   "ROOT r = f32[4000000000,4000000000,4000000000] negate(p)"));
  add("window",
      ModuleOf("p = f32[1000,1000] parameter(0)\nz = f32[] constant(0)\n"
               "ROOT r = f32[1000,1000] reduce-window(p, z), window={size=1999x1999 pad=999_999x999_999}, "
               "to_apply=odd"),
      true);
  add("replicas",
      ModuleOf("p = f32[4] parameter(0)\nROOT r = f32[4] all-reduce(p), to_apply=add", ", replica_count=2000000"),
      true);
  add("partitions", ModuleOf("p = f32[4] parameter(0)\nROOT r = f32[4] all-reduce(p), channel_id=1, to_apply=add, "
                             "replica_groups=[1000000,1000000]<=[1000000000000], use_global_device_ids=true",
                             ", num_partitions=2000000"));
  add("tiles", ModuleOf("p = f32[1000000,1000000] parameter(0), sharding={devices=[1000000,1000000]<=[1000000000000]}\n"
                        "ROOT r = f32[1000000,1000000] negate(p)",
                        ", num_partitions=1000000"));
  add("deep_calls", Calls(3000, 1), true);
  add("doubling_calls", Calls(60, 2));
  add("deep_tuples", ModuleOf(absl::StrCat("ROOT r = ", open, "f32[4]", close, " parameter(0)")), true);
  add("nested_tuples",
      ModuleOf(absl::StrCat("x0 = f32[4] parameter(0)\n",
                            Times(1000, [](int i) { return absl::StrCat("x", i + 1, " = tuple(x", i, ")\n"); }),
                            "ROOT r = tuple(x1000)")));
  add("doubling_tuples",
      ModuleOf(absl::StrCat("x0 = f32[4] parameter(0)\n",
                            Times(40, [](int i) { return absl::StrCat("x", i + 1, " = tuple(x", i, ", x", i, ")\n"); }),
                            "ROOT r = tuple(x40)")));
  add("wide", ModuleOf(absl::StrCat("p = f32[4] parameter(0)\nROOT r = (f32[4]", Repeated(99999, ", f32[4]"),
                                    ") tuple(p", Repeated(99999, ", p"), ")")));
  add("chain", Chain(100000, "f32[4096]", [](int) { return ""; }));
  add("long_names", Chain(1000, "f32[4]", [](int i) {
        return absl::StrCat(", metadata={op_name=\"", Repeated(1000, "a/"), i, "\" source_file=\"f", i,
                            "\" source_line=", i, "}");
      }));
  add("controls", Chain(20000, "f32[4]", [](int i) {
        return i < 100 ? std::string() : absl::StrCat(", control-predecessors={x", i % 100, ", x", i - 50, "}");
      }));
  add("fusions", absl::StrCat("HloModule m\n",
                              Times(1000,
                                    [](int i) {
                                      return absl::StrCat(
                                          "fu", i, " { a = f32[100000] parameter(0) ROOT s = f32[100000] sine(a) }\n");
                                    }),
                              "ENTRY e { x0 = f32[100000] parameter(0)\n",
                              Times(1000,
                                    [](int i) {
                                      return absl::StrCat("x", i + 1, " = f32[100000] fusion(x", i,
                                                          "), kind=kLoop, calls=fu", i, "\n");
                                    }),
                              "ROOT r = f32[100000] negate(x1000) }\n"));
  add("endless_loop", Loop("constant(true)"), true);
  add("long_loop", Loop("compare(p, n), direction=LT"));
  add("branches", absl::StrCat("HloModule m\nb { p = f32[] parameter(0) ROOT r = f32[] negate(p) }\n"
                               "ENTRY e { i = s32[] parameter(0) p = f32[] parameter(1)\nROOT r = f32[] conditional(i",
                               Repeated(20000, ", p"), "), branch_computations={b", Repeated(19999, ", b"), "}\n}\n"));
  add("left_out", ModuleOf("c = f32[100000000000] constant({...})\nROOT r = f32[100000000000] negate(c)"));
  add("zeros", ModuleOf("ROOT r = f32[100000000000] constant(0)"));
  add("folded", ModuleOf("o = f32[] constant(1)\nb = f32[10000000000] broadcast(o), dimensions={}\n"
                         "ROOT r = f32[] reduce(b, o), dimensions={0}, to_apply=odd"));
  add("dynamic", ModuleOf("ROOT r = f32[<=100000000000] parameter(0)"));
  add("wide_layout", ModuleOf("p = f32[1000000,1000000]{0,1:T(1000000,1000000)(1000000,1)} parameter(0)\n"
                              "ROOT r = f32[1000000,1000000]{1,0:T(8,128)(2,1)} copy(p)"));
  add("rank", ModuleOf(absl::StrCat("p = f32[1", Repeated(4999, ",1"), "] parameter(0)\nROOT r = f32[1",
                                    Repeated(4999, ",1"), "] negate(p)")));
  add("deep_configuration", ModuleOf(absl::StrCat("p = f32[4] parameter(0)\nROOT r = f32[4] custom-call(p), ",
                                                  "custom_call_target=\"t\", backend_config=",
                                                  Repeated(100000, "{\"a\":"), "1", std::string(100000, '}'))));
  add("comments",
      absl::StrCat("HloModule m\n", Repeated(200000, "/* "), "\n", ModuleOf("ROOT r = f32[4] parameter(0)")));
  add("mistakes", ModuleOf(Times(20000, [](int i) { return absl::StrCat("x", i, " = f32[4] nothing(y", i, ")\n"); })));
  add("noise", Noise(100000));
  add("empty", "");
  return files;
}

std::vector<HostileFile> HostilePrograms() {
  std::vector<HostileFile> files;
  const auto add = [&](const char* name, std::string text, bool is_quick = false) {
    files.push_back({absl::StrCat(name, ".mlir"), std::move(text), is_quick});
  };
  const std::string huge = "tensor<100000000000xf32>", four = "tensor<4xf32>";
  add("huge", Program("%a: " + huge, huge, absl::StrCat("%0 = stablehlo.negate %a : ", huge, "\nreturn %0 : ", huge)),
      true);
  add("splat", Program("", huge, absl::StrCat("%0 = stablehlo.constant dense<1.0> : ", huge, "\nreturn %0 : ", huge)),
      true);
  add("digits", Program("", huge,
                        absl::StrCat("%0 = stablehlo.constant dense<\"0x", std::string(200, '0'), "\"> : ", huge,
                                     "\nreturn %0 : ", huge)));
  add("chain",
      Program("%0: " + four, four,
              absl::StrCat(
                  Times(50000,
                        [&](int i) { return absl::StrCat("%", i + 1, " = stablehlo.negate %", i, " : ", four, "\n"); }),
                  "return %50000 : ", four)));
  add("regions", NestedRegions(3000), true);
  add("calls", ProgramCalls(3000, 1));
  add("doubling_calls", ProgramCalls(60, 2));
  add("recursion", Program("%a: " + four, four,
                           absl::StrCat("%0 = call @main(%a) : (", four, ") -> ", four, "\nreturn %0 : ", four)));
  add("endless_loop",
      Program("%a: " + four, four,
              absl::StrCat("%0 = stablehlo.while(%x = %a) : ", four,
                           "\n cond {\n %c = stablehlo.constant dense<true> : "
                           "tensor<i1>\n stablehlo.return %c : tensor<i1>\n } do {\n %n = stablehlo.negate %x : ",
                           four, "\n stablehlo.return %n : ", four, "\n }\nreturn %0 : ", four)),
      true);
  add("tuples", Program(absl::StrCat("%a: ", Repeated(20000, "tuple<"), four, std::string(20000, '>')), four,
                        "return %a : " + four));
  add("attributes",
      Program("%a: " + four, four,
              absl::StrCat("%0 = stablehlo.custom_call @t(%a) {mhlo.x = ", std::string(100000, '['),
                           std::string(100000, ']'), "} : (", four, ") -> ", four, "\nreturn %0 : ", four)));
  add("devices",
      "module @m attributes {mhlo.num_replicas = 2000000 : i32, mhlo.num_partitions = 2000000 : i32} {\n"
      "  func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }\n}\n");
  add("mesh",
      "module @m {\n  sdy.mesh @mesh = <[\"x\"=1000000, \"y\"=1000000]>\n"
      "  func.func public @main(%a: tensor<4000000xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\", \"y\"}]>}) -> "
      "tensor<4000000xf32> {\n    return %a : tensor<4000000xf32>\n  }\n}\n");
  const auto list = [](int count, const std::function<std::string(int)>& item) {
    return Times(count, [&](int i) { return absl::StrCat(i > 0 ? ", " : "", item(i)); });
  };
  const std::string wide_types = list(20000, [&](int) { return four; });
  add("wide",
      Program(list(20000, [&](int i) { return absl::StrCat("%a", i, ": ", four); }), absl::StrCat("(", wide_types, ")"),
              absl::StrCat("return ", list(20000, [](int i) { return absl::StrCat("%a", i); }), " : ", wide_types)));
  add("functions", absl::StrCat("module @m {\nfunc.func public @main(%x0: ", four, ") -> ", four, " {\n",
                                Times(20000,
                                      [&](int i) {
                                        return absl::StrCat("%x", i + 1, " = call @f", i, "(%x", i, ") : (", four,
                                                            ") -> ", four, "\n");
                                      }),
                                "return %x20000 : ", four, "\n}\n",
                                Times(20000,
                                      [&](int i) {
                                        return absl::StrCat("func.func private @f", i, "(%x: ", four, ") -> ", four,
                                                            " {\n%0 = stablehlo.sine %x : ", four,
                                                            "\nreturn %0 : ", four, "\n}\n");
                                      }),
                                "}\n"));
  const std::string large = "tensor<100000000xf32>", beyond = "tensor<4000000000x4000000000x4000000000xf32>";
  add("splats", Program("%x0: " + large, large,
                        absl::StrCat(Times(2000,
                                           [&](int i) {
                                             return absl::StrCat("%c", i, " = stablehlo.constant dense<", i,
                                                                 ".0> : ", large, "\n%x", i + 1, " = stablehlo.add %x",
                                                                 i, ", %c", i, " : ", large, "\n");
                                           }),
                                     "return %x2000 : ", large)));
  add("more_than_counts",
      Program("%a: " + beyond, beyond, absl::StrCat("%0 = stablehlo.negate %a : ", beyond, "\nreturn %0 : ", beyond)));
  const std::string square = "tensor<1000x1000xf32>";
  add("window",
      Program("%a: " + square, square,
              absl::StrCat("%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
                           "%0 = \"stablehlo.reduce_window\"(%a, %z) ({\n"
                           "^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
                           "%s = stablehlo.multiply %x, %y : tensor<f32>\n"
                           "%t = stablehlo.sine %s : tensor<f32>\n"
                           "%u = stablehlo.add %t, %x : tensor<f32>\n"
                           "stablehlo.return %u : tensor<f32>\n"
                           "}) {window_dimensions = array<i64: 1999, 1999>, "
                           "padding = dense<999> : tensor<2x2xi64>} : (",
                           square, ", tensor<f32>) -> ", square, "\nreturn %0 : ", square)),
      true);
  const std::string dynamic = "tensor<?xf32, #stablehlo.bounds<100000000000>>";
  add("dynamic", Program("%a: " + dynamic, dynamic, "return %a : " + dynamic));
  const std::string rank = absl::StrCat("tensor<", Repeated(5000, "1x"), "f32>");
  add("rank", Program("%a: " + rank, rank, absl::StrCat("%0 = stablehlo.negate %a : ", rank, "\nreturn %0 : ", rank)));
  add("branches", Program("%i: tensor<i32>, %a: " + four, four,
                          absl::StrCat("%0 = \"stablehlo.case\"(%i) (",
                                       list(20000,
                                            [&](int) {
                                              return absl::StrCat("{\n%n = stablehlo.negate %a : ", four,
                                                                  "\nstablehlo.return %n : ", four, "\n}");
                                            }),
                                       ") : (tensor<i32>) -> ", four, "\nreturn %0 : ", four)));
  add("mistakes",
      Program("%a: " + four, four,
              absl::StrCat(
                  Times(20000,
                        [&](int i) { return absl::StrCat("%", i, " = stablehlo.nothing %b", i, " : ", four, "\n"); }),
                  "return %a : ", four)));
  add("openings", absl::StrCat("module @m {\n", Repeated(50000, "func.func @")));
  return files;
}

}  // namespace hloscope
