// SPDX-License-Identifier: Apache-2.0
// The document of a module that came as a proto equals the one that reading its text gives.
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/document/document.h"
#include "core/document/module_text.h"
#include "google/protobuf/message.h"
#include "gtest/gtest.h"
#include "interop/files/open_file.h"
#include "interop/files/write_file.h"
#include "interop/hlo_proto/module_reader.h"
#include "interop/hlo_proto/module_writer.h"
#include "tests/support/document_equality.h"
#include "tests/support/module_generator.h"
#include "tests/support/shared_files.h"

namespace hloscope::interop {
namespace {

// HLOSCOPE_LONG_TESTS takes all files, whatever they take.
bool TakesAll() {
  const char* const all = std::getenv("HLOSCOPE_LONG_TESTS");
  return all != nullptr && *all != '\0';
}

OpenedFile OpenAsProto(const std::string& text) {
  const auto document = Document::Parse(SourceText::FromString("test", text), {{}, /*parse_only=*/true});
  const absl::StatusOr<std::string> bytes = EncodeModule(document->module(), OutputForm::kProto);
  EXPECT_TRUE(bytes.ok()) << bytes.status();
  absl::StatusOr<OpenedFile> file = OpenBytes("test", *bytes);
  EXPECT_TRUE(file.ok()) << file.status();
  return *std::move(file);
}

// Compares what a text that is made later gives with what the same text gives that was there from the start.
void ExpectAsRead(const std::string& name, const std::shared_ptr<const SourceText>& source, bool parse_only = false) {
  DocumentOptions options;
  options.parse_only = parse_only;
  const auto made = Document::Parse(source, options);
  const auto read = Document::Parse(SourceText::FromString(source->name(), std::string(source->text())), options);
  EXPECT_EQ(DocumentDifference(*made, *read, 60, 1), "") << name;
}

class CountingMaker final : public TextMaker {
 public:
  std::string MakeText() const override {
    ++count;
    return "a\nb\xc3\xa9"
           "c\n";
  }
  mutable int count = 0;
};

TEST(MadeDocumentTest, ATextIsMadeOnceWhenItIsLookedAt) {
  const auto maker = std::make_shared<const CountingMaker>();
  const auto text = SourceText::Later("name", maker);
  EXPECT_EQ(text->name(), "name");
  EXPECT_EQ(text->maker(), maker.get());
  EXPECT_EQ(maker->count, 0);
  EXPECT_EQ(text->line_count(), 3u);
  EXPECT_EQ(text->LineColumnAt(5, ColumnUnit::kUtf16).column, 2u);
  EXPECT_EQ(text->Line(0), "a");
  EXPECT_EQ(maker->count, 1);
}

TEST(MadeDocumentTest, GeneratedModules) {
  int made = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    const OpenedFile file = OpenAsProto(RandomModule(seed));
    made += file.modules[0].text->maker() != nullptr ? 1 : 0;
    ASSERT_EQ(file.modules[0].text->text(),
              *EncodeModule(Document::Parse(file.modules[0].text)->module(), OutputForm::kText));
    ExpectAsRead(absl::StrCat("seed ", seed), file.modules[0].text);
    if (HasFailure()) return;
  }
  EXPECT_EQ(made, 150);
}

TEST(MadeDocumentTest, Corpus) {
  SKIP_WITHOUT_SHARED_FILES();
  for (const std::string& path : CorpusFiles()) {
    if (!TakesAll() && std::filesystem::file_size(path) > 600000) continue;
    const OpenedFile file = OpenAsProto(ReadFileOrDie(path));
    // Also where values were left out when the text was printed.
    EXPECT_NE(file.modules[0].text->maker(), nullptr) << path;
    ExpectAsRead(path, file.modules[0].text);
    ExpectAsRead(path, file.modules[0].text, /*parse_only=*/true);
    if (HasFailure()) return;
  }
}

TEST(MadeDocumentTest, FilesOfXla) {
  SKIP_WITHOUT_SHARED_FILES();
  for (const auto& entry : std::filesystem::directory_iterator(SharedDirectory() + "/interop")) {
    const absl::StatusOr<OpenedFile> file = OpenFile(entry.path().string());
    if (!file.ok() || !file->is_proto) continue;
    ExpectAsRead(entry.path().string(), file->modules[0].text);
  }
}

// Changes fields of messages at random: values that no writer gives, and fields that no opcode has.
class Mutator {
 public:
  explicit Mutator(uint64_t seed) : random_(seed) {}

  void Mutate(google::protobuf::Message* message, int depth) {
    const google::protobuf::Descriptor& type = *message->GetDescriptor();
    const google::protobuf::Reflection& reflection = *message->GetReflection();
    if (type.field_count() == 0) return;
    // Mostly what is there.
    std::vector<const google::protobuf::FieldDescriptor*> set;
    reflection.ListFields(*message, &set);
    const bool is_set = !set.empty() && Pick(4) > 0;
    const auto* field = is_set ? set[Pick(set.size())] : type.field(static_cast<int>(Pick(type.field_count())));
    if (field->is_map() || field->name() == "name" || (depth == 0 && field->name() == "id")) return;
    if (field->cpp_type() == google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE) {
      if (depth > 5) return;
      google::protobuf::Message* inner = nullptr;
      if (!field->is_repeated()) {
        inner = reflection.MutableMessage(message, field);
      } else {
        const int count = reflection.FieldSize(*message, field);
        if (count > 0 && Pick(5) == 0) {
          reflection.RemoveLast(message, field);
          return;
        }
        inner = count == 0 || Pick(4) == 0
                    ? reflection.AddMessage(message, field)
                    : reflection.MutableRepeatedMessage(message, field, static_cast<int>(Pick(count)));
      }
      Mutate(inner, depth + 1);
      return;
    }
    if (Pick(6) == 0) {
      reflection.ClearField(message, field);
    } else {
      SetScalar(message, *field);
    }
  }

