// SPDX-License-Identifier: Apache-2.0
#include "codegen/function_body.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codegen/cpp_types.h"
#include "codegen/row_groups.h"
#include "numerics/data_movement/past_cache.h"

namespace hloscope::codegen {
namespace {

class BodyWriter {
 public:
  BodyWriter(ProgramText& program, absl::Span<const Statement> statements, absl::Span<const std::string> names,
             const std::function<std::string(const std::string& wish)>& local_name)
      : program_(program),
        statements_(statements),
        names_(names),
        local_name_(local_name),
        groups_(GroupByRows(statements)) {}

  std::string Write();

 private:
  const std::string& NameOf(ArrayId array) const { return names_[static_cast<size_t>(array)]; }
  bool IsLastUse(ArrayId array, size_t group) const { return last_[static_cast<size_t>(array)] == group; }
  void WriteStatement(const Statement& statement, size_t group);
  void WriteRows(const StatementGroup& rows, size_t group);
  std::string CallText(const std::string& function, absl::Span<const std::string> arguments) const {
    // Qualified: an instruction may have the name of the function.
    return absl::StrCat("hlo::", function, "(", absl::StrJoin(arguments, ", "), ");");
  }
  // Arrays that nothing uses after a group, and that are not given away in it.
  void FreeAfter(size_t group);

