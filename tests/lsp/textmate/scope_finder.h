// SPDX-License-Identifier: Apache-2.0
// Scopes of a text under a TextMate grammar: the part of an editor's tokenizer that the tests need.
#ifndef HLOSCOPE_TESTS_LSP_TEXTMATE_SCOPE_FINDER_H_
#define HLOSCOPE_TESTS_LSP_TEXTMATE_SCOPE_FINDER_H_

#include <map>
#include <memory>
#include <regex>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"

namespace hloscope::lsp {

class ScopeFinder {
 public:
  // Every regular expression is compiled: one that is none throws, which fails the test.
  explicit ScopeFinder(const nlohmann::json& grammar);
  ~ScopeFinder();

  // For each byte of the text, the names of the scopes around it, outermost first, without `source.hlo`.
  std::vector<std::vector<std::string>> Scopes(const std::string& text) const;

  // Every regular expression of the grammar.
  const std::vector<std::string>& expressions() const { return expressions_; }

 private:
  struct Rule;
  struct Open;

  std::vector<const Rule*> ReadPatterns(const nlohmann::json& patterns);
  const Rule* ReadRule(const nlohmann::json& rule);
  std::regex Compile(const std::string& expression);
  // The rules of a list with what they include in place.
  void Flatten(const std::vector<const Rule*>& rules, std::vector<const Rule*>& flat, int depth = 0) const;

  std::vector<std::unique_ptr<Rule>> rules_;
  std::map<std::string, std::vector<const Rule*>> repository_;
  std::vector<const Rule*> root_;
  std::vector<std::string> expressions_;
};

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_TESTS_LSP_TEXTMATE_SCOPE_FINDER_H_
