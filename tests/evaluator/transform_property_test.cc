// SPDX-License-Identifier: Apache-2.0
// The reshape rewrites on made-up graphs of reshapes, reduces, broadcasts and elementwise instructions: exactly the
// same results before and after.
//
// HLOSCOPE_TRANSFORM_GRAPHS sets how many graphs are tried.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/document/document.h"
#include "evaluator/engine/constant_folding.h"
#include "tests/support/transformed_module.h"

namespace hloscope::evaluator {
namespace {

using Sizes = std::vector<int64_t>;

int64_t Product(const Sizes& sizes) {
  int64_t product = 1;
  for (int64_t size : sizes) product *= size;
  return product;
}

// Writes one module. Numbers are small integers in every type, so that floating-point results do not depend on the
// order of operations and must come out exactly.
class GraphWriter {
 public:
  explicit GraphWriter(uint32_t seed) : random_(seed) {}

  std::string Module() {
    type_ = Pick<std::string>({"f32", "f32", "f32", "s32", "f64", "u8", "s8"});
    is_float_ = type_[0] == 'f';
    const int64_t rank = Below(3) + 2;
    for (int64_t d = 0; d < rank; ++d) outer_.push_back(Pick<int64_t>({1, 2, 2, 3, 4, 4, 6}));
    inner_ = Regroup(outer_);
    zero_ = Add("z", absl::StrCat(type_, "[] constant(0)"), {});
    one_ = Add("o", absl::StrCat(type_, "[] constant(1)"), {});
    const int count = static_cast<int>(Below(3)) + 1;
    for (int i = 0; i < count; ++i) sources_.push_back(Parameter(outer_));
    for (const Value& source : sources_) {
      if (Below(4) != 0) inside_.push_back(Reshape(source, inner_));
    }
    if (inside_.empty()) inside_.push_back(Reshape(sources_[0], inner_));
    const int steps = static_cast<int>(Below(10)) + 2;
    for (int i = 0; i < steps; ++i) Step();
    // What is returned: always something that was reduced or reshaped back.
    for (int i = 0; i < 2; ++i) results_.push_back(Below(2) == 0 ? Reduce() : Reshape(Any(inside_), outer_));
    if (Below(3) == 0) results_.push_back(Any(inside_));
    return Text();
  }

 private:
  struct Value {
    std::string name;
    Sizes sizes;
  };

  int64_t Below(int64_t n) { return std::uniform_int_distribution<int64_t>(0, n - 1)(random_); }
  template <typename T>
  T Pick(const std::vector<T>& list) {
    return list[static_cast<size_t>(Below(static_cast<int64_t>(list.size())))];
  }
  Value Any(const std::vector<Value>& list) { return Pick(list); }

  // Sizes with the same product: dimensions merged, split, and ones put in or left out.
  Sizes Regroup(const Sizes& sizes) {
    Sizes result;
    for (size_t i = 0; i < sizes.size(); ++i) {
      int64_t size = sizes[i];
      if (Below(4) == 0 && i + 1 < sizes.size()) size *= sizes[++i];
      if (size == 1 && Below(2) == 0) continue;
      if (Below(3) == 0) {
        for (int64_t factor : {2, 3}) {
          if (size % factor != 0 || size == factor || Below(2) == 0) continue;
          result.push_back(Below(2) == 0 ? factor : size / factor);
          size /= result.back();
          break;
        }
      }
      result.push_back(size);
      if (Below(8) == 0) result.push_back(1);
    }
    return result;
  }

  std::string Shape(const Sizes& sizes, absl::string_view type = "") const {
    return absl::StrCat(type.empty() ? type_ : std::string(type), "[", absl::StrJoin(sizes, ","), "]");
  }
  Value Add(absl::string_view prefix, absl::string_view definition, const Sizes& sizes) {
    Value value{absl::StrCat(prefix, "_", next_++), sizes};
    absl::StrAppend(&body_, "  ", value.name, " = ", definition, "\n");
    return value;
  }
  Value Op(const Sizes& sizes, absl::string_view op, const std::vector<Value>& operands,
           absl::string_view attributes = "") {
    const std::string names =
        absl::StrJoin(operands, ", ", [](std::string* out, const Value& v) { out->append(v.name); });
    return Add("v", absl::StrCat(Shape(sizes), " ", op, "(", names, ")", attributes), sizes);
  }
  // -1, 0 and 1 (0 and 1 in unsigned types).
  Value Parameter(const Sizes& sizes) {
    const Value raw = Add("p", absl::StrCat(Shape(sizes, "s32"), " parameter(", parameters_++, ")"), sizes);
    const Value three = Add("k", absl::StrCat("s32[] constant(", type_[0] == 'u' ? 2 : 3, ")"), {});
    const Value threes =
        Add("k", absl::StrCat(Shape(sizes, "s32"), " broadcast(", three.name, "), dimensions={}"), sizes);
    const Value small =
        Add("k", absl::StrCat(Shape(sizes, "s32"), " remainder(", raw.name, ", ", threes.name, ")"), sizes);
    const Value converted = Add("k", absl::StrCat(Shape(sizes), " convert(", small.name, ")"), sizes);
    return type_[0] == 'u' ? converted : Op(sizes, "subtract", {converted, Broadcast(one_, {}, sizes)});
  }
  Value Reshape(const Value& of, const Sizes& sizes) { return Op(sizes, "reshape", {of}); }
  Value Broadcast(const Value& of, const Sizes& dimensions, const Sizes& sizes) {
    return Op(sizes, "broadcast", {of}, absl::StrCat(", dimensions={", absl::StrJoin(dimensions, ","), "}"));
  }

