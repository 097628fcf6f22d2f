// SPDX-License-Identifier: Apache-2.0
#include "core/lex/lexer.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace hloscope {
namespace {

using Kind = TokenKind;

struct Lexed {
  std::vector<std::pair<Kind, std::string>> tokens;  // without the end
  std::vector<std::string> codes;
};

Lexed LexText(const std::string& text) {
  const auto source = SourceText::FromString("test", text);
  DiagnosticSink sink;
  const TokenBuffer tokens = Lex(*source, sink);
  Lexed result;
  for (TokenIndex i = 0; i + 1 < tokens.size(); ++i) {
    result.tokens.emplace_back(tokens.kind(i), std::string(source->Slice(tokens.range(i))));
  }
  EXPECT_EQ(tokens.kind(static_cast<TokenIndex>(tokens.size() - 1)), Kind::kEndOfFile);
  for (const Diagnostic& d : sink.diagnostics()) result.codes.emplace_back(d.code());
  return result;
}

void ExpectTokens(const std::string& text, std::vector<std::pair<Kind, std::string>> expected) {
  const Lexed lexed = LexText(text);
  EXPECT_EQ(lexed.tokens, expected) << text;
  EXPECT_TRUE(lexed.codes.empty()) << text << ": " << lexed.codes.front();
}

void ExpectError(const std::string& text, const std::string& code) {
  const Lexed lexed = LexText(text);
  ASSERT_EQ(lexed.codes.size(), 1u) << text;
  EXPECT_EQ(lexed.codes[0], code) << text;
}

TEST(Lexer, Words) {
  ExpectTokens(
      "foo.1-x f32 ROOT true",
      {{Kind::kIdentifier, "foo.1-x"}, {Kind::kPrimitiveType, "f32"}, {Kind::kRoot, "ROOT"}, {Kind::kTrue, "true"}});
  // The colon and the equals sign belong to the word, and come before types and keywords.
  ExpectTokens("f32: inf= a :",
               {{Kind::kName, "f32:"}, {Kind::kAttributeName, "inf="}, {Kind::kIdentifier, "a"}, {Kind::kColon, ":"}});
  ExpectTokens("%f32 %x=1 %ROOT:", {{Kind::kName, "%f32"},
                                    {Kind::kName, "%x"},
                                    {Kind::kEquals, "="},
                                    {Kind::kInteger, "1"},
                                    {Kind::kName, "%ROOT"},
                                    {Kind::kColon, ":"}});
}

TEST(Lexer, DimLabelsAreRecognisedAtTheStartOfAWord) {
  ExpectTokens("bf01_oi01->bf01", {{Kind::kDimLabels, "bf01_oi01->bf01"}});
  ExpectTokens("b01f_01io->b01f,", {{Kind::kDimLabels, "b01f_01io->b01f"}, {Kind::kComma, ","}});
  ExpectTokens("01bf_io01->01bf", {{Kind::kDimLabels, "01bf_io01->01bf"}});
  ExpectTokens("?b0_0io?->b0f", {{Kind::kDimLabels, "?b0_0io?->b0f"}});
}

TEST(Lexer, Numbers) {
  ExpectTokens("1 -2 1. -.5 3e+2 1.E5", {{Kind::kInteger, "1"},
                                         {Kind::kInteger, "-2"},
                                         {Kind::kDecimal, "1."},
                                         {Kind::kDecimal, "-.5"},
                                         {Kind::kDecimal, "3e+2"},
                                         {Kind::kDecimal, "1.E5"}});
  ExpectTokens("3x3 0x10 1_2 0_1x-1_2_3",
               {{Kind::kDxD, "3x3"}, {Kind::kDxD, "0x10"}, {Kind::kPad, "1_2"}, {Kind::kPad, "0_1x-1_2_3"}});
  ExpectTokens("-inf nan -nan nan(0x7f) -nan(0x1)", {{Kind::kNegativeInf, "-inf"},
                                                     {Kind::kDecimal, "nan"},
                                                     {Kind::kDecimal, "-nan"},
                                                     {Kind::kDecimal, "nan(0x7f)"},
                                                     {Kind::kDecimal, "-nan(0x1)"}});
  ExpectTokens("18446744073709551615 -9223372036854775808",
               {{Kind::kInteger, "18446744073709551615"}, {Kind::kInteger, "-9223372036854775808"}});
  ExpectError("18446744073709551616", "integer-out-of-range");
  ExpectError("-9223372036854775809", "integer-out-of-range");
  ExpectError("nan(0x0)", "bad-nan-payload");
  ExpectError("nan(0x10000000000000)", "bad-nan-payload");
}

TEST(Lexer, Comments) {
  ExpectTokens(
      "a/* x */b // c\r\nd//e\rf",
      {{Kind::kIdentifier, "a"}, {Kind::kIdentifier, "b"}, {Kind::kIdentifier, "d"}, {Kind::kIdentifier, "f"}});
  ExpectError("a /* never", "unclosed-comment");
}

TEST(Lexer, Strings) {
  ExpectTokens(R"("a\"b" 'c"d')", {{Kind::kString, R"("a\"b")"}, {Kind::kString, R"('c"d')"}});
  ExpectError(R"("a\qb")", "bad-escape");
  ExpectError("\"never", "unclosed-string");
  EXPECT_EQ(DecodeString(R"("\101\x42\u00e9\n")"), std::string("AB\xC3\xA9\n"));
  EXPECT_EQ(DecodeString(R"("\400")"), std::nullopt);
  EXPECT_EQ(DecodeString(R"("\x100")"), std::nullopt);
}

TEST(Lexer, RawBlocks) {
  ExpectTokens(R"(backend_config={a = [1 : i64], s = "}"} x)", {{Kind::kAttributeName, "backend_config="},
                                                                {Kind::kRawBlock, R"({a = [1 : i64], s = "}"})"},
                                                                {Kind::kIdentifier, "x"}});
  ExpectTokens(R"(frontend_attributes={k={x {y}},l="z"} m={1})", {{Kind::kAttributeName, "frontend_attributes="},
                                                                  {Kind::kLeftBrace, "{"},
                                                                  {Kind::kAttributeName, "k="},
                                                                  {Kind::kRawBlock, "{x {y}}"},
                                                                  {Kind::kComma, ","},
                                                                  {Kind::kAttributeName, "l="},
                                                                  {Kind::kString, "\"z\""},
                                                                  {Kind::kRightBrace, "}"},
                                                                  {Kind::kAttributeName, "m="},
                                                                  {Kind::kLeftBrace, "{"},
                                                                  {Kind::kInteger, "1"},
                                                                  {Kind::kRightBrace, "}"}});
  ExpectError("backend_config={", "unclosed-raw-block");
}

TEST(Lexer, BytesOutsideTheGrammar) {
  ExpectError(std::string("a\0\0b", 4), "stray-byte");
  ExpectError("a \xC3\xA9 b", "stray-byte");
  ExpectError("\f", "stray-byte");
  ExpectError("/", "bad-token");
  ExpectError("% x", "percent-without-name");
  ExpectTokens("%1", {{Kind::kName, "%1"}});  // an illegal name, which is said where it is defined
  ExpectError(
      "\xE2\x80\x9C"
      "a\xE2\x80\x9D",
      "typographic-character");
  ExpectError(
      "a\xC2\xA0"
      "b",
      "typographic-character");
  ExpectError(".5", "leading-point");
  ExpectError("-Infinity", "number-spelling");
  // Anything goes in comments and strings.
  ExpectTokens("/*\xC3\xA9*/'\xC3\xA9'", {{Kind::kString, "'\xC3\xA9'"}});
}

}  // namespace
}  // namespace hloscope
