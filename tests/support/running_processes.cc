// SPDX-License-Identifier: Apache-2.0
#include "tests/support/running_processes.h"

#include <dirent.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace hloscope {

// The processes that come from `ancestor`, with their command lines; those that are gone but for their parents'
// knowledge are not in it.
std::map<pid_t, std::string> Descendants(pid_t ancestor) {
  std::map<pid_t, pid_t> parents;
  std::map<pid_t, std::string> commands;
  DIR* const folder = opendir("/proc");
  while (const dirent* const entry = readdir(folder)) {
    int pid = 0;
    if (!absl::SimpleAtoi(entry->d_name, &pid)) continue;
    std::ostringstream stat, command;
    stat << std::ifstream(absl::StrCat("/proc/", pid, "/stat")).rdbuf();
    command << std::ifstream(absl::StrCat("/proc/", pid, "/cmdline")).rdbuf();
    const std::string text = stat.str();
    std::istringstream rest(text.substr(std::min(text.size(), text.rfind(')') + 1)));
    std::string state;
    pid_t parent = 0;
    if (!(rest >> state >> parent) || state == "Z") continue;
    parents[pid] = parent;
    commands[pid] = command.str();
    std::replace(commands[pid].begin(), commands[pid].end(), '\0', ' ');
  }
  closedir(folder);
  std::map<pid_t, std::string> found;
  for (const auto& [pid, command] : commands) {
    pid_t at = pid;
    while (parents.count(at) > 0 && at != ancestor) at = parents[at];
    if (at == ancestor && pid != ancestor) found[pid] = command;
  }
  return found;
}

bool AllEnd(const std::map<pid_t, std::string>& processes) {
  for (int i = 0; i < 1000; ++i) {
    std::map<pid_t, std::string> all = Descendants(1);
    const bool is_left = std::any_of(processes.begin(), processes.end(), [&](const auto& one) {
      const auto now = all.find(one.first);
      return now != all.end() && now->second == one.second;
    });
    if (!is_left) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

}  // namespace hloscope
