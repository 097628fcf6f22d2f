// SPDX-License-Identifier: Apache-2.0
#include "cli/line_editor.h"

#include <editline/readline.h>

#include <cstdlib>
#include <cstring>
#include <utility>

namespace hloscope::cli {
namespace {

constexpr int kMaxHistoryLines = 1000;

// The library calls back without a context.
LineEditor::Completer completer;
std::vector<std::string> candidates;
size_t next_candidate = 0;

char* NextCandidate(const char*, int state) {
  if (state == 0) next_candidate = 0;
  return next_candidate < candidates.size() ? strdup(candidates[next_candidate++].c_str()) : nullptr;
}

char** CompleteWord(const char* word, int, int end) {
  rl_attempted_completion_over = 1;  // no names of files
  candidates = completer(absl::string_view(rl_line_buffer, static_cast<size_t>(end)));
  return candidates.empty() ? nullptr : rl_completion_matches(word, NextCandidate);
}

}  // namespace

LineEditor::LineEditor(std::string history_path, Completer complete) : history_path_(std::move(history_path)) {
  completer = std::move(complete);
  rl_readline_name = const_cast<char*>("hloscope");
  rl_attempted_completion_function = CompleteWord;
  rl_completer_word_break_characters = const_cast<char*>(" \t\n()[]{},+*/<>=!&|\"'");
  using_history();
  stifle_history(kMaxHistoryLines);
  if (!history_path_.empty()) read_history(history_path_.c_str());
}

LineEditor::~LineEditor() {
  if (!history_path_.empty()) write_history(history_path_.c_str());
  completer = nullptr;
}

std::optional<std::string> LineEditor::Read(const std::string& prompt) {
  char* const line = readline(prompt.c_str());
  if (line == nullptr) return std::nullopt;
  std::string text = line;
  free(line);
  if (!text.empty()) add_history(text.c_str());
  return text;
}

}  // namespace hloscope::cli
