// SPDX-License-Identifier: Apache-2.0
#include "interop/profile/profile.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "interop/files/file_kind.h"
#include "interop/files/parse_message.h"
#include "interop/proto/xplane.pb.h"
#include "interop/wire/wire.h"

namespace hloscope::interop {
namespace {

constexpr size_t kMaxProblemKinds = 100;
// The difference of two times of events is a number too. (2^62 ps are 53 days.)
constexpr int64_t kLatestTime = (int64_t{1} << 62) - 1;
constexpr int64_t kFirstDerivedLine = 3735928559;  // 0xdeadbeef

// Which stats of events and their kinds are of use here.
enum class StatName : uint8_t {
  kOther,
  kHloOp,
  kHloModule,
  kProgramId,
  kCorrelationId,
  kRunId,
  kDeviceId,
  kDeviceOffset,
  kDeviceDuration,
  kHloProto,
  kDeduplicated,
  kCategory,
  kFlops,
  kBytesAccessed,
};

StatName StatNameOf(absl::string_view name) {
  static const auto* const kNames = new absl::flat_hash_map<absl::string_view, StatName>({
      {"hlo_op", StatName::kHloOp},
      {"hlo_module", StatName::kHloModule},
      {"program_id", StatName::kProgramId},
      {"correlation_id", StatName::kCorrelationId},
      {"run_id", StatName::kRunId},
      {"device_id", StatName::kDeviceId},
      {"device_offset_ps", StatName::kDeviceOffset},
      {"device_duration_ps", StatName::kDeviceDuration},
      {"Hlo Proto", StatName::kHloProto},
      {"hlo_proto", StatName::kHloProto},
      {"deduplicated_name", StatName::kDeduplicated},
      {"hlo_category", StatName::kCategory},
      {"flops", StatName::kFlops},
      {"bytes_accessed", StatName::kBytesAccessed},
  });
  const auto found = kNames->find(name);
  return found == kNames->end() ? StatName::kOther : found->second;
}

bool IsDerivedName(absl::string_view name) {
  name = name.substr(0, name.find(" - from #"));
  for (absl::string_view derived :
       {"Steps", "Launch Stats", "Framework Name Scope", "Framework Ops", "XLA Modules", "XLA Ops", "Source code",
        "Source Code", "TensorFlow Name Scope", "TensorFlow Ops", "XLA TraceMe", "Source"}) {
    if (name == derived) return true;
  }
  return false;
}

// A stat as it is in the file.
struct Stat {
  int64_t metadata = 0;
  uint64_t number = 0;  // of integers and references, and the bits of a double
  absl::string_view text;
  enum class Type : uint8_t { kNone, kDouble, kUnsigned, kSigned, kText, kReference } type = Type::kNone;

  int64_t AsInt() const {
    if (type != Type::kDouble) return static_cast<int64_t>(number);
    double value;
    std::memcpy(&value, &number, sizeof value);
    return value >= -9e18 && value <= 9e18 ? static_cast<int64_t>(value) : -1;
  }
};

struct StatKind {
  std::string name;
  StatName use = StatName::kOther;
};

class PlaneReader;

class ProfileReader {
 public:
  ProfileReader(std::shared_ptr<const std::string> bytes, Profile* profile) : profile_(profile) {
    profile->bytes = std::move(bytes);
  }

  void Read();

  // `example` is shown for the first of a kind.
  void Problem(absl::string_view kind, absl::string_view example = "") {
    const auto known = first_of_kind_.find(kind);
    if (known != first_of_kind_.end()) {
      ++profile_->problems[known->second];
      return;
    }
    if (first_of_kind_.size() >= kMaxProblemKinds) return;
    std::string text(kind);
    if (!example.empty()) absl::StrAppend(&text, " (first: ", example, ")");
    first_of_kind_.emplace(kind, text);
    ++profile_->problems[text];
  }

  ProfileString Intern(absl::string_view text) {
    if (text.empty()) return 0;
    const auto [it, inserted] = interned_.try_emplace(text, static_cast<ProfileString>(profile_->strings.size()));
    if (inserted) profile_->strings.emplace_back(text);
    return it->second;
  }

  // A part of the file that may be cut or damaged.
  void CheckEnd(const WireReader& reader, absl::string_view part, absl::string_view whole) {
    if (!reader.fault() && !reader.was_cut()) return;
    Problem("a part of the file is cut off or damaged: what is before it is used",
            absl::StrCat(part, ": ", reader.fault().value_or("the file ends inside of it"), ", at byte ",
                         static_cast<size_t>(whole.data() - profile_->bytes->data()) + reader.offset()));
  }

