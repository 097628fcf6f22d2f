// SPDX-License-Identifier: Apache-2.0
// How a process waits for the others, and how the first one sees that all wait for each other or have finished: when
// two rounds of questions find all idle, and as many messages received as sent.
#include <cstdint>
#include <vector>

#include "absl/algorithm/container.h"
#include "evaluator/devices/growing_pause.h"
#include "evaluator/devices/rank_group.h"

namespace hloscope::evaluator {

absl::StatusOr<bool> RankGroup::Wait(const Questions& questions) {
  own_.is_idle = true;
  own_.has_finished = questions.has_finished;
  has_news_ = false;
  if (rank() != 0) {
    WireWriter body;
    WriteStanding(body);
    SendControl(0, Kind::kIdle, body);
  }
  GrowingPause pause;
  absl::StatusOr<bool> goes_on = true;
  while (goes_on.ok()) {
    if (!failure_.ok()) {
      goes_on = failure_;
      break;
    }
    if (is_finished_) {
      goes_on = false;
      break;
    }
    if (has_news_) break;
    if (is_asked_) {
      is_asked_ = false;
      WireWriter body;
      const std::vector<DeviceState> states = questions.states();
      body.Int(static_cast<int64_t>(states.size()));
      for (const DeviceState& state : states) WriteDeviceState(body, state);
      SendControl(0, Kind::kStates, body);
    }
    if (rank() == 0) {
      absl::StatusOr<bool> all_finished = Conclude(questions);
      if (!all_finished.ok()) goes_on = all_finished.status();
      if (!all_finished.ok() || is_finished_) continue;
    }
    if (absl::Status status = questions.may_wait(); !status.ok()) {
      goes_on = status;
    } else if (TakeAll()) {
      pause.Reset();
    } else {
      pause.Sleep();
    }
  }
  own_.is_idle = false;
  return goes_on;
}

absl::StatusOr<bool> RankGroup::Conclude(const Questions& questions) {
  said_[0] = own_;
  if (!is_wave_running_) {
    if (!AllIdle(said_) || Balance(said_) != 0) return false;
    StartWave();
  }
  if (answers_ < size() - 1) return false;
  is_wave_running_ = false;
  answered_[0] = own_;
  if (!AllIdle(answered_) || Balance(answered_) != 0 || Total(answered_) != wave_total_) return false;
  if (!absl::c_all_of(answered_, [](const Standing& standing) { return standing.has_finished; })) {
    return ReportDeadlock(questions);
  }
  SendToOthers(Kind::kFinish, WireWriter());
  is_finished_ = true;
  return true;
}

absl::Status RankGroup::ReportDeadlock(const Questions& questions) {
  states_ = questions.states();
  states_from_ = 1;
  SendToOthers(Kind::kAsk, WireWriter());
  GrowingPause pause;
  while (states_from_ < size()) {
    if (!failure_.ok()) return failure_;
    if (absl::Status status = questions.may_wait(); !status.ok()) return status;
    if (!TakeAll()) pause.Sleep();
  }
  absl::c_sort(states_, [](const DeviceState& a, const DeviceState& b) { return a.device < b.device; });
  return absl::AbortedError(questions.report(states_));
}

void RankGroup::StartWave() {
  is_wave_running_ = true;
  ++wave_;
  answers_ = 0;
  answered_.assign(answered_.size(), {});
  wave_total_ = Total(said_);
  WireWriter body;
  body.Int(wave_);
  SendToOthers(Kind::kQuery, body);
}

bool RankGroup::AllIdle(absl::Span<const Standing> standings) const {
  return absl::c_all_of(standings, [](const Standing& standing) { return standing.is_idle; });
}

int64_t RankGroup::Balance(absl::Span<const Standing> standings) {
  int64_t balance = 0;
  for (const Standing& standing : standings) balance += standing.sent - standing.received;
  return balance;
}

int64_t RankGroup::Total(absl::Span<const Standing> standings) {
  int64_t total = 0;
  for (const Standing& standing : standings) total += standing.sent + standing.received;
  return total;
}

void RankGroup::WriteStanding(WireWriter& writer) const {
  writer.Int(own_.is_idle);
  writer.Int(own_.has_finished);
  writer.Int(own_.sent);
  writer.Int(own_.received);
}

RankGroup::Standing RankGroup::ReadStanding(WireReader& reader) {
  Standing standing;
  standing.is_idle = reader.Int() != 0;
  standing.has_finished = reader.Int() != 0;
  standing.sent = reader.Int();
  standing.received = reader.Int();
  return standing;
}

}  // namespace hloscope::evaluator
