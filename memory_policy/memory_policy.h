// SPDX-License-Identifier: Apache-2.0
// How a process uses the C library's heap. The one place where malloc is tuned; only main() of an executable calls it.
#ifndef HLOSCOPE_MEMORY_POLICY_MEMORY_POLICY_H_
#define HLOSCOPE_MEMORY_POLICY_MEMORY_POLICY_H_

#include <cstdint>

namespace hloscope::memory_policy {

// Which threads read texts.
enum class TextThreads : uint8_t {
  kMain,  // the main thread only: others have heaps of their own, as the C library likes it
  kAny,   // all threads share one heap, so that there is one place to grow for a text
};

// Reading a large text touches fresh memory of several times its size. With pages of 4 KB a third of the time of a
// first reading goes into page faults; so the heap grows once, by what is made of the text, and the system is asked for
// pages of 2 MB there (they are used where transparent huge pages are `madvise` or `always`). Nothing is touched in
// advance, so that nothing is lost if less is needed, and small texts change nothing.
//
// Call once, at the beginning of main(), before there are other threads. Does nothing where malloc is not glibc's, and
// under sanitizers, which have heaps of their own.
void SetUpMemory(TextThreads text_threads);

}  // namespace hloscope::memory_policy

#endif  // HLOSCOPE_MEMORY_POLICY_MEMORY_POLICY_H_
