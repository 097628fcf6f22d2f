// The peers of the evaluator: a Python process that does the same work with PyTorch and NumPy.
#ifndef HLOSCOPE_TESTS_BENCH_PEERS_H_
#define HLOSCOPE_TESTS_BENCH_PEERS_H_

#include <sys/types.h>

#include <cstdio>
#include <string>
#include <vector>

namespace hloscope::bench {

// A running peers.py. Without Python or PyTorch there are no peers, and every list is empty.
class Peers {
 public:
  Peers() { Start(); }
  ~Peers() { Stop(/*kill=*/false); }
  Peers(const Peers&) = delete;
  Peers& operator=(const Peers&) = delete;

  // "torch", "numpy".
  const std::vector<std::string>& names() const { return names_; }
  // Makes a row of the script ready, with one run of it; the peers that have it. None if that takes longer than
  // `seconds`: then the process is ended, and the next row gets a new one.
  std::vector<std::string> Prepare(const std::string& row, double seconds);
  // Seconds of each of `count` runs of the prepared row, made at once, after a quarter as many that are not counted
  // if there are several. None if they take longer than `seconds` or the process is gone.
  std::vector<double> Run(const std::string& peer, int count, double seconds);
  void Drop();

 private:
  void Start();
  void Stop(bool kill);
  // One command and its answer, without the newline; empty if the process is gone or does not answer within `seconds`.
  std::string Ask(const std::string& command, double seconds);

  pid_t child_ = -1;
  FILE* to_ = nullptr;
  int from_ = -1;
  std::vector<std::string> names_;
};

}  // namespace hloscope::bench

#endif  // HLOSCOPE_TESTS_BENCH_PEERS_H_
