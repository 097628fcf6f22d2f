// SPDX-License-Identifier: Apache-2.0
#include "tests/support/collective_module.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"

namespace hloscope {
namespace {

// A way to say which devices belong together, and how many there are in a group.
struct Grouping {
  const char* attributes;  // # is the number of the channel
  int64_t size;
};

constexpr Grouping kReplicas[] = {{"replica_groups={}", 2}, {"replica_groups={{1,0}}", 2}};
constexpr Grouping kBoth[] = {{"channel_id=#, replica_groups={{0},{1}}", 4},
                              {"channel_id=#, replica_groups={{0,1}}", 8}};
constexpr Grouping kPartitions[] = {{"channel_id=#, replica_groups={{3,1,2,0}}", 4},
                                    {"channel_id=#, replica_groups={{0,2},{1,3}}", 2},
                                    {"channel_id=#, replica_groups=[1,4]<=[4]", 4},
                                    {"channel_id=#, replica_groups=[2,2]<=[2,2]T(1,0)", 2}};
constexpr Grouping kGlobal[] = {
    {"channel_id=#, use_global_device_ids=true, replica_groups={{0,7},{6,1},{2,5},{4,3}}", 2},
    {"channel_id=#, use_global_device_ids=true, replica_groups={{7,6,5,4,3,2,1,0}}", 8},
    {"channel_id=#, use_global_device_ids=true, replica_groups=[2,4]<=[8]", 4},
    {"channel_id=#, use_global_device_ids=true, replica_groups=[4,2]<=[2,4]T(1,0)", 2},
    {"channel_id=#, use_global_device_ids=true, replica_groups=mesh['a'=2,'b'=4] {'b'}", 4}};

class Writer {
 public:
  explicit Writer(ElementType type)
      : type_(ElementTypeName(type)), operation_(type == ElementType::kPred ? "or" : "add") {}

  std::string Text() {
    for (const absl::Span<const Grouping> groupings :
         {absl::MakeConstSpan(kReplicas), absl::MakeConstSpan(kBoth), absl::MakeConstSpan(kGlobal)}) {
      for (const Grouping& grouping : groupings) Reductions(grouping);
    }
    for (const absl::Span<const Grouping> groupings :
         {absl::MakeConstSpan(kReplicas), absl::MakeConstSpan(kPartitions)}) {
      for (const Grouping& grouping : groupings) Exchanges(grouping);
    }
    Permutes();
    Asynchronous();
    const std::string list = absl::StrJoin(
        results_, ", ", [](std::string* out, const auto& result) { absl::StrAppend(out, result.second); });
    const std::string names =
        absl::StrJoin(results_, ", ", [](std::string* out, const auto& result) { absl::StrAppend(out, result.first); });
    return absl::StrReplaceAll(
        absl::StrCat("HloModule collectives_T, replica_count=2, num_partitions=4\n"
                     "combine { a = T[] parameter(0) b = T[] parameter(1) ROOT c = T[] ",
                     operation_, "(a, b) }\n", wrapped_,
                     "ENTRY e {\n  x = T[8,2] parameter(0)\n  y = T[8,2] reverse(x), dimensions={0}\n"
                     "  p = u32[] partition-id()\n  mine = s64[] convert(p)\n"
                     "  mines = s64[4] broadcast(mine), dimensions={}\n  offsets = s64[4] constant({0, 1, 2, 3})\n"
                     "  ones = s64[4] constant({1, 1, 1, 1})\n  t = token[] after-all()\n",
                     body_, "  ROOT all = (", list, ") tuple(", names, ")\n}\n"),
        {{"T[", absl::StrCat(type_, "[")}, {"collectives_T", absl::StrCat("collectives_", type_)}});
  }

 private:
  static std::string Rows(int64_t rows) { return absl::StrCat("T[", rows, ",2]"); }
  std::string New() { return absl::StrCat("v", ++count_); }
  std::string Of(const Grouping& grouping) {
    return absl::StrReplaceAll(grouping.attributes, {{"#", absl::StrCat(++channel_)}});
  }
  std::string Add(const std::string& shape, const std::string& right, bool is_result = true) {
    const std::string name = New();
    absl::StrAppend(&body_, "  ", name, " = ", shape, " ", right, "\n");
    if (is_result) results_.emplace_back(name, shape);
    return name;
  }

  void Reductions(const Grouping& grouping) {
    Add(Rows(8), absl::StrCat("all-reduce(x), ", Of(grouping), ", to_apply=combine"));
    const std::string two =
        Add("(T[8,2], T[8,2])", absl::StrCat("all-reduce(x, y), ", Of(grouping), ", to_apply=combine"), false);
    Add(Rows(8), absl::StrCat("get-tuple-element(", two, "), index=1"));
    Add(Rows(8 * grouping.size), absl::StrCat("all-gather(x), ", Of(grouping), ", dimensions={0}"));
    Add(Rows(8 / grouping.size),
        absl::StrCat("reduce-scatter(x), ", Of(grouping), ", dimensions={0}, to_apply=combine"));
  }

