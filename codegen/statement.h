// SPDX-License-Identifier: Apache-2.0
// The parts of a function that is being written, before it is known in which order they run.
#ifndef HLOSCOPE_CODEGEN_STATEMENT_H_
#define HLOSCOPE_CODEGEN_STATEMENT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/loop_function.h"

namespace hloscope::codegen {

// A variable of the function that holds an array.
using ArrayId = int;
inline constexpr ArrayId kNoArray = -1;  // of a token

// A call of a loop function.
struct LoopCall {
  size_t line;  // of the statement
  std::string wish;
  std::vector<LoopParameter> parameters;
  std::vector<std::string> arguments;
  std::vector<ArrayId> arrays;  // by argument: the variable whose elements it is, or kNoArray
  LoopText text;
};

// A line that makes an array.
struct Allocation {
  size_t line;
  ArrayId array;
  int64_t bytes;
};

struct Statement {
  // In a line, the number of an array between kTakenBegin and kTakenEnd stands for the array, which is given away if
  // nothing else needs it. Lines of calls are empty.
  std::vector<std::string> lines;
  std::vector<ArrayId> reads, takes, defines;
  std::vector<LoopCall> calls;
  std::vector<Allocation> allocations;
  std::vector<std::string> scratch;  // variables of arrays that no other statement needs
};

// Around the number of an array that may be taken.
inline constexpr char kTakenBegin = '\x01', kTakenEnd = '\x02';

}  // namespace hloscope::codegen

#endif  // HLOSCOPE_CODEGEN_STATEMENT_H_
