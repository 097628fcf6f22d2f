// SPDX-License-Identifier: Apache-2.0
#include "tests/lsp/textmate/scope_finder.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace hloscope::lsp {

using Json = nlohmann::json;

struct ScopeFinder::Rule {
  std::string name, content_name, include;
  std::regex match, end;  // `match` is `begin` where there is an end
  bool has_end = false;
  bool is_group = false;  // only patterns
  std::map<size_t, std::string> captures, end_captures;
  std::vector<const Rule*> patterns;
};

// A rule whose end has not come yet.
struct ScopeFinder::Open {
  const Rule* rule;
  std::vector<const Rule*> patterns;
};

ScopeFinder::ScopeFinder(const Json& grammar) {
  for (const auto& [name, entry] : grammar.at("repository").items()) repository_[name] = {};
  for (const auto& [name, entry] : grammar.at("repository").items()) {
    repository_[name] = {ReadRule(entry)};
  }
  root_ = ReadPatterns(grammar.at("patterns"));
}

ScopeFinder::~ScopeFinder() = default;

std::regex ScopeFinder::Compile(const std::string& expression) {
  expressions_.push_back(expression);
  return std::regex(expression, std::regex::ECMAScript);
}

std::vector<const ScopeFinder::Rule*> ScopeFinder::ReadPatterns(const Json& patterns) {
  std::vector<const Rule*> rules;
  for (const Json& pattern : patterns) rules.push_back(ReadRule(pattern));
  return rules;
}

const ScopeFinder::Rule* ScopeFinder::ReadRule(const Json& json) {
  const auto captures = [](const Json& list) {
    std::map<size_t, std::string> result;
    for (const auto& [index, entry] : list.items()) result[std::stoul(index)] = entry.at("name").get<std::string>();
    return result;
  };
  auto rule = std::make_unique<Rule>();
  rule->name = json.value("name", "");
  rule->content_name = json.value("contentName", "");
  rule->include = json.value("include", "");
  if (json.contains("match")) {
    rule->match = Compile(json.at("match").get<std::string>());
    if (json.contains("captures")) rule->captures = captures(json.at("captures"));
  } else if (json.contains("begin")) {
    rule->match = Compile(json.at("begin").get<std::string>());
    rule->end = Compile(json.at("end").get<std::string>());
    rule->has_end = true;
    if (json.contains("beginCaptures")) rule->captures = captures(json.at("beginCaptures"));
    if (json.contains("endCaptures")) rule->end_captures = captures(json.at("endCaptures"));
  } else if (rule->include.empty()) {
    rule->is_group = true;
  }
  if (json.contains("patterns")) rule->patterns = ReadPatterns(json.at("patterns"));
  rules_.push_back(std::move(rule));
  return rules_.back().get();
}

void ScopeFinder::Flatten(const std::vector<const Rule*>& rules, std::vector<const Rule*>& flat, int depth) const {
  if (depth > 20) return;
  for (const Rule* rule : rules) {
    if (rule->include == "$self") {
      Flatten(root_, flat, depth + 1);
    } else if (!rule->include.empty()) {
      Flatten(repository_.at(rule->include.substr(1)), flat, depth + 1);
    } else if (rule->is_group) {
      Flatten(rule->patterns, flat, depth + 1);
    } else {
      flat.push_back(rule);
    }
  }
}

std::vector<std::vector<std::string>> ScopeFinder::Scopes(const std::string& text) const {
  std::vector<std::vector<std::string>> scopes(text.size());
  std::vector<Open> stack;
  stack.push_back({nullptr, {}});
  Flatten(root_, stack.back().patterns);
  size_t line_begin = 0;
  while (line_begin < text.size()) {
    size_t line_end = text.find('\n', line_begin);
    if (line_end == std::string::npos) line_end = text.size();
    const std::string line = text.substr(line_begin, line_end - line_begin);
    size_t at = 0;
    const auto mark = [&](size_t begin, size_t end, const std::string& extra) {
      for (size_t i = begin; i < end; ++i) {
        if (!extra.empty()) scopes[line_begin + i].push_back(extra);
      }
    };
    const auto mark_open = [&](size_t begin, size_t end, size_t depth, bool with_content) {
      for (size_t d = 0; d < depth; ++d) {
        if (stack[d].rule == nullptr) continue;
        mark(begin, end, stack[d].rule->name);
        if (d + 1 < depth || with_content) mark(begin, end, stack[d].rule->content_name);
      }
    };
    const auto mark_captures = [&](const std::smatch& m, size_t base, const std::map<size_t, std::string>& captures) {
      for (const auto& [index, name] : captures) {
        if (index < m.size() && m[index].matched) {
          const size_t begin = base + static_cast<size_t>(m.position(index));
          mark(begin, begin + static_cast<size_t>(m.length(index)), name);
        }
      }
    };
    while (at <= line.size()) {
      const auto flags = at == 0 ? std::regex_constants::match_default : std::regex_constants::match_prev_avail;
      const auto begin = line.begin() + static_cast<std::ptrdiff_t>(at);
      // The leftmost match; of several at one place the end of the open rule, then the first rule.
      std::smatch best;
      const Rule* best_rule = nullptr;
      bool is_end = false;
      const Open& open = stack.back();
      if (open.rule != nullptr) is_end = std::regex_search(begin, line.end(), best, open.rule->end, flags);
      for (const Rule* rule : open.patterns) {
        std::smatch m;
        if (!std::regex_search(begin, line.end(), m, rule->match, flags)) continue;
        if (m.length(0) == 0 && !rule->has_end) continue;
        if ((is_end || best_rule != nullptr) && m.position(0) >= best.position(0)) continue;
        best = m;
        best_rule = rule;
        is_end = false;
      }
      if (!is_end && best_rule == nullptr) {
        mark_open(at, line.size(), stack.size(), true);
        break;
      }
      const size_t match_begin = at + static_cast<size_t>(best.position(0));
      const size_t match_end = match_begin + static_cast<size_t>(best.length(0));
      mark_open(at, match_begin, stack.size(), true);
      if (is_end) {
        mark_open(match_begin, match_end, stack.size(), false);
        mark_captures(best, at, stack.back().rule->end_captures);
        stack.pop_back();
      } else {
        mark_open(match_begin, match_end, stack.size(), true);
        mark(match_begin, match_end, best_rule->name);
        mark_captures(best, at, best_rule->captures);
        if (best_rule->has_end) {
          std::vector<const Rule*> patterns;
          Flatten(best_rule->patterns, patterns);
          stack.push_back({best_rule, std::move(patterns)});
        }
      }
      if (match_end == at && match_end == line.size()) break;
      at = match_end;
    }
    line_begin = line_end + 1;
  }
  return scopes;
}

}  // namespace hloscope::lsp
