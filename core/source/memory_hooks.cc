// SPDX-License-Identifier: Apache-2.0
#include "core/source/memory_hooks.h"

namespace hloscope {
namespace {

MemoryHooks g_memory_hooks;

}  // namespace

void SetMemoryHooks(const MemoryHooks& hooks) { g_memory_hooks = hooks; }

void ReportReading(size_t text_bytes) {
  if (g_memory_hooks.before_reading != nullptr) g_memory_hooks.before_reading(text_bytes);
}

void ReportFreshBlock(void* block, size_t bytes) {
  if (g_memory_hooks.fresh_block != nullptr) g_memory_hooks.fresh_block(block, bytes);
}

void ReleaseFreeMemory() {
  if (g_memory_hooks.release_free != nullptr) g_memory_hooks.release_free();
}

ParsingReport::ParsingReport(size_t text_bytes) : text_bytes_(text_bytes) {
  if (g_memory_hooks.before_parsing != nullptr) g_memory_hooks.before_parsing(text_bytes);
}

ParsingReport::~ParsingReport() {
  if (g_memory_hooks.after_parsing != nullptr) g_memory_hooks.after_parsing(text_bytes_);
}

}  // namespace hloscope
