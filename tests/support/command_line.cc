// SPDX-License-Identifier: Apache-2.0
#include "tests/support/command_line.h"

#include <dirent.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "tests/support/shared_files.h"

extern char** environ;

namespace hloscope {
namespace {

const char kBinary[] = HLOSCOPE_BINARY_DIR "/bin/hloscope";

}  // namespace

void CommandLineTest::SetUp() {
  if (access(kBinary, X_OK) != 0) GTEST_SKIP() << kBinary << " is not built";
  char name[] = "/tmp/hloscope_test_XXXXXX";
  ASSERT_NE(mkdtemp(name), nullptr);
  directory_ = name;
}

void CommandLineTest::TearDown() {
  if (directory_.empty()) return;
  for (const std::string& directory : {Out(), directory_}) {
    Clear(directory);
    rmdir(directory.c_str());
  }
}

std::vector<std::string> CommandLineTest::Files(const std::string& directory) {
  std::vector<std::string> names;
  if (DIR* const stream = opendir(directory.c_str())) {
    while (const dirent* entry = readdir(stream)) {
      if (entry->d_name[0] != '.') names.push_back(entry->d_name);
    }
    closedir(stream);
  }
  return names;
}

void CommandLineTest::Clear(const std::string& directory) {
  for (const std::string& file : Files(directory)) unlink((directory + "/" + file).c_str());
}

std::string CommandLineTest::Module(absl::string_view text) const {
  const std::string path = directory_ + "/module.hlo";
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

Outcome CommandLineTest::RunHloscope(std::vector<std::string> arguments, absl::string_view input) const {
  arguments.insert(arguments.begin(), kBinary);
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const std::string in = directory_ + "/stdin", output = directory_ + "/stdout", errors = directory_ + "/stderr";
  std::ofstream(in, std::ios::binary) << input;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, in.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  posix_spawn_file_actions_addopen(&actions, 2, errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  pid_t child = 0;
  Outcome outcome;
  const int error = posix_spawn(&child, kBinary, &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    ADD_FAILURE() << "cannot start " << kBinary;
    return outcome;
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status)) outcome.exit_status = WEXITSTATUS(status);
  outcome.output = ReadFileOrDie(output);
  outcome.errors = ReadFileOrDie(errors);
  return outcome;
}

}  // namespace hloscope