  size_t Pick(size_t count) { return random_() % count; }

 private:
  int64_t Number() {
    static constexpr int64_t kNumbers[] = {-1,
                                           0,
                                           1,
                                           2,
                                           3,
                                           4,
                                           7,
                                           64,
                                           1000,
                                           std::numeric_limits<int32_t>::max(),
                                           std::numeric_limits<int64_t>::min(),
                                           std::numeric_limits<int64_t>::max()};
    return kNumbers[Pick(std::size(kNumbers))];
  }

  void SetScalar(google::protobuf::Message* message, const google::protobuf::FieldDescriptor& field) {
    using Field = google::protobuf::FieldDescriptor;
    const google::protobuf::Reflection& reflection = *message->GetReflection();
    const auto set = [&](auto setter, auto adder, auto value) {
      if (field.is_repeated()) {
        (reflection.*adder)(message, &field, value);
      } else {
        (reflection.*setter)(message, &field, value);
      }
    };
    using R = google::protobuf::Reflection;
    switch (field.cpp_type()) {
      case Field::CPPTYPE_INT32:
        return set(&R::SetInt32, &R::AddInt32, static_cast<int32_t>(Number()));
      case Field::CPPTYPE_INT64:
        return set(&R::SetInt64, &R::AddInt64, Number());
      case Field::CPPTYPE_UINT32:
        return set(&R::SetUInt32, &R::AddUInt32, static_cast<uint32_t>(Number()));
      case Field::CPPTYPE_UINT64:
        return set(&R::SetUInt64, &R::AddUInt64, static_cast<uint64_t>(Number()));
      case Field::CPPTYPE_DOUBLE:
        return set(&R::SetDouble, &R::AddDouble, static_cast<double>(Number()));
      case Field::CPPTYPE_FLOAT:
        return set(&R::SetFloat, &R::AddFloat, static_cast<float>(Number()));
      case Field::CPPTYPE_BOOL:
        return set(&R::SetBool, &R::AddBool, Pick(2) == 1);
      case Field::CPPTYPE_ENUM:
        return set(&R::SetEnumValue, &R::AddEnumValue, static_cast<int>(Pick(12)));
      case Field::CPPTYPE_STRING: {
        static constexpr const char* kStrings[] = {"",  "x",  "{\"a\":1}", "a b", "\"",
                                                   "}", "\n", "add",       "f32", "caf\xc3\xa9"};
        return set(&R::SetString, &R::AddString, std::string(kStrings[Pick(std::size(kStrings))]));
      }
      case Field::CPPTYPE_MESSAGE:
        return;
    }
  }

  std::mt19937_64 random_;
};

TEST(MadeDocumentTest, ProtosThatNoWriterMakes) {
  const int count = TakesAll() ? 100000 : 1500;
  int made = 0;
  for (int i = 0; i < count; ++i) {
    const std::string text = RandomModule(static_cast<uint64_t>(i % 40));
    const auto document = Document::Parse(SourceText::FromString("test", text), {{}, /*parse_only=*/true});
    proto::HloModuleProto module;
    ASSERT_TRUE(WriteHloModule(document->module(), &module).ok());
    Mutator mutator(static_cast<uint64_t>(i));
    for (size_t k = 0; k <= mutator.Pick(3); ++k) {
      auto* computation = module.mutable_computations(static_cast<int>(mutator.Pick(module.computations_size())));
      if (mutator.Pick(10) == 0 || computation->instructions().empty()) {
        mutator.Mutate(&module, 0);
      } else {
        mutator.Mutate(
            computation->mutable_instructions(static_cast<int>(mutator.Pick(computation->instructions_size()))), 0);
      }
      if (module.computations().empty()) break;
    }
    const std::string bytes = module.SerializeAsString();
    const absl::StatusOr<OpenedFile> file = OpenBytes("test", bytes);
    if (!file.ok()) continue;
    // Whatever keeps the module from being taken as it is, its text is that of what was read.
    ProtoPlace place;
    const absl::StatusOr<ReadModule> read = ReadHloModule(bytes, &place);
    ASSERT_TRUE(read.ok()) << read.status();
    if (read->unknown_opcodes.empty()) {
      ASSERT_EQ(file->modules[0].text->text(), *EncodeModule(read->module, OutputForm::kText)) << "number " << i;
    }
    if (file->modules[0].text->maker() == nullptr) continue;
    ++made;
    ExpectAsRead(absl::StrCat("number ", i), file->modules[0].text);
    if (HasFailure()) return;
  }
  EXPECT_GT(made, count / 10);
}

}  // namespace
}  // namespace hloscope::interop
