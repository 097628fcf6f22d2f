// SPDX-License-Identifier: Apache-2.0
// What `hloscope cost` says about the movement of data on a target.
#ifndef HLOSCOPE_CLI_MOVEMENT_REPORT_H_
#define HLOSCOPE_CLI_MOVEMENT_REPORT_H_

#include <string>
#include <vector>

#include "core/transform/data_movement.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::cli {

// A table of counts and bytes by opcode and verdict, then the instructions that move most, with the reason and the
// chain of users that asks for it. At most `rows` of them.
std::string MovementText(const Module& module, const std::vector<DataMovement>& movements, size_t rows);
// All of them.
nlohmann::ordered_json MovementJson(const Module& module, const std::vector<DataMovement>& movements);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_MOVEMENT_REPORT_H_
