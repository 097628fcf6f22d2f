// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/bench.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace hloscope::bench {

void Report::Section(const std::string& title) { std::printf("\n%s\n", title.c_str()); }

void Report::Figure(const std::string& name, double value, const std::string& unit, double budget, bool at_least) {
  const bool met = at_least ? value >= budget : value <= budget;
  all_met_ = all_met_ && met;
  std::printf("  %-58s %10.2f %-8s (%s %g) %s\n", name.c_str(), value, unit.c_str(), at_least ? "at least" : "at most",
              budget, met ? "ok" : "MISSED");
  std::fflush(stdout);
}

void Report::Info(const std::string& name, double value, const std::string& unit) {
  std::printf("  %-58s %10.1f %s\n", name.c_str(), value, unit.c_str());
  std::fflush(stdout);
}

void Report::Note(const std::string& text) { std::printf("  %s\n", text.c_str()); }

double SecondsOf(const std::function<void()>& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double MedianSeconds(int runs, const std::function<void()>& body) {
  body();
  std::vector<double> seconds;
  for (int i = 0; i < std::max(runs, 5); ++i) {
    seconds.push_back(SecondsOf(body));
  }
  std::nth_element(seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2), seconds.end());
  return seconds[seconds.size() / 2];
}

void UseMemoryOnce() {
  const pid_t child = fork();
  if (child == 0) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t bytes =
        std::min(static_cast<size_t>(std::max<long>(sysconf(_SC_AVPHYS_PAGES), 0)) * page / 4 * 3, size_t{4} << 30);
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) {
      for (size_t at = 0; at < bytes; at += page) static_cast<volatile char*>(memory)[at] = 1;
    }
    _exit(0);
  }
  if (child > 0) waitpid(child, nullptr, 0);
}

CommandCost CostOfCommand(const std::string& program, const std::vector<std::string>& arguments) {
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const auto begin = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child < 0) return {};
  if (child == 0) {
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    execv(program.c_str(), argv.data());
    _exit(127);
  }
  int status = 0;
  rusage usage = {};
  if (wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) || WEXITSTATUS(status) > 1) return {};
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  return {static_cast<double>(usage.ru_maxrss) * 1024, seconds(usage.ru_utime) + seconds(usage.ru_stime),
          elapsed.count()};
}

}  // namespace hloscope::bench
