// SPDX-License-Identifier: Apache-2.0
#include "tests/support/mpi.h"

#include <unistd.h>

#include <cstdlib>

namespace hloscope {

bool HasMpi() {
  setenv("TMPDIR", "/tmp", 1);
  return std::system("mpirun --version > /dev/null 2>&1") == 0 &&
         access(HLOSCOPE_BINARY_DIR "/lib/libhloscope_mpi.so", R_OK) == 0;
}

std::vector<std::string> MpirunOptions() {
  return {"--allow-run-as-root",
          "--oversubscribe",
          "--mca",
          "btl",
          "self,vader",
          "--mca",
          "btl_vader_single_copy_mechanism",
          "none"};
}

}  // namespace hloscope
