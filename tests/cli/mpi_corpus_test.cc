// SPDX-License-Identifier: Apache-2.0
// Real modules for several devices, with smaller sizes: the results of one process under mpirun, for any number of
// processes, and of modules that were cut for several devices. Skipped without MPI or the shared corpus.
#include <cctype>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cli/mpi_test.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

using ::testing::HasSubstr;
using Numbers = std::vector<std::pair<std::string, std::string>>;

// `text` with other whole numbers in place of some: sizes in shapes, attributes and constants alike.
std::string WithOtherSizes(const std::string& text, const Numbers& sizes) {
  const auto is_word = [&](size_t at) {
    return at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_' || text[at] == '.');
  };
  std::string result;
  for (size_t begin = 0, end; begin < text.size(); begin = end) {
    end = begin + 1;
    if (!is_word(begin)) {
      result += text[begin];
      continue;
    }
    while (is_word(end)) ++end;
    std::string word = text.substr(begin, end - begin);
    for (const auto& [from, to] : sizes) {
      if (word != from) continue;
      word = to;
      break;
    }
    result += word;
  }
  return result;
}

class MpiCorpusTest : public MpiTest {
 protected:
  // The path of a module of the corpus, with other sizes.
  std::string Reduced(const std::string& name, const Numbers& sizes) const {
    const std::string path = directory_ + "/reduced.hlo";
    std::ofstream(path) << WithOtherSizes(ReadFileOrDie(CorpusFile(name)), sizes);
    return path;
  }

  void ExpectEqualOnAnyNumberOfProcesses(const std::string& module, const std::string& options) const {
    const std::string run = absl::StrCat(" run ", module, " --fill=random --seed=5 --threads=1 ", options, " --out ");
    const std::string one = directory_ + "/one";
    ASSERT_EQ(std::system(absl::StrCat(Program(), run, one, " 2> /dev/null").c_str()), 0);
    const std::vector<std::string> names = Files(one);
    EXPECT_GT(names.size(), 20u);
    for (int ranks : {1, 2, 3, 4, 8}) {
      SCOPED_TRACE(ranks);
      const std::string out = absl::StrCat(directory_, "/ranks", ranks);
      const Outcome several = RunMpi(absl::StrCat("-n ", ranks, " ", Program(), run, out));
      ASSERT_EQ(several.exit_status, 0) << several.errors;
      ASSERT_EQ(Files(out), names);
      for (const std::string& name : names) {
        EXPECT_EQ(Contents(absl::StrCat(out, "/", name)) == Contents(absl::StrCat(one, "/", name)), true) << name;
      }
    }
  }
};

// Context parallelism over four devices: all-gathers, all-reduces and collective-permutes in the loops of a training
// step. What the attention kernels of its GPU compute is zero.
TEST_F(MpiCorpusTest, ATrainingStepOfLlama) {
  SKIP_WITHOUT_SHARED_FILES();
  const std::string module = Reduced("xla-benchmarks/hlo_llama3_8b_cp_bf16_1x4.hlo", {{"128256", "192"},
                                                                                      {"134742144", "1024"},
                                                                                      {"14336", "64"},
                                                                                      {"8192", "32"},
                                                                                      {"6144", "24"},
                                                                                      {"4096", "32"},
                                                                                      {"2048", "8"},
                                                                                      {"1024", "8"}});
  ExpectEqualOnAnyNumberOfProcesses(module, "'--custom-call=*=zeros'");
}

// A module with shardings and without collectives, cut for its two devices and put together again.
TEST_F(MpiCorpusTest, MixtralIsCutForItsDevices) {
  SKIP_WITHOUT_SHARED_FILES();
  const std::string module =
      Reduced("model-dumps/mixtral_8x7b.inference.2gpu.jit__prefill_jit.hlo",
              {{"32000", "96"}, {"14336", "80"}, {"4096", "48"}, {"1984", "24"}, {"128", "16"}, {"64", "8"}});
  const std::string cut = directory_ + "/cut.hlo", again = directory_ + "/again.hlo";
  ASSERT_EQ(RunHloscope({"shard", module, "--output", cut}).exit_status, 0);
  EXPECT_THAT(Contents(cut), HasSubstr(" all-reduce("));
  EXPECT_THAT(Contents(cut), HasSubstr(" all-gather("));
  ASSERT_EQ(RunHloscope({"unshard", cut, "--output", again}).exit_status, 0);
  const Outcome compared = RunHloscope({"compare", module, again, "--fill=random"});
  EXPECT_EQ(compared.exit_status, 0) << compared.output << compared.errors;
  ExpectEqualOnAnyNumberOfProcesses(cut, "");
}

}  // namespace
}  // namespace hloscope
