// SPDX-License-Identifier: Apache-2.0
// The processes of one run, over a transport: which devices each has, what they send each other, and how they notice
// that all are done or that none can go on.
//
// Control messages say what comes, the elements of arrays follow as messages of their own, from and into the memory of
// the tensors. Rank 0 finds out when nothing happens any more: every process that waits says so, with how many postings
// it has sent and taken. Once the sums agree, rank 0 asks all again; the same sums from processes that all still wait
// mean that no message is under way, and that nobody will send one.
//
// Instead of running side by side, the others can serve rank 0, which then moves one device at a time: processes ask
// and answer each other, and who is asked to go on has taken all postings that were sent to it before.
#ifndef HLOSCOPE_EVALUATOR_DEVICES_RANK_GROUP_H_
#define HLOSCOPE_EVALUATOR_DEVICES_RANK_GROUP_H_

#include <atomic>
#include <cstdint>
#include <deque>
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

// What one process asks another, or answers.
struct PeerMessage {
  WireWriter words;
  std::vector<Value> values;
};
struct ReceivedMessage {
  std::string words;
  std::vector<Value> values;
};

class RankGroup final : public ProcessGroup {
 public:
  using Answerer = std::function<PeerMessage(WireReader& words, std::vector<Value>& values)>;

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

  // Answers what others ask while this process waits for an answer or serves. It may ask in turn.
  void set_answerer(Answerer answerer) { answerer_ = std::move(answerer); }
  // Asks another process and waits for the answer. `pause`, if not null, may become true meanwhile, from any thread:
  // the other is told (LatestPause), as it is when another process fails. Errors: as Poll; what the values do not have
  // the memory for.
  absl::StatusOr<ReceivedMessage> Ask(int to, const PeerMessage& question, const std::atomic<bool>* pause = nullptr);
  // The number of the question that is being answered, the innermost one.
  int64_t answering() const { return answering_.back(); }
  // The answer to the question of this number, and to those before, is wanted soon. From any thread, one at a time.
  int64_t LatestPause();
  // Answers questions until rank 0 says that it has no more. Errors: as Poll.
  absl::Status Serve();
  // Rank 0: the end of Serve of all others. Ask gives an error from then on.
  void Dismiss();

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
    kAsk,       // rank 0 asks where the devices are
    kStates,    // where they are
    kFinish,    // rank 0: all have finished
    kResult,    // what rank 0 gets of a device
    kQuestion,  // what the receiver is to answer
    kReply,
    kDismiss,  // rank 0 has no more questions
    kBye,      // nothing more comes
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

  struct Question {
    int from = 0;
    int64_t number = 0;
    int64_t postings = 0;  // that have to be here before the answer
    absl::StatusOr<ReceivedMessage> message;
  };

  void Deliver(Arrived arrived);
  void SendMessage(int to, Kind kind, WireWriter head, const PeerMessage& message);
  absl::StatusOr<ReceivedMessage> TakeMessage(int from, WireReader& reader);
  void SendPause(int to, int64_t number);
  void TakeQuestion(int from, WireReader& reader);
  void TakeReply(int from, WireReader& reader);
  void Answer(Question question);
  // How many postings for it are known to have been sent.
  int64_t PostingsFor(int rank) const;

  void SendControl(int to, Kind kind, const WireWriter& body);
  void SendTensors(int to, absl::Span<const Tensor> tensors);
  void SendToOthers(Kind kind, const WireWriter& body);
  // Frees what has been sent.
  void Progress();
  // Takes all that has arrived. True if something did.
  bool TakeAll();
  void Take(int from, absl::string_view message);
  void TakeAnswer(int from, WireReader& reader);
  void TakePosting(int from, WireReader& reader);
  void TakeFailure(int from, WireReader& reader);
  void TakeHello(int from, WireReader& reader);
  absl::StatusOr<std::vector<Value>> TakeValues(int from, WireReader& reader);
  // The elements of arrays that follow a message, where nobody wants them.
  void Drain(int from, absl::Span<const int64_t> sizes);
  void WriteStanding(WireWriter& writer) const;
  static Standing ReadStanding(WireReader& reader);

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

  Answerer answerer_;
  std::deque<Question> questions_;                              // that nobody has answered yet
  std::map<int64_t, absl::StatusOr<ReceivedMessage>> replies_;  // by number of the question
  int64_t asked_ = 0;                                           // questions of this process
  std::vector<int64_t> answering_;                              // numbers, the innermost last
  std::atomic<int64_t> latest_pause_{0};
  bool is_dismissed_ = false;

  // Of rank 0: the last that each process said, and its answers in the wave.
  std::vector<Standing> said_, answered_;
  int64_t wave_ = 0;
  int answers_ = 0;
  bool is_wave_running_ = false;
  int64_t wave_total_ = -1;  // of the sums when the wave began
  std::vector<DeviceState> states_;
  int states_from_ = 0;

  std::vector<std::vector<int64_t>> sent_;  // postings, by sender and receiver, as far as known here
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_DEVICES_RANK_GROUP_H_
