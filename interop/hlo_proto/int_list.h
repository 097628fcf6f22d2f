// SPDX-License-Identifier: Apache-2.0
// Repeated numbers of a message as a vector.
#ifndef HLOSCOPE_INTEROP_HLO_PROTO_INT_LIST_H_
#define HLOSCOPE_INTEROP_HLO_PROTO_INT_LIST_H_

#include <cstdint>
#include <vector>

namespace hloscope::interop {

template <typename List>
std::vector<int64_t> Ints(const List& list) {
  return {list.begin(), list.end()};
}

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_HLO_PROTO_INT_LIST_H_