  void AddProgram(ProfileProgram program) {
    const auto [it, inserted] = program_of_.try_emplace(program.id, profile_->programs.size());
    if (inserted) {
      profile_->programs.push_back(std::move(program));
      return;
    }
    ProfileProgram& other = profile_->programs[it->second];
    if (other.hlo_proto.empty()) {
      other = std::move(program);
    } else if (!program.hlo_proto.empty() && other.hlo_proto != program.hlo_proto) {
      Problem("two programs have one id: the first is taken", absl::StrCat("id ", other.id));
    }
  }

  Profile& profile() { return *profile_; }

 private:
  Profile* profile_;
  absl::flat_hash_map<std::string, std::string> first_of_kind_;
  absl::flat_hash_map<std::string, ProfileString> interned_;
  absl::flat_hash_map<int64_t, size_t> program_of_;  // by id
};

// One plane: names first, since they come after the lines that use them.
class PlaneReader {
 public:
  PlaneReader(ProfileReader& reader, absl::string_view bytes) : reader_(reader), bytes_(bytes) {}

  void Read() {
    ProfilePlane& plane = reader_.profile().planes.emplace_back();
    std::vector<absl::string_view> lines, kinds, stats;
    WireReader fields(bytes_, /*lenient=*/true);
    WireField field;
    while (fields.Next(&field)) {
      if (field.type != WireType::kBytes) continue;
      if (field.number == 2) plane.name = std::string(field.bytes);
      if (field.number == 3) lines.push_back(field.bytes);
      if (field.number == 4) kinds.push_back(field.bytes);
      if (field.number == 5) ReadStatKind(field.bytes);
      if (field.number == 6) stats.push_back(field.bytes);
    }
    reader_.CheckEnd(fields, absl::StrCat("plane \"", absl::CEscape(plane.name), "\""), bytes_);
    is_metadata_ = plane.name == "/host:metadata" || absl::StartsWith(plane.name, "/host:metadata");
    // Scopes and the scopes around them, by numbers: no facts about a device.
    if (absl::StartsWith(plane.name, "/host:__ScopeRangeCallStack__")) stats.clear();
    is_gpu_ = absl::StartsWith(plane.name, "/device:GPU");
    is_host_ = absl::StartsWith(plane.name, "/host:");
    for (absl::string_view kind : kinds) ReadEventKind(kind, &plane);
    for (absl::string_view stat : stats) ReadFact(stat, &plane);
    plane.lines.reserve(lines.size());
    for (absl::string_view line : lines) ReadLine(line, &plane);
  }

 private:
  // The value of a map's entry.
  static absl::string_view EntryValue(absl::string_view entry, int64_t* key) {
    WireReader fields(entry, true);
    WireField field;
    absl::string_view value;
    while (fields.Next(&field)) {
      if (field.number == 1 && field.type == WireType::kVarint) *key = static_cast<int64_t>(field.value);
      if (field.number == 2 && field.type == WireType::kBytes) value = field.bytes;
    }
    return value;
  }

  void ReadStatKind(absl::string_view entry) {
    int64_t key = 0;
    WireReader fields(EntryValue(entry, &key), true);
    WireField field;
    StatKind kind;
    while (fields.Next(&field)) {
      if (field.number == 2 && field.type == WireType::kBytes) kind.name = std::string(field.bytes);
    }
    kind.use = StatNameOf(kind.name);
    stat_kinds_[key] = std::move(kind);
  }

  static Stat ReadStat(absl::string_view bytes) {
    Stat stat;
    WireReader fields(bytes, true);
    WireField field;
    while (fields.Next(&field)) {
      switch (field.number) {
        case 1:
          stat.metadata = static_cast<int64_t>(field.value);
          break;
        case 2:
          if (field.bytes.size() != 8) break;
          std::memcpy(&stat.number, field.bytes.data(), 8);
          stat.type = Stat::Type::kDouble;
          break;
        case 3:
        case 4:
          stat.number = field.value;
          stat.type = field.number == 3 ? Stat::Type::kUnsigned : Stat::Type::kSigned;
          break;
        case 5:
        case 6:
          stat.text = field.bytes;
          stat.type = Stat::Type::kText;
          break;
        case 7:
          stat.number = field.value;
          stat.type = Stat::Type::kReference;
          break;
        default:
          break;
      }
    }
    return stat;
  }

