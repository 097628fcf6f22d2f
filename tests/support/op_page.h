// SPDX-License-Identifier: Apache-2.0
// The pages of resources/ops, one for each opcode.
#ifndef HLOSCOPE_TESTS_SUPPORT_OP_PAGE_H_
#define HLOSCOPE_TESTS_SUPPORT_OP_PAGE_H_

#include <string>

#include "core/document/document.h"
#include "core/ir/opcode.h"

namespace hloscope {

// The page; a test failure and an empty text if there is none.
std::string OpPage(Opcode opcode);
// The HLO of its example; a test failure and an empty text if there is none.
std::string ExampleOfOpPage(Opcode opcode);
// What the examples assume: two replicas, so that collectives have something to do.
DocumentOptions ExampleOptions();

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_OP_PAGE_H_
