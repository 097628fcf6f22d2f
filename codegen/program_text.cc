// SPDX-License-Identifier: Apache-2.0
#include "codegen/program_text.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace hloscope::codegen {
namespace {

constexpr int64_t kConstantAlignment = 64;

bool IsReserved(const std::string& word) {
  static const auto& words = *new absl::flat_hash_set<std::string>(
      {"alignas",     "alignof",   "and",        "and_eq",    "asm",      "auto",         "bitand",
       "bitor",       "bool",      "break",      "case",      "catch",    "char",         "char8_t",
       "char16_t",    "char32_t",  "class",      "compl",     "concept",  "const",        "consteval",
       "constexpr",   "constinit", "const_cast", "continue",  "co_await", "co_return",    "co_yield",
       "decltype",    "default",   "delete",     "do",        "double",   "dynamic_cast", "else",
       "enum",        "explicit",  "export",     "extern",    "false",    "float",        "for",
       "friend",      "goto",      "if",         "inline",    "int",      "long",         "mutable",
       "namespace",   "new",       "noexcept",   "not",       "not_eq",   "nullptr",      "operator",
       "or",          "or_eq",     "private",    "protected", "public",   "register",     "reinterpret_cast",
       "requires",    "return",    "short",      "signed",    "sizeof",   "static",       "static_assert",
       "static_cast", "struct",    "switch",     "template",  "this",     "thread_local", "throw",
       "true",        "try",       "typedef",    "typeid",    "typename", "union",        "unsigned",
       "using",       "virtual",   "void",       "volatile",  "wchar_t",  "while",        "xor",
       "xor_eq",      "main",      "std",        "hlo",       "hloscope", "in",           "out",
       "linux",       "unix",      "errno",      "stdin",     "stdout",   "stderr",       "assert",
       "NAN",         "INFINITY",  "EOF",        "NULL"});
  return words.contains(word);
}

}  // namespace

std::string CppIdentifier(absl::string_view text) {
  std::string name;
  for (char c : text) {
    const bool good = absl::ascii_isalnum(static_cast<unsigned char>(c));
    // Two underscores in a row are reserved.
    if (good || name.empty() || name.back() != '_') name += good ? c : '_';
  }
  if (name.empty() || absl::ascii_isdigit(static_cast<unsigned char>(name[0])) || name[0] == '_')
    name = absl::StrCat("x", name);
  // The runtime's names begin with a capital letter.
  if (IsReserved(name) || absl::ascii_isupper(static_cast<unsigned char>(name[0]))) name = absl::StrCat("v_", name);
  constexpr size_t kLongest = 80;
  if (name.size() > kLongest) name.resize(kLongest);
  return name;
}

std::string ProgramText::UniqueName(absl::string_view wish) {
  std::string name = CppIdentifier(wish);
  if (names_.insert(name).second) return name;
  int& count = name_counts_[name];
  while (true) {
    std::string next = absl::StrCat(name, name.back() == '_' ? "n" : "_n", ++count);
    if (names_.insert(next).second) return next;
  }
}

std::string ProgramText::AddFunction(absl::string_view wish, absl::string_view parameters, absl::string_view text) {
  const auto [found, is_new] = loop_names_.emplace(std::string(text), "");
  if (is_new) {
    const std::string name = UniqueName(wish);
    found->second = name;
    loops_.push_back(
        {absl::StrCat("void ", name, "(", parameters, ");"), absl::StrReplaceAll(text, {{kLoopNameMark, name}})});
  }
  return found->second;
}

std::string ProgramText::AddLoop(absl::string_view wish, absl::Span<const LoopParameter> parameters,
                                 absl::string_view text) {
  return AddFunction(wish, ParameterList(parameters), text);
}

std::string ProgramText::AddRowLoop(absl::string_view wish, absl::Span<const LoopParameter> parameters,
                                    absl::string_view text) {
  return AddFunction(wish, absl::StrCat(kRowRange, ParameterList(parameters)), text);
}

int64_t ProgramText::AddConstant(absl::Span<const uint8_t> bytes, int64_t size) {
  std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  text.resize(static_cast<size_t>(size));
  const auto [found, is_new] = constant_offsets_.emplace(text, static_cast<int64_t>(constants_.size()));
  if (is_new) {
    constants_ += text;
    constants_.resize((constants_.size() + kConstantAlignment - 1) / kConstantAlignment * kConstantAlignment);
  }
  return found->second;
}

}  // namespace hloscope::codegen
