// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/module_compare.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "core/ir/attribute_visitor.h"
#include "core/ir/default_layout.h"
#include "core/print/attribute_printer.h"
#include "core/print/header_printer.h"
#include "core/print/print_order.h"
#include "core/print/printer.h"
#include "core/print/sharding_printer.h"

namespace hloscope {
namespace {

bool IsTupleAccess(const Module& module, InstructionId id) {
  return module.opcode(id) == Opcode::kGetTupleElement && module.operands(id).size() == 1 &&
         module.operand(id, 0).has_value();
}

std::string MetadataText(const Module& module, const Metadata& metadata) {
  std::string text;
  if (IsPrintable(metadata)) AppendMetadataFields(module, metadata, &text);
  return text;
}

// Names that several computations use are made unique in print.
bool HasRepeatedNames(const Module& module) {
  absl::flat_hash_set<absl::string_view> names;
  for (size_t i = 0; i < module.instruction_count(); ++i) {
    if (!names.insert(module.InstructionName(InstructionId(i))).second) return true;
  }
  return false;
}

class Comparer {
 public:
  Comparer(const Module& a, const Module& b, const ModuleComparison& comparison)
      : a_(a),
        b_(b),
        comparison_(comparison),
        order_a_(a, comparison.printed_order.value_or(PrintOrder::kXla)),
        order_b_(b, comparison.printed_order ? PrintOrder::kText : PrintOrder::kXla),
        match_(a.instruction_count()),
        computation_match_(a.computations().size()) {}

  std::string Run() {
    if (!CompareHeaders()) return difference_;
    if (a_.entry().has_value() != b_.entry().has_value()) return "only one module has an entry computation";
    if (a_.entry().has_value() && !CompareFrom(a_.entry(), b_.entry())) return difference_;
    if (comparison_.ignore_uncalled) return "";
    // What the entry computation does not reach.
    std::vector<bool> matched_b(b_.computations().size(), false);
    for (ComputationId id : computation_match_) {
      if (id.has_value()) matched_b[id.index()] = true;
    }
    std::vector<ComputationId> rest_a, rest_b;
    for (ComputationId id : ComputationPrintOrder(a_)) {
      if (!computation_match_[id.index()].has_value()) rest_a.push_back(id);
    }
    for (ComputationId id : ComputationPrintOrder(b_)) {
      if (!matched_b[id.index()]) rest_b.push_back(id);
    }
    // Callers are last: starting there matches what they call.
    while (!rest_a.empty() && !rest_b.empty()) {
      const ComputationId a = rest_a.back(), b = rest_b.back();
      rest_a.pop_back();
      rest_b.pop_back();
      if (computation_match_[a.index()].has_value()) {
        if (computation_match_[a.index()] != b) return Different("", "computations", "called differently", "");
        continue;
      }
      if (!CompareFrom(a, b)) return difference_;
    }
    if (!rest_a.empty() || !rest_b.empty()) {
      return absl::StrCat("the modules have ", a_.computations().size(), " and ", b_.computations().size(),
                          " computations");
    }
    return "";
  }

 private:
  bool IsLeftOut(const Module& module, InstructionId id) const {
    return comparison_.ignore_tuple_access && IsTupleAccess(module, id) &&
           module.computation(module.instruction(id).computation).root != id;
  }

  std::string Different(absl::string_view where, absl::string_view what, absl::string_view a, absl::string_view b) {
    difference_ = absl::StrCat(where, where.empty() ? "" : ": ", what, " is `", a.substr(0, 400),
                               "`, in the other module `", b.substr(0, 400), "`");
    return difference_;
  }
  bool Fail(absl::string_view where, absl::string_view what, absl::string_view a, absl::string_view b) {
    Different(where, what, a, b);
    return false;
  }

  bool CompareHeaders() {
    const ModuleHeader& a = a_.header();
    const ModuleHeader& b = b_.header();
    // The first lines hold every field, with defaults left out and lists in order.
    std::string text_a, text_b;
    PrintOptions options;
    options.metadata = !comparison_.ignore_metadata;
    AppendHeader(a_, options, &text_a);
    AppendHeader(b_, options, &text_b);
    if (comparison_.ignore_names) {
      text_a.erase(0, std::string("HloModule ").size() + a.name.size());
      text_b.erase(0, std::string("HloModule ").size() + b.name.size());
    }
    if (text_a == text_b) return true;
    const auto mismatch = std::mismatch(text_a.begin(), text_a.end(), text_b.begin(), text_b.end());
    return Fail("header", "text",
                absl::string_view(text_a).substr(static_cast<size_t>(mismatch.first - text_a.begin())),
                absl::string_view(text_b).substr(static_cast<size_t>(mismatch.second - text_b.begin())));
  }

