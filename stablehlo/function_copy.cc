// SPDX-License-Identifier: Apache-2.0
#include "stablehlo/function_copy.h"

namespace hloscope::stablehlo {
namespace {

class Copier {
 public:
  explicit Copier(Program& program) : program_(program) {}

  // Regions are nested at most as deep as the parser lets them be.
  Region* Copy(const Region& original, Region* parent) {
    Region& region = program_.regions.emplace_back();
    region.range = original.range;
    region.parent = parent;
    for (const Value* argument : original.arguments) {
      region.arguments.push_back(CopyValue(*argument, region, nullptr));
    }
    for (const Operation* op : original.operations) region.operations.push_back(CopyOperation(*op, region));
    return &region;
  }

 private:
  Value* CopyValue(const Value& original, const Region& region, const Operation* operation) {
    Value& value = program_.values.emplace_back(original);
    value.region = &region;
    value.operation = operation;
    copies_[&original] = &value;
    return &value;
  }

  Operation* CopyOperation(const Operation& original, Region& region) {
    Operation& op = program_.operations.emplace_back(original);
    op.parent = &region;
    for (OperandUse& use : op.operands) {
      if (const auto copy = copies_.find(use.value); copy != copies_.end()) use.value = copy->second;
    }
    for (Value*& result : op.results) result = CopyValue(*result, region, &op);
    for (Region*& nested : op.regions) nested = Copy(*nested, &region);
    return &op;
  }

  Program& program_;
  absl::flat_hash_map<const Value*, Value*> copies_;
};

}  // namespace

Function* CopyFunction(Program& program, const Function& function) {
  Function& copy = program.all_functions.emplace_back(function);
  if (function.body != nullptr) copy.body = Copier(program).Copy(*function.body, nullptr);
  return &copy;
}

}  // namespace hloscope::stablehlo