  const StatKind* KindOf(const Stat& stat) {
    const auto found = stat_kinds_.find(stat.metadata);
    if (found != stat_kinds_.end()) return &found->second;
    reader_.Problem("a stat names a kind that its plane does not have", absl::StrCat("kind ", stat.metadata));
    return nullptr;
  }

  absl::string_view TextOf(const Stat& stat) {
    if (stat.type == Stat::Type::kText) return stat.text;
    if (stat.type != Stat::Type::kReference) return "";
    const auto found = stat_kinds_.find(static_cast<int64_t>(stat.number));
    if (found != stat_kinds_.end()) return found->second.name;
    reader_.Problem("a stat refers to a string that is not there", absl::StrCat("reference ", stat.number));
    return "";
  }

  ProfileString StringOf(const Stat& stat) {
    if (stat.type == Stat::Type::kReference) {
      const auto [it, inserted] = references_.try_emplace(stat.number, 0);
      if (inserted) it->second = reader_.Intern(TextOf(stat));
      return it->second;
    }
    return reader_.Intern(TextOf(stat));
  }

  // Numbers are written as numbers or, by some, as text.
  int64_t NumberOf(const Stat& stat) {
    if (stat.type != Stat::Type::kText && stat.type != Stat::Type::kReference) return stat.AsInt();
    int64_t number = -1;
    return absl::SimpleAtoi(TextOf(stat), &number) ? number : -1;
  }

  void ReadFact(absl::string_view bytes, ProfilePlane* plane) {
    const Stat stat = ReadStat(bytes);
    const StatKind* kind = KindOf(stat);
    if (kind == nullptr) return;
    std::string text(TextOf(stat));
    if (stat.type == Stat::Type::kDouble) {
      double value;
      std::memcpy(&value, &stat.number, sizeof value);
      text = absl::StrCat(value);
    } else if (stat.type == Stat::Type::kUnsigned) {
      text = absl::StrCat(stat.number);
    } else if (stat.type == Stat::Type::kSigned) {
      text = absl::StrCat(static_cast<int64_t>(stat.number));
    }
    plane->facts.emplace_back(kind->name, std::move(text));
  }

  void ReadEventKind(absl::string_view entry, ProfilePlane* plane) {
    int64_t key = 0;
    const absl::string_view value = EntryValue(entry, &key);
    ProfileEventKind kind;
    kind.id = key;
    ProfileProgram program;
    bool is_program = false;
    WireReader fields(value, true);
    WireField field;
    while (fields.Next(&field)) {
      if (field.type != WireType::kBytes) continue;
      if (field.number == 2) kind.name = std::string(field.bytes);
      if (field.number == 4) kind.display_name = std::string(field.bytes);
      if (field.number != 5) continue;
      const Stat stat = ReadStat(field.bytes);
      const StatKind* what = KindOf(stat);
      if (what == nullptr) continue;
      if (what->use == StatName::kHloProto) {
        program.hlo_proto = stat.text;
        is_program = true;
      }
      ApplyToKind(*what, stat, &kind);
    }
    reader_.CheckEnd(fields, "event metadata", value);
    if (is_program || is_metadata_) {
      program.id = kind.program >= 0 ? kind.program : IdOf(kind);
      program.name = kind.name;
      reader_.AddProgram(std::move(program));
    }
    const auto [it, inserted] = kind_of_.try_emplace(key, static_cast<uint32_t>(plane->metadata.size()));
    if (!inserted) {
      reader_.Problem("two kinds of events have one id: the first is taken", absl::StrCat("id ", key));
      return;
    }
    plane->metadata.push_back(std::move(kind));
  }

  // The key is the id; if that is 0, the number in parentheses after the name.
  static int64_t IdOf(const ProfileEventKind& kind) {
    if (kind.id != 0) return kind.id;
    const size_t open = kind.name.rfind('(');
    int64_t id = 0;
    if (open != std::string::npos && absl::EndsWith(kind.name, ")") &&
        absl::SimpleAtoi(kind.name.substr(open + 1, kind.name.size() - open - 2), &id)) {
      return id;
    }
    return kind.id;
  }

