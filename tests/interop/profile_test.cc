// SPDX-License-Identifier: Apache-2.0
// Reading profiles: good ones, and what is wrong with others.
#include "interop/profile/profile.h"

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "interop/proto/xplane.pb.h"
#include "tests/support/shared_files.h"

namespace hloscope::interop {
namespace {

using ::testing::HasSubstr;

absl::StatusOr<Profile> Read(std::string bytes) {
  return ReadProfile(std::make_shared<const std::string>(std::move(bytes)));
}

std::string Problems(const Profile& profile) {
  std::string text;
  for (const auto& [problem, count] : profile.problems) absl::StrAppend(&text, problem, ": ", count, "\n");
  return text;
}

void Name(proto::XPlane* plane, int64_t id, const char* stat) {
  (*plane->mutable_stat_metadata())[id].set_id(id);
  (*plane->mutable_stat_metadata())[id].set_name(stat);
}

TEST(ProfileTest, ARealOne) {
  SKIP_WITHOUT_SHARED_FILES();
  const auto profile = Read(ReadFileOrDie(absl::StrCat(SharedDirectory(), "/interop/legacy.xplane.pb")));
  ASSERT_TRUE(profile.ok()) << profile.status();
  EXPECT_EQ(profile->programs.size(), 8u);
  EXPECT_EQ(Problems(*profile), "");
  size_t events = 0, with_op = 0;
  for (const ProfilePlane& plane : profile->planes) {
    if (!plane.IsDevice()) continue;
    for (const ProfileLine& line : plane.lines) {
      EXPECT_FALSE(line.is_derived) << line.name;
      events += line.events.size();
      for (const ProfileEvent& event : line.events) with_op += event.hlo_op != 0;
    }
  }
  EXPECT_EQ(events, 78u);
  EXPECT_EQ(with_op, 25u);
}

// The first event and the last one are as far apart as numbers go at most.
TEST(ProfileTest, EventsAtTheEndsOfTime) {
  proto::XSpace space;
  proto::XPlane* plane = space.add_planes();
  plane->set_name("/device:GPU:0");
  proto::XLine* line = plane->add_lines();
  line->set_name("Stream #1");
  const auto add = [&](int64_t offset, int64_t duration) {
    proto::XEvent* event = line->add_events();
    event->set_metadata_id(1);
    event->set_offset_ps(offset);
    event->set_duration_ps(duration);
  };
  add(-(int64_t{1} << 62) + 1, 10);
  add((int64_t{1} << 62) - 11, 10);
  add(-(int64_t{1} << 62), 10);
  add((int64_t{1} << 62) - 5, 10);
  add(std::numeric_limits<int64_t>::min(), 10);
  add(std::numeric_limits<int64_t>::max() - 10, 10);
  add(10, std::numeric_limits<int64_t>::max() - 10);
  const auto profile = Read(space.SerializeAsString());
  ASSERT_TRUE(profile.ok()) << profile.status();
  ASSERT_EQ(profile->planes[0].lines[0].events.size(), 2u) << Problems(*profile);
  EXPECT_THAT(Problems(*profile), HasSubstr("an event lies outside of time: it is left out (first: event 1): 5"));
}

TEST(ProfileTest, TimesAndStats) {
  proto::XSpace space;
  proto::XPlane* plane = space.add_planes();
  plane->set_name("/device:GPU:0");
  Name(plane, 1, "hlo_op");
  Name(plane, 2, "fusion.1");
  Name(plane, 3, "program_id");
  (*plane->mutable_event_metadata())[7].set_name("kernel");
  proto::XLine* line = plane->add_lines();
  line->set_name("Stream #1(Kernel)");
  line->set_timestamp_ns(5);
  proto::XEvent* event = line->add_events();
  event->set_metadata_id(7);
  event->set_offset_ps(100);
  event->set_duration_ps(20);
  proto::XStat* op = event->add_stats();
  op->set_metadata_id(1);
  op->set_ref_value(2);
  proto::XStat* program = event->add_stats();
  program->set_metadata_id(3);
  program->set_uint64_value(9);
  proto::XLine* derived = plane->add_lines();
  derived->set_name("XLA Ops - from #1");
  const auto profile = Read(space.SerializeAsString());
  ASSERT_TRUE(profile.ok()) << profile.status();
  const ProfileLine& read = profile->planes[0].lines[0];
  ASSERT_EQ(read.events.size(), 1u);
  EXPECT_EQ(read.events[0].begin_ps, 5100);
  EXPECT_EQ(profile->Text(read.events[0].hlo_op), "fusion.1");
  EXPECT_EQ(read.events[0].program, 9);
  EXPECT_TRUE(profile->planes[0].lines[1].is_derived);
  // The text form says the same.
  const auto text =
      Read("planes { name: \"/device:GPU:0\" lines { name: \"a\" events { metadata_id: 1 duration_ps: 3 } } }");
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_EQ(text->planes[0].lines[0].events[0].duration_ps, 3);
}

TEST(ProfileTest, WhatIsWrongIsCountedAndTheRestIsKept) {
  proto::XSpace space;
  proto::XPlane* plane = space.add_planes();
  plane->set_name("/device:GPU:0");
  Name(plane, 1, "hlo_op");
  (*plane->mutable_event_metadata())[7].set_name("kernel");
  proto::XLine* line = plane->add_lines();
  line->set_name("Stream #1");
  const auto add = [&](int64_t kind, int64_t offset, int64_t duration) {
    proto::XEvent* event = line->add_events();
    event->set_metadata_id(kind);
    event->set_offset_ps(offset);
    event->set_duration_ps(duration);
    return event;
  };
  add(7, 0, 10);
  add(7, 10, -5);             // negative
  add(8, 20, 10);             // no such kind
  add(7, INT64_MAX - 1, 10);  // beyond time
  proto::XStat* stat = add(7, 40, 10)->add_stats();
  stat->set_metadata_id(1);
  stat->set_ref_value(99);  // refers to nothing
  add(7, 50, 10)->add_stats()->set_metadata_id(77);
  const auto profile = Read(space.SerializeAsString());
  ASSERT_TRUE(profile.ok()) << profile.status();
  EXPECT_EQ(profile->planes[0].lines[0].events.size(), 4u);
  const std::string problems = Problems(*profile);
  EXPECT_THAT(problems, HasSubstr("negative duration"));
  EXPECT_THAT(problems, HasSubstr("a kind that its plane does not have"));
  EXPECT_THAT(problems, HasSubstr("outside of time"));
  EXPECT_THAT(problems, HasSubstr("refers to a string"));
}

TEST(ProfileTest, CutFilesKeepWhatIsWhole) {
  SKIP_WITHOUT_SHARED_FILES();
  const std::string whole = ReadFileOrDie(absl::StrCat(SharedDirectory(), "/interop/legacy.xplane.pb"));
  for (size_t part = 1; part < 40; ++part) {
    const auto profile = Read(whole.substr(0, whole.size() * part / 40));
    ASSERT_TRUE(profile.ok()) << part << profile.status();
    EXPECT_THAT(Problems(*profile), HasSubstr("cut off")) << part;
    EXPECT_FALSE(profile->programs.empty());
  }
  EXPECT_FALSE(Read("").ok());
  EXPECT_FALSE(Read(std::string("\x00\x01\x02\x03", 4)).ok());
  EXPECT_FALSE(Read("\x0a\x05\xef\xbf\xbd\xef\xbf\xbd\x01\x02\x03").ok());
}

TEST(ProfileTest, ManyEvents) {
  proto::XSpace space;
  proto::XPlane* plane = space.add_planes();
  plane->set_name("/device:GPU:0");
  Name(plane, 1, "hlo_op");
  Name(plane, 2, "fusion.1");
  (*plane->mutable_event_metadata())[7].set_name("kernel");
  proto::XLine* line = plane->add_lines();
  line->set_name("Stream #1");
  for (int64_t i = 0; i < 200'000; ++i) {
    proto::XEvent* event = line->add_events();
    event->set_metadata_id(7);
    event->set_offset_ps(i * 10);
    event->set_duration_ps(5);
    proto::XStat* op = event->add_stats();
    op->set_metadata_id(1);
    op->set_ref_value(2);
  }
  const std::string bytes = space.SerializeAsString();
  const auto start = std::chrono::steady_clock::now();
  const auto profile = Read(bytes);
  printf("%.3f s\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  ASSERT_TRUE(profile.ok());
  EXPECT_EQ(profile->planes[0].lines[0].events.size(), 200'000u);
}

}  // namespace
}  // namespace hloscope::interop
