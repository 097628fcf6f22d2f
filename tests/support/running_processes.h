// SPDX-License-Identifier: Apache-2.0
// Which processes run, for tests that nothing is left of what they start.
#ifndef HLOSCOPE_TESTS_SUPPORT_RUNNING_PROCESSES_H_
#define HLOSCOPE_TESTS_SUPPORT_RUNNING_PROCESSES_H_

#include <sys/types.h>

#include <map>
#include <string>

namespace hloscope {

// The processes that come from `ancestor`, with their command lines, but for zombies.
std::map<pid_t, std::string> Descendants(pid_t ancestor);
// Whether all of them end soon.
bool AllEnd(const std::map<pid_t, std::string>& processes);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_RUNNING_PROCESSES_H_