  void ApplyToKind(const StatKind& what, const Stat& stat, ProfileEventKind* kind) {
    switch (what.use) {
      case StatName::kHloOp:
        kind->hlo_op = StringOf(stat);
        break;
      case StatName::kHloModule:
        kind->hlo_module = StringOf(stat);
        break;
      case StatName::kDeduplicated:
        kind->deduplicated = StringOf(stat);
        break;
      case StatName::kCategory:
        kind->category = StringOf(stat);
        break;
      case StatName::kProgramId:
        kind->program = NumberOf(stat);
        break;
      case StatName::kFlops:
        kind->flops = NumberOf(stat);
        break;
      case StatName::kBytesAccessed:
        kind->bytes = NumberOf(stat);
        break;
      case StatName::kOther:
      case StatName::kCorrelationId:
      case StatName::kRunId:
      case StatName::kDeviceId:
      case StatName::kDeviceOffset:
      case StatName::kDeviceDuration:
      case StatName::kHloProto:
        break;
    }
  }

  void ReadLine(absl::string_view bytes, ProfilePlane* plane) {
    ProfileLine line;
    int64_t timestamp_ns = 0;
    size_t events = 0;
    std::string display_name;
    {
      WireReader fields(bytes, true);
      WireField field;
      while (fields.Next(&field)) {
        if (field.number == 1 && field.type == WireType::kVarint) line.id = static_cast<int64_t>(field.value);
        if (field.number == 2 && field.type == WireType::kBytes) line.name = std::string(field.bytes);
        if (field.number == 3 && field.type == WireType::kVarint) timestamp_ns = static_cast<int64_t>(field.value);
        if (field.number == 4 && field.type == WireType::kBytes) ++events;
        if (field.number == 11 && field.type == WireType::kBytes) display_name = std::string(field.bytes);
      }
      reader_.CheckEnd(fields, absl::StrCat("line \"", absl::CEscape(line.name), "\""), bytes);
    }
    if (line.name.empty()) line.name = display_name;
    // On TPUs these lines are measured; a GPU's are made from its streams.
    line.is_derived = (is_gpu_ && (IsDerivedName(line.name) || line.id >= kFirstDerivedLine)) ||
                      (!is_host_ && line.name != "XLA Ops" && IsDerivedName(line.name));
    line.events.reserve(events);
    int64_t start_ps = 0;
    if (__builtin_mul_overflow(timestamp_ns, int64_t{1000}, &start_ps)) {
      reader_.Problem("a line begins at no time", absl::StrCat(timestamp_ns, " ns"));
      start_ps = 0;
    }
    WireReader fields(bytes, true);
    WireField field;
    while (fields.Next(&field)) {
      // Of an event that is cut off, nobody knows how long it took.
      if (field.number == 4 && field.type == WireType::kBytes && !fields.was_cut()) {
        ReadEvent(field.bytes, start_ps, plane, &line);
      }
    }
    plane->lines.push_back(std::move(line));
  }

  uint32_t EventKindOf(int64_t id, ProfilePlane* plane) {
    const auto [it, inserted] = kind_of_.try_emplace(id, static_cast<uint32_t>(plane->metadata.size()));
    if (inserted) {
      ProfileEventKind kind;
      kind.id = id;
      kind.name = absl::StrCat("event ", id);
      kind.is_known = false;
      plane->metadata.push_back(std::move(kind));
    }
    if (!plane->metadata[it->second].is_known) {
      reader_.Problem("an event is of a kind that its plane does not have", absl::StrCat("kind ", id));
    }
    return it->second;
  }