  void Exchanges(const Grouping& grouping) {
    Add(Rows(8), absl::StrCat("all-to-all(x), ", Of(grouping), ", dimensions={0}"));
    std::vector<std::string> shapes(static_cast<size_t>(grouping.size), Rows(8)), operands;
    for (int64_t k = 0; k < grouping.size; ++k) operands.push_back(k % 2 == 0 ? "x" : "y");
    const std::string parts =
        Add(absl::StrCat("(", absl::StrJoin(shapes, ", "), ")"),
            absl::StrCat("all-to-all(", absl::StrJoin(operands, ", "), "), ", Of(grouping)), false);
    for (int64_t k = 0; k < grouping.size; ++k) Add(Rows(8), absl::StrCat("get-tuple-element(", parts, "), index=", k));
    const std::string groups = Of(grouping);
    if (groups != "replica_groups={}") Add(Rows(8), absl::StrCat("collective-broadcast(x), ", groups));
    if (grouping.size == 4) {
      Add(Rows(8), absl::StrCat("ragged-all-to-all(x, y, offsets, ones, mines, ones), ", Of(grouping)));
    }
  }

  void Permutes() {
    Add(Rows(8), "collective-permute(x), source_target_pairs={{0,1},{1,0}}");
    Add(Rows(8), "collective-permute(x), source_target_pairs={{1,0}}");
    Add(Rows(8), absl::StrCat("collective-permute(x), channel_id=", ++channel_,
                              ", source_target_pairs={{0,1},{1,2},{2,3},{3,0}}"));
    ++channel_;
    const std::string pairs = absl::StrCat(
        "channel_id=", channel_, ", frontend_attributes={_xla_send_recv_source_target_pairs=\"{{0,1},{1,2},{2,3}}\"}");
    const std::string receive = Add("(T[8,2], u32[], token[])", absl::StrCat("recv(t), ", pairs), false);
    const std::string send = Add("(T[8,2], u32[], token[])", absl::StrCat("send(x, t), ", pairs), false);
    const std::string received =
        Add("(T[8,2], token[])", absl::StrCat("recv-done(", receive, "), channel_id=", channel_), false);
    Add("token[]", absl::StrCat("send-done(", send, "), channel_id=", channel_), false);
    Add(Rows(8), absl::StrCat("get-tuple-element(", received, "), index=0"));
  }

  void Asynchronous() {
    const Grouping& pairs = kGlobal[0];
    const std::string reduce =
        Add(Rows(8), absl::StrCat("all-reduce-start(x), ", Of(pairs), ", to_apply=combine"), false);
    const std::string gather =
        Add("(T[8,2], T[16,2])", absl::StrCat("all-gather-start(x), ", Of(pairs), ", dimensions={0}"), false);
    const std::string permute =
        Add("(T[8,2], T[8,2])",
            absl::StrCat("collective-permute-start(y), channel_id=", ++channel_, ", source_target_pairs={{0,3},{3,0}}"),
            false);
    wrapped_ = absl::StrCat("wrapped { w = T[8,2] parameter(0) ROOT s = T[4,2] reduce-scatter(w), ", Of(pairs),
                            ", dimensions={0}, to_apply=combine }\n"
                            "exchange { w = T[8,2] parameter(0) ROOT s = T[8,2] all-to-all(w), ",
                            Of(kPartitions[0]), ", dimensions={0} }\n");
    const std::string scatter = Add("((T[8,2]), T[4,2])", "async-start(x), calls=wrapped", false);
    const std::string exchange = Add("((T[8,2]), T[8,2])", "async-start(y), calls=exchange", false);
    Add(Rows(8), absl::StrCat("async-done(", exchange, ")"));
    Add(Rows(8), absl::StrCat("collective-permute-done(", permute, ")"));
    Add(Rows(16), absl::StrCat("all-gather-done(", gather, ")"));
    Add(Rows(4), absl::StrCat("async-done(", scatter, ")"));
    Add(Rows(8), absl::StrCat("all-reduce-done(", reduce, ")"));
  }

  const std::string type_, operation_;
  std::string body_, wrapped_;
  std::vector<std::pair<std::string, std::string>> results_;
  int count_ = 0;
  int64_t channel_ = 0;
};

}  // namespace

std::vector<ElementType> ArrayElementTypes() {
  std::vector<ElementType> types;
#define HLO_ELEMENT_TYPE(name, spelling, bits, bytes, kind, number) \
  if (bits > 0) types.push_back(ElementType::k##name);
#include "numerics/elements/element_types.def"
  return types;
}

std::string EveryCollectiveOf(ElementType type) { return Writer(type).Text(); }

}  // namespace hloscope