  // An array of some of the inner dimensions, broadcast to all.
  Value Leaf() {
    Sizes dimensions, sizes;
    for (size_t d = 0; d < inner_.size(); ++d) {
      if (Below(2) == 0) continue;
      dimensions.push_back(static_cast<int64_t>(d));
      sizes.push_back(inner_[d]);
    }
    switch (Below(6)) {
      case 0:
        return Broadcast(Pick<Value>({zero_, one_}), {}, inner_);
      case 1:
        if (!inner_.empty()) {
          return Add(
              "i", absl::StrCat(Shape(inner_), " iota(), iota_dimension=", Below(static_cast<int64_t>(inner_.size()))),
              inner_);
        }
        [[fallthrough]];
      case 2:
        // A result that came back, as normalisations do.
        if (!reduced_.empty()) {
          const Reduced& r = reduced_[static_cast<size_t>(Below(static_cast<int64_t>(reduced_.size())))];
          return Broadcast(r.value, r.kept, inner_);
        }
        [[fallthrough]];
      case 3:
        if (Product(inner_) <= 64) {
          std::vector<std::string> flat;
          for (int64_t i = 0; i < Product(inner_); ++i) flat.push_back(absl::StrCat(Below(2)));
          const Value list =
              Add("c", absl::StrCat(type_, "[", flat.size(), "] constant({", absl::StrJoin(flat, ","), "})"),
                  {static_cast<int64_t>(flat.size())});
          return Reshape(list, inner_);
        }
        [[fallthrough]];
      default:
        return Broadcast(Parameter(sizes), dimensions, inner_);
    }
  }

  Value Operand() { return Below(3) == 0 ? Leaf() : Any(inside_); }

  void Step() {
    // Sums of sums grow: what was reduced is brought back to small numbers by a comparison first.
    switch (Below(9)) {
      case 0:
        inside_.push_back(Op(inner_, Pick<std::string>({"add", "subtract"}), {Any(inside_), Leaf()}));
        break;
      case 1:
        inside_.push_back(Op(inner_, Pick<std::string>({"maximum", "minimum"}), {Any(inside_), Operand()}));
        break;
      case 2: {
        const Value a = Any(inside_), b = Operand();
        const Value g = Add("g",
                            absl::StrCat(Shape(inner_, "pred"), " compare(", a.name, ", ", b.name,
                                         "), direction=", Pick<std::string>({"GT", "EQ", "LE"})),
                            inner_);
        inside_.push_back(Op(inner_, "select", {g, Any(inside_), Leaf()}));
        break;
      }
      case 3:
        inside_.push_back(Op(inner_, "clamp", {zero_, Any(inside_), one_}));
        break;
      case 4:
        if (type_[0] != 'u')
          inside_.push_back(Op(inner_, Pick<std::string>({"negate", "abs", "sign"}), {Any(inside_)}));
        break;
      case 5: {
        const Value wide = Add("w", absl::StrCat(Shape(inner_, "f64"), " convert(", Any(inside_).name, ")"), inner_);
        inside_.push_back(Op(inner_, "convert", {wide}));
        break;
      }
      case 6:
        inside_.push_back(Reshape(Reshape(Any(inside_), outer_), inner_));
        break;
      case 7:
        results_.push_back(Reshape(Any(inside_), outer_));
        break;
      default:
        results_.push_back(Reduce());
        break;
    }
  }

  struct Reduced {
    Value value;
    Sizes kept;
  };
  Value Reduce() {
    Sizes dimensions, kept, sizes;
    for (size_t d = 0; d < inner_.size(); ++d) {
      if (Below(3) != 0) {
        dimensions.push_back(static_cast<int64_t>(d));
      } else {
        kept.push_back(static_cast<int64_t>(d));
        sizes.push_back(inner_[d]);
      }
    }
    const std::vector<std::string> all = {"sum", "maximum_of", "minimum_of"};
    const std::string reducer =
        is_float_ ? Pick(all)
                  : Pick<std::string>({"sum", "product", "maximum_of", "minimum_of", "xor_of", "difference"});
    const Value init = Below(3) == 0 ? one_ : zero_;
    const Value result = Op(sizes, "reduce", {Any(inside_), init},
                            absl::StrCat(", dimensions={", absl::StrJoin(dimensions, ","), "}, to_apply=", reducer));
    reducers_.insert(reducer);
    const Value sign =
        type_[0] == 'u' ? Op(sizes, "minimum", {result, Broadcast(one_, {}, sizes)}) : Op(sizes, "sign", {result});
    reduced_.push_back({sign, kept});
    return result;
  }