  // Compares two computations and everything they call. Without recursion: texts can call as deep as they like.
  bool CompareFrom(ComputationId a, ComputationId b) {
    std::vector<std::pair<ComputationId, ComputationId>> pending = {{a, b}};
    computation_match_[a.index()] = b;
    while (!pending.empty()) {
      const auto [x, y] = pending.back();
      pending.pop_back();
      if (!CompareComputations(x, y, pending)) return false;
    }
    return true;
  }

  std::vector<InstructionId> Listed(const Module& module, const InstructionOrder& order, ComputationId id) const {
    std::vector<InstructionId> list = order.Of(id);
    list.erase(std::remove_if(list.begin(), list.end(), [&](InstructionId i) { return IsLeftOut(module, i); }),
               list.end());
    return list;
  }

  bool CompareComputations(ComputationId id_a, ComputationId id_b,
                           std::vector<std::pair<ComputationId, ComputationId>>& pending) {
    const Computation& a = a_.computation(id_a);
    const Computation& b = b_.computation(id_b);
    const std::string where = absl::StrCat("computation `", a_.ComputationName(id_a), "`");
    if (!comparison_.ignore_names && !a.is_anonymous && a_.ComputationName(id_a) != b_.ComputationName(id_b)) {
      return Fail(where, "name", a_.ComputationName(id_a), b_.ComputationName(id_b));
    }
    if (a.execution_thread != b.execution_thread) {
      return Fail(where, "execution_thread", a.execution_thread, b.execution_thread);
    }
    const std::vector<InstructionId> list_a = Listed(a_, order_a_, id_a);
    std::vector<InstructionId> list_b = Listed(b_, order_b_, id_b);
    if (list_a.size() != list_b.size()) {
      return Fail(where, "number of instructions", absl::StrCat(list_a.size()), absl::StrCat(list_b.size()));
    }
    if (!comparison_.ignore_names && !a_.header().is_scheduled) {
      absl::flat_hash_map<absl::string_view, InstructionId> by_name;
      for (InstructionId id : list_b) by_name[b_.InstructionName(id)] = id;
      for (size_t i = 0; i < list_a.size(); ++i) {
        const auto it = by_name.find(a_.InstructionName(list_a[i]));
        if (it == by_name.end()) return Fail(where, "an instruction", a_.InstructionName(list_a[i]), "");
        list_b[i] = it->second;
      }
    }
    for (size_t i = 0; i < list_a.size(); ++i) match_[list_a[i].index()] = list_b[i];
    for (size_t i = 0; i < list_a.size(); ++i) {
      if (!CompareInstructions(list_a[i], list_b[i], where, pending)) return false;
    }
    if (a.root.has_value() != b.root.has_value() || (a.root.has_value() && match_[a.root.index()] != b.root)) {
      return Fail(where, "root", a.root.has_value() ? a_.InstructionName(a.root) : "",
                  b.root.has_value() ? b_.InstructionName(b.root) : "");
    }
    return true;
  }

  // An instruction, or an element of one: what an operand stands for when tuple accesses do not count.
  struct Reference {
    InstructionId base;
    std::vector<int64_t> path;
  };
  Reference Resolve(const Module& module, InstructionId id) const {
    Reference reference{id, {}};
    while (reference.base.has_value() && IsLeftOut(module, reference.base)) {
      reference.path.push_back(module.IntAttribute(reference.base, AttributeKind::kIndex));
      reference.base = module.operand(reference.base, 0);
    }
    return reference;
  }
  bool Same(InstructionId a, InstructionId b) const {
    const Reference x = Resolve(a_, a), y = Resolve(b_, b);
    if (!x.base.has_value() || !y.base.has_value()) return x.base == y.base;
    return match_[x.base.index()] == y.base && x.path == y.path;
  }

