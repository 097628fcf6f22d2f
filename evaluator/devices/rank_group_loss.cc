// SPDX-License-Identifier: Apache-2.0
// What the processes that are left say when another one is gone.
#include <chrono>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "evaluator/devices/growing_pause.h"
#include "evaluator/devices/process_place.h"
#include "evaluator/devices/rank_group.h"

namespace hloscope::evaluator {

std::vector<int> RankGroup::Gone() const { return GoneRanks(transport_); }

int RankGroup::SpeakerOf(const std::vector<int>& gone) const {
  for (int other = 0; other < rank(); ++other) {
    if (IsOfThisMachine(transport_, other) && !absl::c_linear_search(gone, other)) return other;
  }
  return rank();
}

bool RankGroup::SpeaksOf(const std::vector<int>& gone) const { return SpeakerOf(gone) == rank(); }

std::map<int64_t, std::string> RankGroup::ExchangePlaces(const std::vector<int>& gone, std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  const bool speaks = SpeaksOf(gone);
  // Of the devices that processes of this machine have.
  const auto are_all_here = [&] {
    return absl::c_all_of(rank_of_, [&](const int& of_device) {
      return !IsOfThisMachine(transport_, of_device) || absl::c_linear_search(gone, of_device) ||
             places_.contains(&of_device - rank_of_.data());
    });
  };
  if (!speaks) {
    WireWriter body;
    body.Int(static_cast<int64_t>(places_.size()));
    for (const auto& [device, place] : places_) {
      body.Int(device);
      body.Text(place);
    }
    SendControl(SpeakerOf(gone), Kind::kPlaces, body);
  }
  GrowingPause pause;
  while (std::chrono::steady_clock::now() < end && (speaks ? !are_all_here() : !outgoing_.empty())) {
    if (!TakeAll()) pause.Sleep();
  }
  return places_;
}

void RankGroup::TakePlaces(WireReader& reader) {
  for (int64_t i = reader.Count(2 * sizeof(int64_t)); i > 0; --i) {
    const int64_t device = reader.Int();
    places_[device] = reader.Text();
  }
}

std::string RankGroup::LossMessage(const std::vector<int>& gone, const std::map<int64_t, std::string>& places) const {
  std::string message;
  const bool has_joined = has_joined_.load(std::memory_order_acquire);
  for (const int rank : gone) {
    const HloscopeProcessPlace& place = transport_.places[rank];
    absl::StrAppend(&message, "hloscope: rank ", rank, " is gone: process ", place.process, " of ", place.host);
    std::vector<int64_t> devices;
    for (size_t device = 0; has_joined && device < rank_of_.size(); ++device) {
      if (rank_of_[device] == rank) devices.push_back(static_cast<int64_t>(device));
    }
    if (!devices.empty()) {
      absl::StrAppend(&message, ", which had device", devices.size() == 1 ? " " : "s ", absl::StrJoin(devices, ", "));
    }
    absl::StrAppend(&message, "; the run ends\n");
  }
  for (const auto& [device, line] : places) message.append(line);
  return message;
}

}  // namespace hloscope::evaluator