  ProgramText& program_;
  const absl::Span<const Statement> statements_;
  const absl::Span<const std::string> names_;
  const std::function<std::string(const std::string& wish)>& local_name_;
  const std::vector<StatementGroup> groups_;
  std::vector<size_t> last_;  // by array: the last group that uses it
  absl::flat_hash_map<ArrayId, bool> gone_;
  std::string text_;
};

void BodyWriter::WriteStatement(const Statement& statement, size_t group) {
  absl::flat_hash_map<ArrayId, int> left;
  for (ArrayId array : statement.takes) ++left[array];
  auto call = statement.calls.begin();
  for (size_t k = 0; k < statement.lines.size(); ++k) {
    const std::string& line = statement.lines[k];
    std::string out;
    if (call != statement.calls.end() && call->line == k) {
      out = CallText(program_.AddLoop(call->wish, call->parameters, call->text.whole), call->arguments);
      ++call;
    }
    for (size_t at = 0; at < line.size();) {
      const size_t begin = line.find(kTakenBegin, at);
      out.append(line, at, begin == std::string::npos ? std::string::npos : begin - at);
      if (begin == std::string::npos) break;
      const size_t end = line.find(kTakenEnd, begin);
      const ArrayId array = std::stoi(line.substr(begin + 1, end - begin - 1));
      const bool is_last =
          --left[array] == 0 && IsLastUse(array, group) && !absl::c_linear_search(statement.reads, array);
      gone_[array] = is_last;
      out += is_last ? absl::StrCat("std::move(", NameOf(array), ")") : NameOf(array);
      at = end + 1;
    }
    absl::StrAppend(&text_, "  ", out, "\n");
  }
}

void BodyWriter::WriteRows(const StatementGroup& rows, size_t group) {
  const std::string begin = local_name_("begin"), end = local_name_("end"), row = local_name_("row"),
                    next = local_name_("next");
  absl::flat_hash_map<ArrayId, int64_t> scratch;       // arrays that nobody else sees, and their bytes
  absl::flat_hash_map<ArrayId, std::string> streamed;  // large results, and where a block of them is made
  std::string blocks, calls, copies;
  const std::string ahead = rows.read_ahead.empty() ? "" : local_name_("ahead");
  for (size_t s : rows.statements) {
    const Statement& statement = statements_[s];
    for (size_t k = 0; k < statement.lines.size(); ++k) {
      const auto allocation =
          absl::c_find_if(statement.allocations, [&](const Allocation& made) { return made.line == k; });
      if (allocation != statement.allocations.end() && IsLastUse(allocation->array, group)) {
        scratch[allocation->array] = allocation->bytes;
        gone_[allocation->array] = true;
        absl::StrAppend(&blocks, "    Array ", NameOf(allocation->array), " = Allocate(",
                        (allocation->bytes + rows.rows - 1) / rows.rows * rows.block_rows, ");\n");
      } else if (statement.calls[0].line != k) {
        absl::StrAppend(&text_, "  ", statement.lines[k], "\n");
        if (allocation == statement.allocations.end() || allocation->bytes < numerics::kPastCacheBytes ||
            allocation->bytes % rows.rows != 0) {
          continue;
        }
        const std::string& name = NameOf(allocation->array);
        const std::string block = local_name_(absl::StrCat(name, "_block"));
        const int64_t bytes = allocation->bytes / rows.rows;
        streamed[allocation->array] = block;
        absl::StrAppend(&blocks, "    Array ", block, " = Allocate(", bytes * rows.block_rows, ");\n");
        absl::StrAppend(&copies, "      CopyPastCache(", block, ".as<uint8_t>(), ", name, ".to<uint8_t>() + ", row,
                        " * ", bytes, ", (", next, " - ", row, ") * ", bytes, ");\n");
      }
    }
    const LoopCall& call = statement.calls[0];
    const int64_t own_rows = call.text.rows.count / rows.rows;
    const auto times = [](const std::string& variable, int64_t factor) {
      return factor == 1 ? variable : absl::StrCat(variable, " * ", factor);
    };
    std::vector<std::string> arguments = {times(row, own_rows), times(next, own_rows)};
    for (size_t k = 0; k < call.arguments.size(); ++k) {
      std::string argument = call.arguments[k];
      const auto stream = streamed.find(call.arrays[k]);
      if (stream != streamed.end()) argument.replace(0, NameOf(call.arrays[k]).size(), stream->second);
      const bool is_block = stream != streamed.end() || scratch.contains(call.arrays[k]);
      arguments.push_back(is_block ? absl::StrCat("ElementZero(", argument, ", ",
                                                  times(row, call.text.rows.elements[k] * own_rows), ")")
                                   : argument);
    }
    if (!ahead.empty()) absl::StrAppend(&calls, "      ", ahead, ".Fetch();\n");
    absl::StrAppend(&calls, "      ",
                    CallText(program_.AddRowLoop(call.wish, call.parameters, call.text.of_rows), arguments), "\n");
  }
  if (!ahead.empty()) {
    absl::StrAppend(&blocks, "    RowsAhead ", ahead, ";\n");
    const std::string after = local_name_("after");
    std::string fetches = absl::StrCat("      const int64_t ", after, " = ", next, " + ", rows.block_rows, " < ", end,
                                       " ? ", next, " + ", rows.block_rows, " : ", end, ";\n");
    for (const auto& [array, bytes] : rows.read_ahead) {
      absl::StrAppend(&fetches, "      ", ahead, ".Add(", NameOf(array), ".as<char>() + ", next, " * ", bytes, ", (",
                      after, " - ", next, ") * ", bytes, ");\n");
    }
    calls = absl::StrCat(fetches, "      ", ahead, ".SpreadOver(", rows.statements.size(), ");\n", calls);
  }
  absl::StrAppend(&text_, "  ParallelFor(", rows.rows, ", ", RowsOfBlock(rows.nanoseconds, rows.rows), ", [&](int64_t ",
                  begin, ", int64_t ", end, ") {\n", blocks, "    for (int64_t ", row, " = ", begin, "; ", row, " < ",
                  end, "; ", row, " += ", rows.block_rows, ") {\n      const int64_t ", next, " = ", row, " + ",
                  rows.block_rows, " < ", end, " ? ", row, " + ", rows.block_rows, " : ", end, ";\n", calls, copies,
                  "    }\n", copies.empty() ? "" : "    FinishPastCache();\n", "  });\n");
  if (!copies.empty() || !ahead.empty()) program_.Use(RuntimePart::kCopies);
}

void BodyWriter::FreeAfter(size_t group) {
  for (size_t s : groups_[group].statements) {
    const Statement& statement = statements_[s];
    for (const auto* uses : {&statement.reads, &statement.takes, &statement.defines}) {
      for (ArrayId array : *uses) {
        if (!IsLastUse(array, group) || gone_[array]) continue;
        gone_[array] = true;
        absl::StrAppend(&text_, "  ", NameOf(array), " = {};\n");
      }
    }
    for (const std::string& name : statement.scratch) absl::StrAppend(&text_, "  ", name, " = {};\n");
  }
}

std::string BodyWriter::Write() {
  last_.assign(names_.size(), 0);
  for (size_t g = 0; g < groups_.size(); ++g) {
    for (size_t s : groups_[g].statements) {
      for (const auto* uses : {&statements_[s].reads, &statements_[s].takes, &statements_[s].defines}) {
        for (ArrayId array : *uses) last_[static_cast<size_t>(array)] = g;
      }
    }
  }
  for (size_t g = 0; g < groups_.size(); ++g) {
    if (groups_[g].rows > 0) {
      WriteRows(groups_[g], g);
    } else {
      WriteStatement(statements_[groups_[g].statements[0]], g);
    }
    if (g + 1 < groups_.size()) FreeAfter(g);
  }
  return std::move(text_);
}

}  // namespace

std::string FunctionBody(ProgramText& program, absl::Span<const Statement> statements,
                         absl::Span<const std::string> names,
                         const std::function<std::string(const std::string& wish)>& local_name) {
  return BodyWriter(program, statements, names, local_name).Write();
}

}  // namespace hloscope::codegen
