// SPDX-License-Identifier: Apache-2.0
#include "evaluator/devices/process_place.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace hloscope::evaluator {
namespace {

// A process that nobody has waited for yet has ended too.
bool IsZombie(int64_t process) {
  char path[64], text[512];
  std::snprintf(path, sizeof(path), "/proc/%lld/stat", static_cast<long long>(process));
  std::FILE* const file = std::fopen(path, "r");
  if (file == nullptr) return false;
  const size_t size = std::fread(text, 1, sizeof(text) - 1, file);
  std::fclose(file);
  text[size] = '\0';
  // The name, in parentheses, may hold anything; the state follows.
  const char* const name_end = std::strrchr(text, ')');
  return name_end != nullptr && (name_end[1] == ' ') && (name_end[2] == 'Z' || name_end[2] == 'X');
}

}  // namespace

bool IsOfThisMachine(const HloscopeTransport& transport, int rank) {
  if (transport.places == nullptr) return rank == transport.rank;
  const HloscopeProcessPlace &own = transport.places[transport.rank], &other = transport.places[rank];
  return std::strcmp(own.host, other.host) == 0 && std::strcmp(own.space, other.space) == 0;
}

std::vector<int> GoneRanks(const HloscopeTransport& transport) {
  std::vector<int> gone;
  for (int rank = 0; rank < transport.size; ++rank) {
    if (rank == transport.rank || !IsOfThisMachine(transport, rank)) continue;
    const int64_t process = transport.places[rank].process;
    const bool exists = kill(static_cast<pid_t>(process), 0) == 0 || errno != ESRCH;
    if (!exists || IsZombie(process)) gone.push_back(rank);
  }
  return gone;
}

}  // namespace hloscope::evaluator
