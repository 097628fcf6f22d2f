// SPDX-License-Identifier: Apache-2.0
// Whether tests can start several processes with MPI, and how.
#ifndef HLOSCOPE_TESTS_SUPPORT_MPI_H_
#define HLOSCOPE_TESTS_SUPPORT_MPI_H_

#include <string>
#include <vector>

namespace hloscope {

// There is mpirun, and the build has the plug-in for it. Paths of temporary files are made short, as MPI needs them.
bool HasMpi();
// What mpirun needs as root, with more processes than processors and in a container.
std::vector<std::string> MpirunOptions();

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_MPI_H_