  void ReadEvent(absl::string_view bytes, int64_t start_ps, ProfilePlane* plane, ProfileLine* line) {
    ProfileEvent event;
    int64_t kind = 0, offset_ps = 0, device_offset = -1, device_duration = -1;
    WireReader fields(bytes, true);
    WireField field;
    bool has_device = false;
    while (fields.Next(&field)) {
      if (field.type == WireType::kVarint) {
        const int64_t value = static_cast<int64_t>(field.value);
        if (field.number == 1) kind = value;
        if (field.number == 2) offset_ps = value;
        if (field.number == 3) event.duration_ps = value;
        if (field.number == 5) event.occurrences = value;
      } else if (field.number == 4 && field.type == WireType::kBytes) {
        const Stat stat = ReadStat(field.bytes);
        const StatKind* what = KindOf(stat);
        if (what == nullptr) continue;
        if (what->use == StatName::kHloOp) event.hlo_op = StringOf(stat);
        if (what->use == StatName::kHloModule) event.hlo_module = StringOf(stat);
        if (what->use == StatName::kProgramId) event.program = NumberOf(stat);
        if (what->use == StatName::kCorrelationId) event.correlation = NumberOf(stat);
        if (what->use == StatName::kRunId) event.run = NumberOf(stat);
        if (what->use == StatName::kDeviceId) has_device = true;
        if (what->use == StatName::kDeviceOffset) device_offset = NumberOf(stat);
        if (what->use == StatName::kDeviceDuration) device_duration = NumberOf(stat);
      }
    }
    if (fields.fault() || fields.was_cut()) {
      reader_.CheckEnd(fields, "event", bytes);
      return;
    }
    event.metadata = EventKindOf(kind, plane);
    const ProfileEventKind& common = plane->metadata[event.metadata];
    if (event.hlo_op == 0) event.hlo_op = common.hlo_op;
    if (event.hlo_module == 0) event.hlo_module = common.hlo_module;
    if (event.program < 0) event.program = common.program;
    event.is_launch = is_host_ && has_device && event.correlation >= 0;
    if (device_offset >= 0) offset_ps = device_offset;
    if (device_duration >= 0) event.duration_ps = device_duration;
    if (event.occurrences < 1) {
      reader_.Problem("an event happens less than once: it is left out", common.name);
      return;
    }
    int64_t end = 0;
    if (event.duration_ps < 0) {
      reader_.Problem("an event has a negative duration: it is left out",
                      absl::StrCat(common.name, ", ", event.duration_ps, " ps"));
      return;
    }
    if (__builtin_add_overflow(start_ps, offset_ps, &event.begin_ps) ||
        __builtin_add_overflow(event.begin_ps, event.duration_ps, &end) || event.begin_ps < -kLatestTime ||
        end > kLatestTime) {
      reader_.Problem("an event lies outside of time: it is left out", common.name);
      return;
    }
    if (event.begin_ps < 0) reader_.Problem("an event begins before the profile", common.name);
    line->events.push_back(event);
  }

  ProfileReader& reader_;
  const absl::string_view bytes_;
  bool is_metadata_ = false, is_gpu_ = false, is_host_ = false;
  absl::flat_hash_map<int64_t, StatKind> stat_kinds_;
  absl::flat_hash_map<int64_t, uint32_t> kind_of_;
  absl::flat_hash_map<uint64_t, ProfileString> references_;
};

void ProfileReader::Read() {
  const absl::string_view bytes = *profile_->bytes;
  WireReader fields(bytes, /*lenient=*/true);
  WireField field;
  while (fields.Next(&field)) {
    if (field.type != WireType::kBytes) continue;
    if (field.number == 1) PlaneReader(*this, field.bytes).Read();
    if (field.number == 2) profile_->errors.emplace_back(field.bytes);
    if (field.number == 3) profile_->warnings.emplace_back(field.bytes);
    if (field.number == 4) profile_->hostnames.emplace_back(field.bytes);
  }
  CheckEnd(fields, "profile", bytes);
}

}  // namespace

bool ProfilePlane::IsDevice() const { return absl::StartsWith(name, "/device:"); }

absl::StatusOr<Profile> ReadProfile(std::shared_ptr<const std::string> bytes) {
  if (bytes->empty()) return absl::InvalidArgumentError("the file is empty");
  std::vector<std::string> notes;
  if (LooksLikeText(*bytes)) {
    proto::XSpace message;
    const absl::Status status = ParseText(*bytes, &message, &notes);
    if (!status.ok())
      return absl::Status(status.code(), absl::StrCat("this is no profile: as an XSpace, ", status.message()));
    bytes = std::make_shared<const std::string>(message.SerializeAsString());
  } else if (absl::StrContains(absl::string_view(*bytes).substr(0, 4096), "\xef\xbf\xbd\xef\xbf\xbd")) {
    return absl::InvalidArgumentError("this binary file was damaged by a text conversion; it cannot be repaired");
  } else if (const FileKind kind = DetectFile(*bytes).kind; kind != FileKind::kProfile && kind != FileKind::kUnknown) {
    // Any message can be taken for a damaged profile.
    return absl::InvalidArgumentError(absl::StrCat("this is no profile: its kind is ", FileKindName(kind)));
  }
  Profile profile;
  ProfileReader reader(std::move(bytes), &profile);
  reader.Read();
  for (std::string& note : notes) reader.Problem(note);
  bool has_name = false;
  for (const ProfilePlane& plane : profile.planes) has_name |= !plane.name.empty() || !plane.lines.empty();
  if (!has_name) return absl::InvalidArgumentError("this is no profile: it has no plane with a name");
  return profile;
}

}  // namespace hloscope::interop
