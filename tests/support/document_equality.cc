// SPDX-License-Identifier: Apache-2.0
#include "tests/support/document_equality.h"

#include <algorithm>
#include <random>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/analysis/module_compare.h"
#include "core/print/printer.h"

namespace hloscope {
namespace {

std::string Text(SourceRange range) { return absl::StrCat("[", range.begin, ",", range.end, ")"); }

std::string Text(const Diagnostic& d) {
  std::string out = absl::StrCat(d.code(), " ", Text(d.range), " ", d.Message());
  for (const RelatedLocation& related : d.related) absl::StrAppend(&out, " +", Text(related.range), related.message);
  for (const FixIt& fix : d.fixes) {
    absl::StrAppend(&out, " fix ", fix.title);
    for (const FixIt::Edit& edit : fix.edits) absl::StrAppend(&out, Text(edit.range), edit.replacement);
  }
  return out;
}

class Comparison {
 public:
  Comparison(const Document& a, const Document& b) : a_(a), b_(b), m_(a.module()), n_(b.module()) {}

  std::string Run(int positions, uint64_t seed) {
    if (Sources() && Diagnostics() && Computations() && Instructions() && Users() && positions > 0) {
      Positions(positions, seed) && Prints();
    }
    return difference_;
  }

 private:
  template <typename... Args>
  bool Fail(const Args&... args) {
    difference_ = absl::StrCat(args...);
    return false;
  }

  bool Sources() {
    if (a_.source().text() != b_.source().text()) return Fail("the texts differ");
    if (a_.source().line_count() != b_.source().line_count()) return Fail("the line counts differ");
    for (uint32_t i = 0; i < a_.source().line_count(); ++i) {
      if (a_.source().LineStart(i) != b_.source().LineStart(i)) return Fail("line ", i, " starts elsewhere");
    }
    return true;
  }

  bool Diagnostics() {
    const auto a = a_.diagnostics(), b = b_.diagnostics();
    for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
      const std::string x = i < a.size() ? Text(a[i]) : "nothing", y = i < b.size() ? Text(b[i]) : "nothing";
      if (x != y) return Fail("diagnostic ", i, ": ", x, "\nis not ", y);
    }
    if (a_.error_count() != b_.error_count()) return Fail("the error counts differ");
    return true;
  }

  bool Computations() {
    if (m_.entry() != n_.entry()) return Fail("the entries differ");
    if (m_.computations().size() != n_.computations().size()) return Fail("the computation counts differ");
    for (uint32_t i = 0; i < m_.computations().size(); ++i) {
      const ComputationId id(i);
      const Computation &x = m_.computation(id), &y = n_.computation(id);
      const std::string name(n_.ComputationName(id));
      if (m_.ComputationName(id) != name) return Fail("computation ", i, " has another name");
      if (x.instructions != y.instructions) return Fail("computation ", name, " has other instructions");
      if (x.parameters != y.parameters) return Fail("computation ", name, " has other parameters");
      if (x.root != y.root || x.root_is_marked != y.root_is_marked) return Fail(name, " has another root");
      if (x.is_anonymous != y.is_anonymous || x.has_signature != y.has_signature || x.syntax != y.syntax ||
          x.execution_thread != y.execution_thread) {
        return Fail("computation ", name, " differs");
      }
      if (a_.ComputationRange(id) != b_.ComputationRange(id)) return Fail("computation ", name, " is elsewhere");
      if (a_.ComputationNameRange(id) != b_.ComputationNameRange(id)) return Fail("the name ", name, " is elsewhere");
    }
    return true;
  }

