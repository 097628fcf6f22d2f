// SPDX-License-Identifier: Apache-2.0
// The processes of one run, over a transport: which devices each has, what they send each other, and how they notice
// that all are done or that none can go on.
//
// Control messages say what comes, the elements of arrays follow as messages of their own, from and into the memory of
// the tensors. Rank 0 finds out when nothing happens any more: every process that waits says so, with how many postings
// it has sent and taken. Once the sums agree, rank 0 asks all again; the same sums from processes that all still wait
// mean that no message is under way, and that nobody will send one.
#ifndef HLOSCOPE_EVALUATOR_DEVICES_RANK_GROUP_H_
#define HLOSCOPE_EVALUATOR_DEVICES_RANK_GROUP_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "evaluator/devices/process_group.h"
#include "evaluator/devices/process_transport.h"
#include "evaluator/devices/wire_format.h"

namespace hloscope::evaluator {

class RankGroup final : public ProcessGroup {
 public:
  // `transport` outlives the object.
  explicit RankGroup(const HloscopeTransport& transport);
  ~RankGroup() override;

  int rank() const { return transport_.rank; }
  int size() const { return transport_.size; }

  // Says to all what this process is about to run, and compares. `what` names the parts that must be equal ("module",
  // "replicas", ...) with their values. `rank_of` is the process of each device. Errors: InvalidArgument with the ranks
  // and the part that differs; the status with which another process ended the run.
  absl::Status Join(const std::vector<std::pair<std::string, std::string>>& what, std::vector<int> rank_of);
  const std::vector<int>& rank_of() const { return rank_of_; }
  bool IsLocal(int64_t device) const { return rank_of_[static_cast<size_t>(device)] == rank(); }

  // What rank 0 gets of a device when the run is over. On rank 0 returns that of all devices, in their order, on others
  // nothing. Errors as Poll.
  absl::StatusOr<std::vector<Value>> Gather(const std::vector<std::pair<int64_t, Value>>& own);

  // Ends the run of all processes with this status.
  void Fail(const absl::Status& status);
  // Waits until all processes have come here; what arrives until then is dropped. Returns the status that another one
  // has failed with, if any has. The transport is closed afterwards.
  absl::Status Close();
  // The rank that ended the run, if one of the others did.
  const std::optional<int>& failed_rank() const { return failed_rank_; }

  // ProcessGroup:
  bool IsRemote(int64_t device) const override { return !IsLocal(device); }
  void Send(const Posting& posting, absl::Span<const int64_t> readers) override;
  void Attach(DeviceExchange* exchange) override;
  absl::Status Poll() override;
  absl::StatusOr<bool> Wait(const Questions& questions) override;

 private:
  enum class Kind : int64_t {
    kPosting,  // a posting for so many readers
    kHello,    // what a process runs
    kGo,       // rank 0: all run the same
    kFailure,  // the run is over
    kIdle,     // nothing to do, and the counts of postings
    kQuery,    // rank 0 asks for the same
    kAnswer,
    kAsk,     // rank 0 asks where the devices are
    kStates,  // where they are
    kFinish,  // rank 0: all have finished
    kResult,  // what rank 0 gets of a device
    kBye,     // nothing more comes
  };
  // What is known of a process at one time.
  struct Standing {
    bool is_idle = false, has_finished = false;
    int64_t sent = 0, received = 0;
  };
  struct Outgoing {
    int64_t request = 0;
    std::unique_ptr<std::string> bytes;  // of a control message
    Tensor tensor;                       // whose elements are sent
  };

  // A posting of another process, with what names its stream here.
  struct Arrived {
    Posting posting;
    bool is_transfer = false;
    int64_t number = 0;
    std::string pairs;
    int64_t readers = 0;
  };

  void Deliver(Arrived arrived);
  void SendControl(int to, Kind kind, const WireWriter& body);
  void SendTensors(int to, absl::Span<const Tensor> tensors);
  void SendToOthers(Kind kind, const WireWriter& body);
  // Frees what has been sent.
  void Progress();
  // Takes all that has arrived. True if something did.
  bool TakeAll();
  void Take(int from, absl::string_view message);
  void TakePosting(int from, WireReader& reader);
  void TakeFailure(int from, WireReader& reader);
  void TakeHello(int from, WireReader& reader);
  void TakeStates(WireReader& reader);
  absl::StatusOr<std::vector<Value>> TakeValues(int from, WireReader& reader);
  // The elements of arrays that follow a message, where nobody wants them.
  void Drain(int from, absl::Span<const int64_t> sizes);
  void WriteStanding(WireWriter& writer) const;
  static Standing ReadStanding(WireReader& reader);
  void WriteStates(WireWriter& writer, absl::Span<const DeviceState> states) const;

  // Rank 0, while it waits: true once all have finished. Error Aborted if no device can go on.
  absl::StatusOr<bool> Conclude(const Questions& questions);
  absl::Status ReportDeadlock(const Questions& questions);
  void StartWave();
  bool AllIdle(absl::Span<const Standing> standings) const;
  static int64_t Balance(absl::Span<const Standing> standings);
  static int64_t Total(absl::Span<const Standing> standings);
  absl::Status CompareHellos() const;

  const HloscopeTransport& transport_;
  std::vector<int> rank_of_;
  DeviceExchange* exchange_ = nullptr;
  std::vector<Arrived> early_;  // before Attach
  std::vector<Outgoing> outgoing_;
  absl::Status failure_;  // of another process, or of a message that could not be taken
  std::optional<int> failed_rank_;
  Standing own_;
  bool has_news_ = false;  // a posting for a device of this process arrived
  bool may_go_ = false, is_finished_ = false, is_asked_ = false;
  int byes_ = 0;
  std::map<int, std::vector<std::pair<std::string, std::string>>> hellos_;
  std::map<int64_t, Value> results_;  // by device

  // Of rank 0: the last that each process said on its own, and its answers in the wave.
  std::vector<Standing> said_, answered_;
  int64_t wave_ = 0;
  int answers_ = 0;
  bool is_wave_running_ = false;
  int64_t wave_total_ = -1;  // of the sums when the wave began
  std::vector<DeviceState> states_;
  int states_from_ = 0;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_DEVICES_RANK_GROUP_H_
