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
  Peers();
  ~Peers();
  Peers(const Peers&) = delete;
  Peers& operator=(const Peers&) = delete;

  // "torch", "numpy".
  const std::vector<std::string>& names() const { return names_; }
  // Makes a row of the script ready; the peers that have it.
  std::vector<std::string> Prepare(const std::string& row);
  // Seconds of one run of the prepared row; negative if the process is gone.
  double Run(const std::string& peer);
  void Drop();

 private:
  // One command and its answer, without the newline; empty if the process is gone.
  std::string Ask(const std::string& command);

  pid_t child_ = -1;
  FILE* to_ = nullptr;
  FILE* from_ = nullptr;
  std::vector<std::string> names_;
};

}  // namespace hloscope::bench

#endif  // HLOSCOPE_TESTS_BENCH_PEERS_H_