  bool CompareInstructions(InstructionId a, InstructionId b, absl::string_view computation,
                           std::vector<std::pair<ComputationId, ComputationId>>& pending) {
    const std::string where = absl::StrCat(computation, ", instruction `", a_.InstructionName(a), "`");
    if (a_.opcode(a) != b_.opcode(b)) return Fail(where, "opcode", OpcodeName(a_.opcode(a)), OpcodeName(b_.opcode(b)));
    const Shape shape_a = WithDefaultLayouts(a_.shape(a)), shape_b = WithDefaultLayouts(b_.shape(b));
    if (shape_a != shape_b) return Fail(where, "shape", shape_a.ToString(), shape_b.ToString());
    const Instruction& x = a_.instruction(a);
    const Instruction& y = b_.instruction(b);
    if (x.opcode == Opcode::kParameter && x.parameter_number != y.parameter_number) {
      return Fail(where, "parameter number", absl::StrCat(x.parameter_number), absl::StrCat(y.parameter_number));
    }
    if (x.literal.has_value() != y.literal.has_value()) return Fail(where, "value", "", "");
    if (x.literal.has_value() && !CompareLiterals(a_.literal(a), b_.literal(b))) {
      return Fail(where, "value", PrintLiteral(a_.literal(a), {.large = false}),
                  PrintLiteral(b_.literal(b), {.large = false}));
    }
    if (x.operand_count != y.operand_count) {
      return Fail(where, "number of operands", absl::StrCat(x.operand_count), absl::StrCat(y.operand_count));
    }
    for (size_t k = 0; k < x.operand_count; ++k) {
      const InstructionId operand_a = a_.operand(a, k), operand_b = b_.operand(b, k);
      if (!Same(operand_a, operand_b)) {
        return Fail(where, absl::StrCat("operand ", k), operand_a.has_value() ? a_.InstructionName(operand_a) : "",
                    operand_b.has_value() ? b_.InstructionName(operand_b) : "");
      }
    }
    for (AttributeKind kind : InfoOf(x.opcode).attributes) {
      if (!CompareAttribute(a, b, kind, where, pending)) return false;
    }
    for (AttributeKind kind : CommonAttributes()) {
      if (!CompareAttribute(a, b, kind, where, pending)) return false;
    }
    return true;
  }

  bool CompareLiterals(const Literal& a, const Literal& b) const {
    return a == b || (comparison_.ignore_elision && (a.IsElided() || b.IsElided()) &&
                      a.shape().WithoutLayout() == b.shape().WithoutLayout());
  }

  bool CompareAttribute(InstructionId a, InstructionId b, AttributeKind kind, absl::string_view where,
                        std::vector<std::pair<ComputationId, ComputationId>>& pending) {
    switch (kind) {
      case AttributeKind::kMetadata:
        if (comparison_.ignore_metadata) return true;
        break;
      case AttributeKind::kBackendConfig:
        if (comparison_.ignore_backend_config) return true;
        break;
      case AttributeKind::kControlPredecessors:
        if (comparison_.ignore_control_predecessors) return true;
        break;
      default:
        break;
    }
    const bool has_a = AttributePrints(a_, a, kind), has_b = AttributePrints(b_, b, kind);
    if (!has_a && !has_b) return true;
    if (has_a == has_b) {
      // Absent lists are empty.
      const AttributeType type = InfoOf(kind).type;
      if (type == AttributeType::kComputation || type == AttributeType::kComputations) {
        const auto list_a = a_.ComputationsAttribute(a, kind), list_b = b_.ComputationsAttribute(b, kind);
        if (list_a.size() == list_b.size()) {
          for (size_t i = 0; i < list_a.size(); ++i) {
            if (!MatchCallees(list_a[i], list_b[i], where, kind, pending)) return false;
          }
          return true;
        }
      } else if (SameValue(a, b, kind)) {
        return true;
      }
    }
    return Fail(where, AttributeName(kind), has_a ? PrintAttributeValue(a_, a, kind) : "",
                has_b ? PrintAttributeValue(b_, b, kind) : "");
  }

  bool MatchCallees(ComputationId a, ComputationId b, absl::string_view where, AttributeKind kind,
                    std::vector<std::pair<ComputationId, ComputationId>>& pending) {
    if (!a.has_value() || !b.has_value()) return a == b || Fail(where, AttributeName(kind), "", "");
    // Written in place, one computation may appear as several copies.
    if (computation_match_[a.index()] == b) return true;
    if (computation_match_[a.index()].has_value() && !comparison_.ignore_names) {
      return Fail(where, AttributeName(kind), a_.ComputationName(a), b_.ComputationName(b));
    }
    computation_match_[a.index()] = b;
    pending.emplace_back(a, b);
    return true;
  }

