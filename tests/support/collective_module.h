// SPDX-License-Identifier: Apache-2.0
// Every collective in every form of groups, for one element type.
#ifndef HLOSCOPE_TESTS_SUPPORT_COLLECTIVE_MODULE_H_
#define HLOSCOPE_TESTS_SUPPORT_COLLECTIVE_MODULE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/ir/element_type.h"

namespace hloscope {

// Those that arrays can have.
std::vector<ElementType> ArrayElementTypes();

// For two replicas of four partitions. The parameter is an array of 8 x 2 elements; results are a tuple.
std::string EveryCollectiveOf(ElementType type);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_COLLECTIVE_MODULE_H_
