// SPDX-License-Identifier: Apache-2.0
#include "lsp/transport/json_rpc.h"

#include <string>

#include "gtest/gtest.h"
#include "lsp/large_json/large_json.h"
#include "nlohmann/json.hpp"

namespace hloscope::lsp {
namespace {

using nlohmann::json;

TEST(JsonRpcTest, ParsesStrictJson) {
  EXPECT_EQ(ParsePayload(R"({"a":[1,true,"x\ud83d\ude00"]})"), json({{"a", {1, true, "x😀"}}}));
  EXPECT_FALSE(ParsePayload("{").has_value());
  EXPECT_FALSE(ParsePayload("").has_value());
  EXPECT_FALSE(ParsePayload("{} x").has_value());
}

TEST(JsonRpcTest, ReplacesLoneSurrogatesAndBrokenUtf8) {
  EXPECT_EQ(ParsePayload(R"(["\ud83d","\ude00x","\ud83dab","\\ud83d","\ud83d\ude00"])"), json({"\uFFFD", "\uFFFDx",
                                                                                               "\uFFFD"
                                                                                               "ab",
                                                                                               "\\ud83d", "😀"}));
  EXPECT_EQ(ParsePayload("[\"a\xFF"
                         "b\xC3\"]"),
            json(json::array({"a\uFFFD"
                              "b\uFFFD"})));
}

TEST(JsonRpcTest, SurvivesDeepNesting) {
  EXPECT_FALSE(ParsePayload(std::string(1000000, '[')).has_value());
  EXPECT_TRUE(ParsePayload(std::string(100000, '[') + std::string(100000, ']')).has_value());
}

TEST(JsonRpcTest, RequestIds) {
  EXPECT_EQ(ReadRequestId(json(7)), RequestId(int64_t{7}));
  EXPECT_EQ(ReadRequestId(json(-7)), RequestId(int64_t{-7}));
  EXPECT_EQ(ReadRequestId(json("a")), RequestId(std::string("a")));
  EXPECT_FALSE(ReadRequestId(json()).has_value());
  EXPECT_FALSE(ReadRequestId(json(1.5)).has_value());
  EXPECT_FALSE(ReadRequestId(json(18446744073709551615u)).has_value());
  EXPECT_FALSE(ReadRequestId(json::array({1})).has_value());
}

TEST(JsonRpcTest, Payloads) {
  EXPECT_EQ(json::parse(ResultPayload(RequestId(int64_t{3}), "null")),
            json::parse(R"({"jsonrpc":"2.0","id":3,"result":null})"));
  EXPECT_EQ(json::parse(ResultPayload(RequestId(std::string("a\"b")), "[1]")),
            json::parse(R"({"jsonrpc":"2.0","id":"a\"b","result":[1]})"));
  EXPECT_EQ(json::parse(ErrorPayload(std::nullopt, ErrorCode::kParseError, "no\xFF")),
            json::parse(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no\ufffd"}})"));
  EXPECT_EQ(json::parse(NotificationPayload("m", {{"a", 1}})),
            json::parse(R"({"jsonrpc":"2.0","method":"m","params":{"a":1}})"));
}

TEST(JsonRpcTest, LargePayloadsAreReadLikeSmallOnes) {
  SetLargePayloadReader(&ParseLargeJson);
  const std::string padding(1 << 14, ' ');
  std::string deep = "1";
  for (int i = 0; i < 1500; ++i) deep = "[" + deep + "]";
  for (const std::string& text :
       {std::string(
            R"({"a": [1, -2, 3.5, 1e300, true, false, null], "a2": {}, "b": "x\n\u00e9\ud83d\ude00\u0000y", "": []})"),
        std::string(R"({"twice": 1, "twice": 2})"), std::string("18446744073709551615"),
        std::string("-9223372036854775808"), std::string("18446744073709551616"), deep,
        std::string(R"("\ud800 alone")"), std::string("\"\xff\""), std::string("[1,]"), std::string("{\"a\" 1}"),
        std::string("\"open"), std::string("")}) {
    const std::optional<json> small = ParsePayload(text), large = ParsePayload(text + padding);
    ASSERT_EQ(small.has_value(), large.has_value()) << text;
    if (!small.has_value()) continue;
    EXPECT_EQ(*small, *large) << text;
    EXPECT_EQ(small->type(), large->type()) << text;
    EXPECT_EQ(small->dump(-1, ' ', false, json::error_handler_t::replace),
              large->dump(-1, ' ', false, json::error_handler_t::replace));
  }
}

}  // namespace
}  // namespace hloscope::lsp
