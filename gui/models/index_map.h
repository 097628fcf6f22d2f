// SPDX-License-Identifier: Apache-2.0
// Which elements of its operands make each element of an instruction's result.
#ifndef HLOSCOPE_GUI_MODELS_INDEX_MAP_H_
#define HLOSCOPE_GUI_MODELS_INDEX_MAP_H_

#include <QString>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/functional/function_ref.h"
#include "core/analysis/dimension_links.h"
#include "evaluator/debugger/dependences.h"
#include "gui/models/tensor_slice.h"

namespace hloscope::gui {

struct MapSource {
  size_t operand = 0;
  std::vector<int64_t> index;
  friend bool operator==(const MapSource&, const MapSource&) = default;
};

class IndexMap {
 public:
  static constexpr int64_t kMaxSources = 100'000;        // that are listed of one element
  static constexpr int64_t kMaxReverseVisits = 400'000;  // to find the elements that one was used for

  IndexMap() = default;
  // `value_of` gives the values of operands where there are some: where gather, scatter and the dynamic slices take
  // their elements depends on them. Zeros stand in for others. problem() says why there is no map.
  IndexMap(std::shared_ptr<const Module> module, InstructionId instruction,
           absl::FunctionRef<evaluator::Value(InstructionId)> value_of);

  // Empty: there is a map.
  const QString& problem() const { return problem_; }
  bool good() const { return module_ != nullptr && problem_.isEmpty(); }
  // The map depends on operands that have no values yet: zeros are assumed.
  bool is_assumed() const { return is_assumed_; }
  const Module& module() const { return *module_; }
  InstructionId instruction() const { return instruction_; }

  // Of the result; of its first array if it is a tuple.
  const Shape& result_shape() const { return *result_shape_; }
  size_t operand_count() const { return operands_.size(); }
  const Shape& operand_shape(size_t k) const;
  QString operand_name(size_t k) const;
  const evaluator::Value& operand_value(size_t k) const { return operands_[k]; }
  // The operand only says where elements are taken: start indices, the condition of a select.
  bool OnlySaysWhere(size_t k) const;
  const std::vector<DimensionLink>& links() const { return links_; }

  // In the order in which the operation takes them; the first `limit`.
  std::vector<MapSource> SourcesOf(const evaluator::DimensionVector& result, int64_t limit = kMaxSources) const;
  // Elements of the result, of at most kMaxReverseVisits sources looked through; `complete` says whether that was all.
  std::vector<evaluator::DimensionVector> ResultsOf(const MapSource& source, bool* complete) const;

  // In words: how the result comes from the operands.
  QString explanation() const;

 private:
  std::shared_ptr<const Module> module_;
  InstructionId instruction_;
  const Shape* result_shape_ = nullptr;
  std::vector<int64_t> path_;  // of the array in a tuple
  std::vector<evaluator::Value> operands_;
  std::vector<DimensionLink> links_;
  QString problem_;
  bool is_assumed_ = false;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_INDEX_MAP_H_
