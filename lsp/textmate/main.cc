// SPDX-License-Identifier: Apache-2.0
// `hloscope-grammar FILE`: writes the TextMate grammar of HLO text.
#include <cstdio>
#include <string>

#include "lsp/textmate/grammar.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: hloscope-grammar FILE\n");
    return 2;
  }
  const std::string grammar = hloscope::lsp::TextMateGrammar();
  std::FILE* file = std::fopen(argv[1], "wb");
  if (file == nullptr) {
    std::perror(argv[1]);
    return 1;
  }
  const bool written = std::fwrite(grammar.data(), 1, grammar.size(), file) == grammar.size();
  if (std::fclose(file) != 0 || !written) {
    std::perror(argv[1]);
    return 1;
  }
  return 0;
}
