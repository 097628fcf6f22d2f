// SPDX-License-Identifier: Apache-2.0
// Arrays in .npy files.
#ifndef HLO_NPY_H_
#define HLO_NPY_H_

#include <string>

#include "hlo_main.h"

namespace hlo {

// Ends the program with a message if the file is not an array of the leaf's type and sizes. C and Fortran order,
// little-endian. Types that .npy lacks may have any code of their size.
Array ReadNpy(const std::string& path, const Leaf& leaf);
void WriteNpy(const std::string& path, const Leaf& leaf, const Array& array);

}  // namespace hlo

#endif  // HLO_NPY_H_
