// SPDX-License-Identifier: Apache-2.0
// From the text of an expression to its nodes.
#include <algorithm>
#include <cctype>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "core/diagnostics/suggestions.h"
#include "evaluator/debugger/expression.h"

namespace hloscope::evaluator {
namespace {

constexpr int kMaxDepth = 200;

constexpr absl::string_view kFunctions[] = {
    "abs",  "all",   "allclose", "any",      "argmax", "argmin", "ceil", "cos", "count",   "equal", "exp",
    "file", "floor", "imag",     "isfinite", "isinf",  "isnan",  "log",  "max", "maxdiff", "mean",  "min",
    "norm", "real",  "round",    "sign",     "sin",    "size",   "sqrt", "std", "sum",     "tanh"};
constexpr absl::string_view kVariables[] = {"device", "false", "hits", "inf", "iteration", "nan", "position", "true"};
// The longer ones first.
constexpr absl::string_view kOperators[] = {"||", "&&", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "!"};

bool IsNameStart(char c) { return absl::ascii_isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool IsNamePart(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-';
}

template <typename Range>
bool Contains(const Range& range, absl::string_view word) {
  return std::find(std::begin(range), std::end(range), word) != std::end(range);
}

// How tightly an operator binds; 0 for what is none.
int Precedence(absl::string_view op) {
  if (op == "||") return 1;
  if (op == "&&") return 2;
  if (op == "==" || op == "!=" || op == "<" || op == "<=" || op == ">" || op == ">=") return 3;
  if (op == "+" || op == "-") return 4;
  if (op == "*" || op == "/" || op == "%") return 5;
  return 0;
}

class Parser {
 public:
  Parser(absl::string_view text, const NameIndex& names, ExpressionError* error)
      : text_(text), names_(names), error_(error) {}

  std::optional<ExpressionNode> ParseAll() {
    SkipSpace();
    if (at_ == text_.size()) return Fail(at_, at_, "there is no expression");
    std::optional<ExpressionNode> node = ParseBinary(1);
    if (!node.has_value()) return node;
    SkipSpace();
    if (at_ == text_.size()) return node;
    if (text_[at_] == '=') return Fail(at_, at_ + 1, "one `=` compares nothing; write `==`");
    if (text_[at_] == '&' || text_[at_] == '|') {
      return Fail(at_, at_ + 1, absl::StrCat("write `", text_.substr(at_, 1), text_.substr(at_, 1), "`"));
    }
    return Fail(
        at_, EndOfWord(),
        absl::StrCat("`", text_.substr(at_, EndOfWord() - at_), "` does not go on with the expression before it"));
  }

 private:
  std::nullopt_t Fail(size_t begin, size_t end, std::string message) {
    if (error_->message.empty()) *error_ = {begin, end, std::move(message)};
    return std::nullopt;
  }
  void SkipSpace() {
    while (at_ < text_.size() && absl::ascii_isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  size_t EndOfWord() const {
    size_t end = at_;
    while (end < text_.size() && IsNamePart(text_[end])) ++end;
    return std::max(end, std::min(at_ + 1, text_.size()));
  }
  bool Accept(absl::string_view token) {
    SkipSpace();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  absl::string_view PeekOperator() {
    SkipSpace();
    for (absl::string_view op : kOperators) {
      if (text_.substr(at_, op.size()) == op) return op;
    }
    return {};
  }

  std::optional<ExpressionNode> ParseBinary(int lowest) {
    if (++depth_ > kMaxDepth) return Fail(at_, at_ + 1, "the expression is nested too deeply");
    std::optional<ExpressionNode> left = ParseUnary();
    bool compared = false;
    while (left.has_value()) {
      const absl::string_view op = PeekOperator();
      const int precedence = Precedence(op);
      if (precedence < lowest) break;
      const size_t begin = at_;
      if (precedence == 3 && compared) {
        return Fail(begin, begin + op.size(), "comparisons do not chain; join them with `&&`");
      }
      compared |= precedence == 3;
      at_ += op.size();
      std::optional<ExpressionNode> right = ParseBinary(precedence + 1);
      if (!right.has_value()) return right;
      ExpressionNode node;
      node.kind = ExpressionNode::Kind::kBinary;
      node.begin = left->begin;
      node.end = right->end;
      node.name = std::string(op);
      node.operands.push_back(*std::move(left));
      node.operands.push_back(*std::move(right));
      left = std::move(node);
    }
    --depth_;
    return left;
  }

  std::optional<ExpressionNode> ParseUnary() {
    SkipSpace();
    const size_t begin = at_;
    if (text_.substr(at_, 2) != "!=" && (Accept("!") || Accept("-"))) {
      if (++depth_ > kMaxDepth) return Fail(at_, at_ + 1, "the expression is nested too deeply");
      std::optional<ExpressionNode> operand = ParseUnary();
      if (!operand.has_value()) return operand;
      --depth_;
      ExpressionNode node;
      node.kind = ExpressionNode::Kind::kUnary;
      node.begin = begin;
      node.end = operand->end;
      node.name = std::string(text_.substr(begin, 1));
      node.operands.push_back(*std::move(operand));
      return node;
    }
    return ParsePostfix();
  }

  std::optional<ExpressionNode> ParsePostfix() {
    std::optional<ExpressionNode> node = ParsePrimary();
    while (node.has_value()) {
      SkipSpace();
      if (at_ < text_.size() && text_[at_] == '[') {
        node = ParseSubscripts(*std::move(node));
      } else if (at_ < text_.size() && text_[at_] == '{') {
        node = ParseElement(*std::move(node));
      } else {
        break;
      }
    }
    return node;
  }

  std::optional<ExpressionNode> ParseSubscripts(ExpressionNode base) {
    ExpressionNode node;
    node.kind = ExpressionNode::Kind::kIndex;
    node.begin = base.begin;
    const size_t open = at_++;
    node.operands.push_back(std::move(base));
    if (!Accept("]")) {
      do {
        ExpressionNode::Subscript subscript;
        SkipSpace();
        subscript.begin = at_;
        std::optional<size_t>* const parts[] = {&subscript.start, &subscript.stop, &subscript.step};
        size_t part = 0;
        bool written = false;
        for (;;) {
          SkipSpace();
          if (at_ >= text_.size()) return Fail(open, open + 1, "this `[` is not closed");
          if (text_[at_] == ']' || text_[at_] == ',') break;
          if (text_[at_] == ':') {
            if (++part > 2) return Fail(at_, at_ + 1, "a slice has at most start:stop:step");
            ++at_;
            written = false;
            continue;
          }
          if (written) return Fail(at_, EndOfWord(), "expected `,`, `:` or `]`");
          std::optional<ExpressionNode> bound = ParseBinary(1);
          if (!bound.has_value()) return bound;
          *parts[part] = node.operands.size();
          node.operands.push_back(*std::move(bound));
          written = true;
        }
        subscript.end = at_;
        subscript.single = part == 0;
        if (subscript.single && !subscript.start.has_value()) return Fail(at_, at_ + 1, "an index is missing");
        node.subscripts.push_back(subscript);
      } while (Accept(","));
      if (!Accept("]")) return Fail(at_, at_ + 1, "expected `]`");
    }
    node.end = at_;
    return node;
  }

  std::optional<ExpressionNode> ParseElement(ExpressionNode base) {
    ExpressionNode node;
    node.kind = ExpressionNode::Kind::kElement;
    node.begin = base.begin;
    ++at_;
    do {
      SkipSpace();
      const size_t begin = at_;
      while (at_ < text_.size() && absl::ascii_isdigit(static_cast<unsigned char>(text_[at_]))) ++at_;
      int64_t number = 0;
      if (!absl::SimpleAtoi(text_.substr(begin, at_ - begin), &number)) {
        return Fail(begin, std::max(at_, begin + 1), "braces take the number of a tuple's element, as in `t{1}`");
      }
      node.path.push_back(number);
    } while (Accept(","));
    if (!Accept("}")) return Fail(at_, at_ + 1, "expected `}`");
    node.end = at_;
    node.operands.push_back(std::move(base));
    return node;
  }

  std::optional<ExpressionNode> ParsePrimary() {
    SkipSpace();
    const size_t begin = at_;
    if (at_ == text_.size()) return Fail(at_, at_, "the expression ends too early");
    const char c = text_[at_];
    if (c == '(') {
      ++at_;
      std::optional<ExpressionNode> inner = ParseBinary(1);
      if (!inner.has_value()) return inner;
      if (!Accept(")")) return Fail(begin, begin + 1, "this `(` is not closed");
      inner->begin = begin;
      inner->end = at_;
      return inner;
    }
    if (c == '"' || c == '\'') {
      const size_t close = text_.find(c, at_ + 1);
      if (close == absl::string_view::npos) return Fail(begin, text_.size(), "the quotation is not closed");
      ExpressionNode node = Node(ExpressionNode::Kind::kString, begin, close + 1);
      node.name = std::string(text_.substr(begin + 1, close - begin - 1));
      at_ = close + 1;
      return node;
    }
    if (absl::ascii_isdigit(static_cast<unsigned char>(c)) || c == '.') return ParseNumber();
    if (IsNameStart(c) || c == '%') return ParseName();
    return Fail(at_, at_ + 1, absl::StrCat("expected a value, a number or `(`, not `", text_.substr(at_, 1), "`"));
  }

  static ExpressionNode Node(ExpressionNode::Kind kind, size_t begin, size_t end) {
    ExpressionNode node;
    node.kind = kind;
    node.begin = begin;
    node.end = end;
    return node;
  }

  std::optional<ExpressionNode> ParseNumber() {
    const size_t begin = at_;
    const auto digits = [&]() {
      while (at_ < text_.size() && absl::ascii_isdigit(static_cast<unsigned char>(text_[at_]))) ++at_;
    };
    digits();
    if (at_ < text_.size() && text_[at_] == '.') {
      ++at_;
      digits();
    }
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      ++at_;
      if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
      digits();
    }
    ExpressionNode node = Node(ExpressionNode::Kind::kNumber, begin, at_);
    if (!absl::SimpleAtod(text_.substr(begin, at_ - begin), &node.number)) {
      return Fail(begin, at_, absl::StrCat("`", text_.substr(begin, at_ - begin), "` is not a number"));
    }
    return node;
  }

  std::optional<ExpressionNode> ParseName() {
    const size_t begin = at_;
    const bool marked = Accept("%");
    const size_t first = at_;
    while (at_ < text_.size() &&
           (IsNamePart(text_[at_]) || text_.substr(at_, 3) == "::%" ||
            (text_.substr(at_, 2) == "::" && at_ + 2 < text_.size() && IsNameStart(text_[at_ + 2])))) {
      at_ += text_.substr(at_, 3) == "::%" ? 3 : text_[at_] == ':' ? 2 : 1;
    }
    absl::string_view word = text_.substr(first, at_ - first);
    const size_t whole = word.size();
    // The longest beginning that means something, so that `-` and a `.` at the end may also be what they are elsewhere.
    const auto means = [&](absl::string_view candidate) {
      return names_.IsInstruction(candidate) ||
             (!marked && (Contains(kVariables, candidate) || Contains(kFunctions, candidate)));
    };
    const auto shorten = [&](absl::string_view candidate) {
      while (!candidate.empty() && !means(candidate)) candidate.remove_suffix(1);
      return candidate;
    };
    bool breaks_well = true;
    for (absl::string_view rest = word; breaks_well && !rest.empty() && IsNameStart(rest[0]);) {
      const absl::string_view known = shorten(rest);
      breaks_well = !known.empty() && (known.size() == rest.size() || rest[known.size()] == '-');
      rest.remove_prefix(std::min(rest.size(), known.size() + 1));
    }
    word = shorten(word);
    if (word.empty() || !breaks_well) {
      word = text_.substr(first, whole);
      const size_t after = text_.find_first_not_of(' ', at_);
      const bool is_call = !marked && after != absl::string_view::npos && text_[after] == '(';
      if (is_call) {
        return Fail(begin, at_, absl::StrCat("there is no function `", word, "`", DidYouMean(word, kFunctions)));
      }
      return Fail(begin, at_, absl::StrCat("there is no instruction `", word, "`", names_.SuggestInstruction(word)));
    }
    at_ = first + word.size();
    SkipSpace();
    if (!marked && at_ < text_.size() && text_[at_] == '(' && Contains(kFunctions, word)) return ParseCall(begin, word);
    at_ = first + word.size();
    ExpressionNode node = Node(ExpressionNode::Kind::kValue, begin, at_);
    node.name = std::string(word);
    if (names_.IsInstruction(word)) return node;
    if (Contains(kVariables, word)) {
      node.kind = ExpressionNode::Kind::kVariable;
      return node;
    }
    return Fail(begin, at_, absl::StrCat("the function `", word, "` needs its arguments in parentheses"));
  }

  std::optional<ExpressionNode> ParseCall(size_t begin, absl::string_view function) {
    ExpressionNode node = Node(ExpressionNode::Kind::kCall, begin, begin);
    node.name = std::string(function);
    const size_t open = at_++;
    if (!Accept(")")) {
      do {
        std::optional<ExpressionNode> argument = ParseBinary(1);
        if (!argument.has_value()) return argument;
        node.operands.push_back(*std::move(argument));
      } while (Accept(","));
      if (!Accept(")")) return Fail(open, open + 1, "this `(` is not closed");
    }
    node.end = at_;
    return node;
  }

  const absl::string_view text_;
  const NameIndex& names_;
  ExpressionError* const error_;
  size_t at_ = 0;
  int depth_ = 0;
};

void CollectNames(const ExpressionNode& node, std::vector<std::string>& names) {
  if (node.kind == ExpressionNode::Kind::kValue && !Contains(names, node.name)) names.push_back(node.name);
  for (const ExpressionNode& operand : node.operands) CollectNames(operand, names);
}

}  // namespace

absl::Span<const absl::string_view> ExpressionFunctions() { return kFunctions; }
absl::Span<const absl::string_view> ExpressionVariables() { return kVariables; }

std::string RenderExpressionError(absl::string_view text, const ExpressionError& error) {
  const size_t begin = std::min(error.begin, text.size());
  const size_t width =
      std::max<size_t>(1, std::min(error.end, text.size()) - std::min(begin, std::min(error.end, text.size())));
  std::string carets(width, '~');
  carets[0] = '^';
  return absl::StrCat("  ", text, "\n  ", std::string(begin, ' '), carets, "\n  ", error.message, "\n");
}

std::optional<Expression> Expression::Parse(absl::string_view text, const NameIndex& names, ExpressionError* error) {
  *error = ExpressionError();
  Expression expression;
  expression.text_ = std::string(text);
  std::optional<ExpressionNode> root = Parser(expression.text_, names, error).ParseAll();
  if (!root.has_value()) return std::nullopt;
  expression.root_ = std::make_shared<ExpressionNode>(*std::move(root));
  return expression;
}

std::vector<std::string> Expression::ValueNames() const {
  std::vector<std::string> names;
  CollectNames(*root_, names);
  return names;
}

}  // namespace hloscope::evaluator
