// SPDX-License-Identifier: Apache-2.0
// Messages that are none: whatever comes in, `hloscope serve` says what is wrong and reads on.
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
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

}  // namespace
}  // namespace hloscope::cli
