// SPDX-License-Identifier: Apache-2.0
// The peers of the evaluator: processes that do the same work with PyTorch, NumPy and oneDNN.
#ifndef HLOSCOPE_TESTS_BENCH_PEERS_H_
#define HLOSCOPE_TESTS_BENCH_PEERS_H_

#include <sys/types.h>

#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hloscope::bench {

// A process that answers the commands that peers.py describes. One that cannot be started has no peers.
class PeerProcess {
 public:
  explicit PeerProcess(std::vector<std::string> command) : command_(std::move(command)) { Start(); }
  ~PeerProcess() { Stop(/*kill=*/false); }
  PeerProcess(const PeerProcess&) = delete;
  PeerProcess& operator=(const PeerProcess&) = delete;

  const std::vector<std::string>& names() const { return names_; }
  std::vector<std::string> Prepare(const std::string& row, double seconds);
  std::vector<double> Run(const std::string& peer, int count, double seconds);
  void Drop();

 private:
  void Start();
  void Stop(bool kill);
  // One command and its answer, without the newline; empty if the process is gone or does not answer within `seconds`.
  std::string Ask(const std::string& command, double seconds);

  const std::vector<std::string> command_;
  pid_t child_ = -1;
  FILE* to_ = nullptr;
  int from_ = -1;
  std::vector<std::string> names_;
};

class Peers {
 public:
  // What each row takes by peer; a peer that does not have the row is not there.
  using Times = std::map<std::string, std::vector<double>>;

  Peers();

  // What there is of "torch", "numpy", "torch_kept" (with a C library that keeps memory and asks for huge pages) and
  // "onednn".
  const std::vector<std::string>& names() const { return names_; }
  bool Has(const std::string& name) const;
  // Makes a row ready, with one run of it; the peers that have it. Who takes longer than `seconds` is not among them:
  // its process is ended, and the next row gets a new one.
  std::vector<std::string> Prepare(const std::string& row, double seconds);
  // Seconds of each of `count` runs of the prepared row, made at once, after a quarter as many that are not counted
  // if there are several. None if they take longer than `seconds` or the process is gone.
  std::vector<double> Run(const std::string& peer, int count, double seconds);
  void Drop();

 private:
  std::vector<std::unique_ptr<PeerProcess>> processes_;
  std::vector<std::string> names_;
};

// The faster of PyTorch's settings; empty if neither was measured.
std::vector<double> BestOfTorch(const Peers::Times& times);

}  // namespace hloscope::bench

#endif  // HLOSCOPE_TESTS_BENCH_PEERS_H_
