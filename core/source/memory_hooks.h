// SPDX-License-Identifier: Apache-2.0
// What reading large texts tells the process about the memory that it needs. This library itself leaves all memory to
// the C++ library; an executable that knows better sets hooks (memory_policy/).
#ifndef HLOSCOPE_CORE_SOURCE_MEMORY_HOOKS_H_
#define HLOSCOPE_CORE_SOURCE_MEMORY_HOOKS_H_

#include <cstddef>

namespace hloscope {

// Functions of the executable; null: nothing happens. They may be called from several threads at once.
struct MemoryHooks {
  // A text of so many bytes is about to be read into memory; parsing it follows.
  void (*before_reading)(size_t text_bytes) = nullptr;
  // A text of so many bytes is about to be parsed, or was.
  void (*before_parsing)(size_t text_bytes) = nullptr;
  void (*after_parsing)(size_t text_bytes) = nullptr;
  // A block that was just allocated, and that nothing was written to.
  void (*fresh_block)(void* block, size_t bytes) = nullptr;
  // Much memory was freed that will not be needed soon.
  void (*release_free)() = nullptr;
};

// To be called once, before there are other threads.
void SetMemoryHooks(const MemoryHooks& hooks);

// What the library reports.
void ReportReading(size_t text_bytes);
void ReportFreshBlock(void* block, size_t bytes);
// Gives what is free back to the system. Takes some milliseconds a GB: after a run, not after each value.
void ReleaseFreeMemory();
// For as long as a text is parsed.
class ParsingReport {
 public:
  explicit ParsingReport(size_t text_bytes);
  ~ParsingReport();
  ParsingReport(const ParsingReport&) = delete;
  ParsingReport& operator=(const ParsingReport&) = delete;

 private:
  const size_t text_bytes_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SOURCE_MEMORY_HOOKS_H_
