// SPDX-License-Identifier: Apache-2.0
#include "lsp/transport/framing.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace hloscope::lsp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Payloads as they are, problems as "error: ...".
std::vector<std::string> Drain(MessageFramer& framer) {
  std::vector<std::string> events;
  while (auto event = framer.Next()) {
    events.push_back(event->kind == MessageFramer::Event::Kind::kError ? "error: " + event->text : event->text);
  }
  return events;
}

std::vector<std::string> Frames(const std::string& bytes, uint64_t max_payload = 1000) {
  MessageFramer framer(max_payload);
  framer.Append(bytes);
  return Drain(framer);
}

TEST(FramingTest, ReadsWhatItWrites) {
  EXPECT_EQ(EncodeFrame("{}"), "Content-Length: 2\r\n\r\n{}");
  EXPECT_THAT(Frames(EncodeFrame("one") + EncodeFrame("") + EncodeFrame("three\r\n\r\n")),
              ElementsAre("one", "", "three\r\n\r\n"));
}

TEST(FramingTest, TakesBytesInPiecesOfAnySize) {
  const std::string bytes = EncodeFrame("hello") + "Content-Type: x; charset=utf-8\r\ncontent-length:3\r\n\r\nabc";
  for (size_t piece = 1; piece <= bytes.size(); ++piece) {
    MessageFramer framer;
    std::vector<std::string> events;
    for (size_t at = 0; at < bytes.size(); at += piece) {
      framer.Append(absl::string_view(bytes).substr(at, piece));
      for (std::string& event : Drain(framer)) events.push_back(std::move(event));
    }
    EXPECT_THAT(events, ElementsAre("hello", "abc")) << piece;
  }
}

TEST(FramingTest, WaitsForTheRestOfAPayload) {
  MessageFramer framer;
  framer.Append("Content-Length: 1000000000\r\n\r\nabc");
  EXPECT_THAT(Drain(framer), IsEmpty());
}

TEST(FramingTest, LineFeedAloneEndsAHeaderLine) { EXPECT_THAT(Frames("Content-Length: 2\n\n{}"), ElementsAre("{}")); }

TEST(FramingTest, ReportsAHeaderWithoutLengthAndGoesOn) {
  EXPECT_THAT(Frames("Foo: 1\r\n\r\n" + EncodeFrame("{}")), ElementsAre(HasSubstr("error: expected"), "{}"));
  EXPECT_THAT(Frames("Content-Length: x\r\n\r\n" + EncodeFrame("{}")), ElementsAre(HasSubstr("error: expected"), "{}"));
  EXPECT_THAT(Frames("Content-Length: -5\r\n\r\n" + EncodeFrame("{}")),
              ElementsAre(HasSubstr("error: expected"), "{}"));
  EXPECT_THAT(Frames("Content-Length: 99999999999999999999999\r\n\r\n" + EncodeFrame("{}")),
              ElementsAre(HasSubstr("error: expected"), "{}"));
}

TEST(FramingTest, FindsTheNextFrameAfterAWrongLength) {
  // The payload is longer than its header says: the rest comes before the next header.
  EXPECT_THAT(Frames("Content-Length: 2\r\n\r\n{\"a\":1}" + EncodeFrame("{}")),
              ElementsAre("{\"", HasSubstr("error: skipped"), "{}"));
}

TEST(FramingTest, SkipsBinaryGarbage) {
  std::string garbage;
  for (int i = 0; i < 200000; ++i) garbage.push_back(static_cast<char>(i * 7919 >> 3));
  std::vector<std::string> events = Frames(garbage + "\r\n\r\n" + EncodeFrame("{}"));
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.back(), "{}");
}

TEST(FramingTest, SkipsAPayloadOverTheLimit) {
  EXPECT_THAT(Frames(EncodeFrame(std::string(1001, 'x')) + EncodeFrame("{}")),
              ElementsAre("error: a message of 1001 bytes exceeds the limit of 1000 bytes", "{}"));
}

}  // namespace
}  // namespace hloscope::lsp