  std::string Text() const {
    std::string text = "HloModule made_up\n\n";
    for (const auto& [name, op] : std::vector<std::pair<std::string, std::string>>{{"sum", "add"},
                                                                                   {"product", "multiply"},
                                                                                   {"maximum_of", "maximum"},
                                                                                   {"minimum_of", "minimum"},
                                                                                   {"xor_of", "xor"},
                                                                                   {"difference", "subtract"}}) {
      if (!reducers_.contains(name)) continue;
      absl::StrAppend(&text, name, " {\n  a = ", type_, "[] parameter(0)\n  b = ", type_,
                      "[] parameter(1)\n  ROOT r = ", type_, "[] ", op, "(a, b)\n}\n\n");
    }
    std::vector<std::string> shapes, names;
    for (const Value& value : results_) {
      shapes.push_back(Shape(value.sizes));
      names.push_back(value.name);
    }
    return absl::StrCat(text, "ENTRY e {\n", body_, "  ROOT t = (", absl::StrJoin(shapes, ", "), ") tuple(",
                        absl::StrJoin(names, ", "), ")\n}\n");
  }

  std::mt19937 random_;
  std::string type_, body_;
  bool is_float_ = false;
  Sizes outer_, inner_;
  int next_ = 0, parameters_ = 0;
  Value zero_, one_;
  std::vector<Value> sources_, inside_, results_;
  std::vector<Reduced> reduced_;
  std::set<std::string> reducers_;
};

TEST(TransformProperty, MadeUpGraphsKeepTheirResults) {
  const char* wanted = std::getenv("HLOSCOPE_TRANSFORM_GRAPHS");
  const uint32_t count = wanted == nullptr ? 300 : static_cast<uint32_t>(std::atoi(wanted));
  const std::vector<CostTarget> targets = {CostTarget::Tpu(), CostTarget::Linear(), *CostTarget::Parse("T(2,2)"),
                                           *CostTarget::Parse("T(4,4)(2,1)")};
  uint32_t rewritten = 0;
  size_t applications = 0;
  for (uint32_t seed = 0; seed < count; ++seed) {
    const std::string text = GraphWriter(seed).Module();
    SCOPED_TRACE(absl::StrCat("graph ", seed, "\n", text));
    const auto document = Document::Parse(SourceText::FromString("made-up", text));
    ASSERT_FALSE(document->has_errors()) << seed << "\n" << text;
    TransformOptions options;
    options.target = targets[seed % targets.size()];
    const TransformedModule result = TransformAndCheck(document->shared_module(), DefaultPasses(), options);
    ASSERT_NE(result.after, nullptr);
    if (!result.changed) continue;
    ++rewritten;
    applications += result.applications.size();
    EXPECT_TRUE(ResultsAgree(result, 0, seed)) << result.text;
    if (HasFailure()) return;
  }
  std::cout << rewritten << " of " << count << " graphs were rewritten, " << applications << " times\n";
  EXPECT_GT(rewritten, count / 6);
}

TEST(TransformProperty, EveryPassKeepsResults) {
  const char* wanted = std::getenv("HLOSCOPE_TRANSFORM_GRAPHS");
  const uint32_t count = wanted == nullptr ? 200 : static_cast<uint32_t>(std::atoi(wanted));
  const std::vector<std::vector<std::string>> lists = {
      {"algebraic"},
      {"cse", "dce"},
      {"fold-constants"},
      {"canonicalize"},
      {"algebraic", "fold-constants", "reshape-reduce", "reshape-elementwise", "cse", "dce", "strip-metadata"}};
  for (uint32_t seed = 0; seed < count; ++seed) {
    const std::string text = GraphWriter(seed).Module();
    SCOPED_TRACE(absl::StrCat("graph ", seed, "\n", text));
    const auto document = Document::Parse(SourceText::FromString("made-up", text));
    ASSERT_FALSE(document->has_errors());
    TransformOptions options;
    options.fold = FoldInstruction;
    const TransformedModule result = TransformAndCheck(document->shared_module(), lists[seed % lists.size()], options);
    ASSERT_NE(result.after, nullptr);
    EXPECT_TRUE(ResultsAgree(result, 0, seed)) << result.text;
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace hloscope::evaluator
