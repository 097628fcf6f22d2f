// SPDX-License-Identifier: Apache-2.0
#ifndef HLOSCOPE_EVALUATOR_TENSOR_MEMORY_BUFFER_H_
#define HLOSCOPE_EVALUATOR_TENSOR_MEMORY_BUFFER_H_

#include <streambuf>

namespace hloscope::evaluator {

// Bytes in memory, to be read as a file without a copy of them; they outlive the buffer.
class MemoryBuffer : public std::streambuf {
 public:
  MemoryBuffer(char* bytes, std::streamsize size) { setg(bytes, bytes, bytes + size); }

 private:
  pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode) override {
    const off_type size = egptr() - eback();
    const off_type origin = from == std::ios_base::beg ? 0 : from == std::ios_base::cur ? gptr() - eback() : size;
    const off_type place = origin + offset;
    if (place < 0 || place > size) return pos_type(off_type(-1));
    setg(eback(), eback() + place, egptr());
    return pos_type(place);
  }
  pos_type seekpos(pos_type place, std::ios_base::openmode mode) override {
    return seekoff(off_type(place), std::ios_base::beg, mode);
  }
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_TENSOR_MEMORY_BUFFER_H_