  // Both attributes print. The stored values of the types that keep more than their text are compared as they are.
  bool SameValue(InstructionId a, InstructionId b, AttributeKind kind) const {
    const auto same_text = [&] {
      PrintOptions options;
      options.keep_written_digits = !comparison_.ignore_digits;
      std::string text_a, text_b;
      AppendAttributeValue(a_, a, kind, options, &text_a);
      AppendAttributeValue(b_, b, kind, options, &text_b);
      return text_a == text_b;
    };
    if (!a_.HasAttribute(a, kind) || !b_.HasAttribute(b, kind)) return same_text();
    const Overloads same = {
        // Shapes print without usual layouts.
        [&](const OneOf<bool, int64_t, double, absl::string_view, absl::Span<const int64_t>, FlagList, Word, WordList,
                        std::vector<std::vector<int64_t>>, Shape, std::vector<Shape>, SparsityConfig,
                        BlockScalingConfig, Statistics, ResultAccuracy> auto&,
            const auto&) { return same_text(); },
        [](const OneOf<Literal, RawValue, FrontendAttributes, ReplicaGroups, Window, ConvolutionDimensionNumbers,
                       PaddingConfig, std::vector<SliceRange>, std::vector<AliasEntry>, Origin> auto& x,
           const auto& y) { return x == y; },
        [](absl::Span<const ComputationId>, absl::Span<const ComputationId>) { return true; },  // see MatchCallees
        [&](absl::Span<const InstructionId> x, absl::Span<const InstructionId> y) {
          return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                            [this](InstructionId p, InstructionId q) { return Same(p, q); });
        },
        [&](const Metadata& x, const Metadata& y) { return MetadataText(a_, x) == MetadataText(b_, y); },
        [&](const Sharding& x, const Sharding& y) { return SameSharding(x, y); },
        [&](const DomainValue& x, const DomainValue& y) {
          return x.kind == y.kind && SameSharding(x.entry, y.entry) && SameSharding(x.exit, y.exit);
        },
    };
    return VisitAttribute(kind, same, AttributeOwner{a_, a}, AttributeOwner{b_, b});
  }

  // Metadata ids are of different modules: they are compared by what they refer to.
  bool SameSharding(const Sharding& a, const Sharding& b) const {
    if (!comparison_.ignore_metadata) {
      if (a.metadata.size() != b.metadata.size()) return false;
      for (size_t i = 0; i < a.metadata.size(); ++i) {
        if (MetadataText(a_, a_.metadata(a.metadata[i])) != MetadataText(b_, b_.metadata(b.metadata[i]))) return false;
      }
    }
    if (a.leaves.size() != b.leaves.size()) return false;
    for (size_t i = 0; i < a.leaves.size(); ++i) {
      if (!SameSharding(a.leaves[i], b.leaves[i])) return false;
    }
    // The rest as it prints: named shardings that print in device notation are those. The reduction of device notation
    // is in its metadata.
    const auto text = [this](const Module& module, Sharding s) {
      s.leaves.clear();
      std::string out;
      if (!comparison_.ignore_metadata) out = s.reduction.empty() ? "sum" : s.reduction;
      AppendSharding(module, s, /*with_metadata=*/false, &out);
      return out;
    };
    return text(a_, a) == text(b_, b);
  }

  const Module& a_;
  const Module& b_;
  const ModuleComparison& comparison_;
  const InstructionOrder order_a_, order_b_;
  std::vector<InstructionId> match_;              // in b, by instruction of a
  std::vector<ComputationId> computation_match_;  // in b, by computation of a; the last if there are copies
  std::string difference_;
};

}  // namespace

ModuleComparison HiddenInPrint(const Module& module, const PrintOptions& options) {
  ModuleComparison hidden;
  hidden.ignore_names = options.canonical_names || options.inline_computations ||
                        (options.async_sugar && !options.keep_written_async_sugar) ||
                        (!options.keep_written_names && HasRepeatedNames(module));
  hidden.ignore_digits = !options.keep_written_digits;
  hidden.ignore_uncalled = options.inline_computations;
  hidden.ignore_metadata = !options.metadata || options.only_op_name;
  hidden.ignore_backend_config = !options.backend_config || options.sorted_backend_config;
  hidden.ignore_control_predecessors = !options.control_predecessors;
  hidden.ignore_elision = !options.large_constants || options.essential_constants;
  hidden.ignore_tuple_access = options.compact_tuple_access && !options.keep_written_tuple_access;
  hidden.printed_order = options.order;
  return hidden;
}

std::string FirstDifference(const Module& a, const Module& b, const ModuleComparison& comparison) {
  return Comparer(a, b, comparison).Run();
}

}  // namespace hloscope