  bool Instructions() {
    if (m_.instruction_count() != n_.instruction_count()) {
      return Fail("there are ", m_.instruction_count(), " instructions, not ", n_.instruction_count());
    }
    for (uint32_t i = 0; i < m_.instruction_count(); ++i) {
      const InstructionId id(i);
      const Instruction &x = m_.instruction(id), &y = n_.instruction(id);
      const std::string name = absl::StrCat("instruction ", i, " ", n_.InstructionName(id));
      if (m_.InstructionName(id) != n_.InstructionName(id)) return Fail(name, " is ", m_.InstructionName(id));
      if (x.opcode != y.opcode) return Fail(name, " has opcode ", OpcodeName(x.opcode));
      if (m_.shape(id) != n_.shape(id)) return Fail(name, " has shape ", m_.shape(id).ToString());
      if (x.shape_declared != y.shape_declared || x.synthesized != y.synthesized || x.is_named != y.is_named ||
          x.has_reading_errors != y.has_reading_errors || x.is_marked_root != y.is_marked_root ||
          x.computation != y.computation || x.syntax != y.syntax || x.parameter_number != y.parameter_number) {
        return Fail(name, " has another state");
      }
      if (m_.operands(id) != n_.operands(id)) return Fail(name, " has other operands");
      if (x.attribute_count != y.attribute_count) return Fail(name, " has other attributes");
      for (size_t k = 0; k < x.attribute_count; ++k) {
        const AttributeKind kind = m_.attributes(id)[k].kind;
        if (kind != n_.attributes(id)[k].kind || m_.attributes(id)[k].syntax != n_.attributes(id)[k].syntax) {
          return Fail(name, " has another attribute ", k);
        }
        const AttributeType type = InfoOf(kind).type;
        if (type == AttributeType::kInstructions
                ? m_.InstructionsAttribute(id, kind) != n_.InstructionsAttribute(id, kind)
                : PrintAttributeValue(m_, id, kind) != PrintAttributeValue(n_, id, kind)) {
          return Fail(name, ": ", AttributeName(kind), " differs");
        }
      }
      if (x.literal.has_value() != y.literal.has_value() ||
          (x.literal.has_value() && !(m_.literal(id) == n_.literal(id)))) {
        return Fail(name, " has another value");
      }
      if (a_.InstructionRange(id) != b_.InstructionRange(id)) {
        return Fail(name, " is at ", Text(a_.InstructionRange(id)), ", not ", Text(b_.InstructionRange(id)));
      }
    }
    return true;
  }

  bool Users() {
    for (uint32_t i = 0; i < m_.instruction_count(); ++i) {
      if (a_.users().users(InstructionId(i)) != b_.users().users(InstructionId(i))) {
        return Fail("instruction ", i, " has other users");
      }
    }
    for (uint32_t i = 0; i < m_.computations().size(); ++i) {
      if (a_.users().callers(ComputationId(i)) != b_.users().callers(ComputationId(i))) {
        return Fail("computation ", i, " has other callers");
      }
    }
    return true;
  }

  bool Positions(int count, uint64_t seed) {
    std::mt19937_64 random(seed);
    for (int i = 0; i < count; ++i) {
      const uint32_t at = static_cast<uint32_t>(random() % (a_.source().size() + 1));
      const SymbolAtPosition x = a_.SymbolAt(at), y = b_.SymbolAt(at);
      if (x.kind != y.kind || x.range != y.range || x.instruction != y.instruction || x.user != y.user ||
          x.computation != y.computation || x.attribute != y.attribute) {
        return Fail("another symbol at ", at, ": ", Text(x.range), " not ", Text(y.range));
      }
      const InstructionId id = a_.InstructionAt(at);
      if (id != b_.InstructionAt(at)) return Fail("another instruction at ", at);
      if (!id.has_value()) continue;
      if (a_.NameRange(id) != b_.NameRange(id)) return Fail("NameRange of ", id.value);
      if (a_.OpcodeRange(id) != b_.OpcodeRange(id)) return Fail("OpcodeRange of ", id.value);
      if (a_.ShapeRange(id) != b_.ShapeRange(id)) return Fail("ShapeRange of ", id.value);
      for (size_t k = 0; k < m_.operands(id).size(); ++k) {
        if (a_.OperandRange(id, k) != b_.OperandRange(id, k)) return Fail("OperandRange of ", id.value);
      }
      for (const Attribute& attribute : m_.attributes(id)) {
        if (a_.AttributeRange(id, attribute.kind) != b_.AttributeRange(id, attribute.kind)) {
          return Fail("AttributeRange of ", id.value);
        }
      }
      if (a_.ReferencesTo(id) != b_.ReferencesTo(id)) return Fail("ReferencesTo ", id.value);
      const ComputationId computation = m_.instruction(id).computation;
      if (a_.ReferencesTo(computation) != b_.ReferencesTo(computation)) return Fail("ReferencesTo computation");
    }
    return true;
  }

  bool Prints() {
    // It pairs instructions by their names, which must then be unique.
    const std::string difference = b_.has_errors() ? "" : FirstDifference(m_, n_);
    if (!difference.empty()) return Fail(difference);
    if (PrintModule(m_, PrintOptions()) != PrintModule(n_, PrintOptions()))
      return Fail("the modules print differently");
    return true;
  }

  const Document& a_;
  const Document& b_;
  const Module& m_;
  const Module& n_;
  std::string difference_;
};

}  // namespace

std::string DocumentDifference(const Document& a, const Document& b, int positions, uint64_t seed) {
  return Comparison(a, b).Run(positions, seed);
}

}  // namespace hloscope
