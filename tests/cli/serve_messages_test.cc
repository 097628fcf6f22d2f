// SPDX-License-Identifier: Apache-2.0
// Messages that are none: whatever comes in, `hloscope serve` says what is wrong and reads on.
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/command_line.h"

namespace hloscope::cli {
namespace {

using ::testing::HasSubstr;

class ServeMessagesTest : public CommandLineTest {
 protected:
  // The answers to all that is sent, one a line.
  std::string Answers(const std::string& sent) const {
    const std::string input = directory_ + "/sent", output = directory_ + "/answers";
    std::ofstream(input) << sent;
    const std::string command =
        absl::StrCat(HLOSCOPE_BINARY_DIR, "/bin/hloscope serve --stdio < '", input, "' > '", output, "'");
    const int status = system(command.c_str());
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    std::stringstream answers;
    answers << std::ifstream(output).rdbuf();
    return answers.str();
  }
};

TEST_F(ServeMessagesTest, DeepNestingIsRefused) {
  const std::string open(1000000, '['), close(1000000, ']');
  const std::string version = R"({"jsonrpc":"2.0","id":7,"method":"version"})";
  for (const std::string& message :
       {absl::StrCat(R"({"jsonrpc":"2.0","method":"version","id":)", open, close, "}"),
        absl::StrCat(R"({"jsonrpc":"2.0","id":1,"method":"open","params":)", open, close, "}"),
        absl::StrCat(R"({"jsonrpc":"2.0","id":1,"method":"command","params":{"arguments":)", open, close, "}}")}) {
    const std::string answers = Answers(absl::StrCat(message, "\n", version, "\n"));
    EXPECT_THAT(answers, HasSubstr("a message is nested at most 200 deep"));
    EXPECT_THAT(answers, HasSubstr(R"("id":7,"result")"));
  }
}

TEST_F(ServeMessagesTest, BracketsInStringsAreNoNesting) {
  const std::string name(1000, '[');
  const std::string answers =
      Answers(absl::StrCat(R"({"jsonrpc":"2.0","id":"\"\\)", name, R"(","method":"version"})", "\n"));
  EXPECT_THAT(answers, HasSubstr(absl::StrCat(R"("id":"\"\\)", name, R"(","result")")));
}

// Long texts are written in parts, which may begin inside a character.
TEST_F(ServeMessagesTest, LongTextsComeBackWhole) {
  std::string text = "HloModule m\n// ";
  for (int i = 0; i < 60000; ++i) absl::StrAppend(&text, i % 7, "\xc3\xa9\xe2\x82\xac\"\\\t\xf0\x9f\x99\x82");
  absl::StrAppend(&text, "\nENTRY e { ROOT p = f32[] parameter(0) }\n");
  const auto request = [](int id, absl::string_view method, const nlohmann::json& params) {
    return nlohmann::json{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}}.dump() + "\n";
  };
  const std::vector<std::string> answers = absl::StrSplit(
      Answers(request(1, "open", {{"text", text}}) + request(2, "text", {{"handle", 1}})), '\n', absl::SkipEmpty());
  ASSERT_EQ(answers.size(), 2u);
  const nlohmann::json answer = nlohmann::json::parse(answers[1]);
  EXPECT_EQ(answer["id"], 2);
  EXPECT_TRUE(answer["result"]["text"] == text);
}

}  // namespace
}  // namespace hloscope::cli
