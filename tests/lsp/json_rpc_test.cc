#include "lsp/transport/json_rpc.h"

#include <string>

#include "gtest/gtest.h"
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

}  // namespace
}  // namespace hloscope::lsp
