// SPDX-License-Identifier: Apache-2.0
#include "stablehlo/meshes.h"

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "stablehlo/constants.h"
#include "stablehlo/lexer.h"

namespace hloscope::stablehlo {
namespace {

// <["x"=2, "y"=4], device_ids=[1, 0, ...]>
MeshAxes AxesOf(absl::string_view text) {
  MeshAxes axes;
  bool in_devices = false;
  DiagnosticSink ignored;
  Lexer lexer(text, &ignored);
  for (Token token = lexer.ReadFrom(0); token.kind != TokenKind::kEnd; token = lexer.ReadFrom(token.end)) {
    const absl::string_view word = lexer.Slice(token.range());
    if (token.kind == TokenKind::kWord && word == "device_ids") in_devices = true;
    if (token.kind == TokenKind::kString) axes.names.emplace_back(word.substr(1, word.size() - 2));
    int64_t number = 0;
    if (token.kind == TokenKind::kInteger && absl::SimpleAtoi(word, &number)) {
      (in_devices ? axes.device_ids : axes.sizes).push_back(number);
    }
  }
  axes.sizes.resize(axes.names.size(), 1);
  return axes;
}

// #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>], device_ids = dense<...>>
std::optional<MeshAxes> WrittenMesh(const Program& program, const AttributeValue& mesh) {
  const AttributeValue* const axes = mesh.Find("axes");
  if (axes == nullptr || axes->form != AttributeForm::kArray) return std::nullopt;
  MeshAxes result;
  for (const AttributeValue* axis : axes->items) {
    const AttributeValue *const name = axis->Find("name"), *const size = axis->Find("size");
    if (name == nullptr || name->form != AttributeForm::kString || size == nullptr) return std::nullopt;
    result.names.push_back(DecodeString(name->text));
    result.sizes.push_back(size->integer);
  }
  if (const AttributeValue* ids = mesh.Find("device_ids"); ids != nullptr) {
    const std::optional<std::vector<int64_t>> list = IntegersOf(program, *ids);
    if (!list.has_value()) return std::nullopt;
    result.device_ids = *list;
  }
  return result;
}

// 'x' or, of a part of an axis, 'x':(2)4
std::optional<std::string> AxisText(const MeshAxes& mesh, const AttributeValue& axis, std::string& why) {
  const AttributeValue* const name = axis.Find("name");
  if (name == nullptr || name->form != AttributeForm::kString) {
    why = "an axis has no name";
    return std::nullopt;
  }
  const std::string word = DecodeString(name->text);
  if (!absl::c_linear_search(mesh.names, word)) {
    why = absl::StrCat("the mesh has no axis \"", word, "\"");
    return std::nullopt;
  }
  const AttributeValue* const part = axis.Find("sub_axis_info");
  const AttributeValue* const before = part == nullptr ? nullptr : part->Find("pre_size");
  const AttributeValue* const size = part == nullptr ? nullptr : part->Find("size");
  if (before == nullptr || size == nullptr) return absl::StrCat("'", word, "'");
  return absl::StrCat("'", word, "':(", before->integer, ")", size->integer);
}

}  // namespace

void ReadMeshes(Program& program) {
  for (const Operation* mesh : program.meshes) {
    const AttributeValue *const name = mesh->Find("sym_name"), *const value = mesh->Find("mesh");
    if (name == nullptr || value == nullptr || program.mesh_of_name.contains(name->text)) continue;
    program.mesh_of_name.emplace(name->text, AxesOf(program.Slice(value->range)));
  }
}

const MeshAxes* FindMesh(const Program& program, absl::string_view name) {
  const auto found = program.mesh_of_name.find(name);
  return found == program.mesh_of_name.end() ? nullptr : &found->second;
}

bool IsPossible(const MeshAxes& mesh) {
  constexpr size_t kMostAxes = 256;
  constexpr int64_t kMostDevices = int64_t{1} << 40;
  if (mesh.names.size() > kMostAxes) return false;
  int64_t devices = 1;
  for (const int64_t size : mesh.sizes) {
    if (size <= 0 || size > kMostDevices / devices) return false;
    devices *= size;
  }
  return true;
}

std::optional<std::string> GroupsOfMesh(const Program& program, const AttributeValue& groups, std::string& why) {
  const AttributeValue* const name = groups.Find("mesh");
  const AttributeValue* const axes = groups.Find("axes");
  if (name == nullptr || axes == nullptr || axes->form != AttributeForm::kArray) {
    why = "they need a mesh, such as @mesh, and a list of its axes";
    return std::nullopt;
  }
  const bool is_symbol = name->form == AttributeForm::kSymbol;
  const std::optional<MeshAxes> written = is_symbol ? std::nullopt : WrittenMesh(program, *name);
  const MeshAxes* const mesh = is_symbol ? FindMesh(program, name->text) : written.has_value() ? &*written : nullptr;
  if (mesh == nullptr) {
    why = is_symbol ? absl::StrCat("@", name->text, " is no mesh of this program") : "the mesh cannot be read";
    return std::nullopt;
  }
  if (!IsPossible(*mesh)) {
    why = "the mesh has more axes or devices than a mesh can have";
    return std::nullopt;
  }
  std::vector<std::string> sizes, chosen;
  for (size_t k = 0; k < mesh->names.size(); ++k) {
    sizes.push_back(absl::StrCat("'", mesh->names[k], "'=", mesh->sizes[k]));
  }
  for (const AttributeValue* axis : axes->items) {
    const std::optional<std::string> text = AxisText(*mesh, *axis, why);
    if (!text.has_value()) return std::nullopt;
    chosen.push_back(*text);
  }
  return absl::StrCat(
      "mesh[", absl::StrJoin(sizes, ","), "]",
      mesh->device_ids.empty() ? "" : absl::StrCat(", device_ids=(", absl::StrJoin(mesh->device_ids, ","), ")"), " {",
      absl::StrJoin(chosen, ","), "}");
}

std::string MeshesText(const Program& program) {
  std::vector<std::string> meshes;
  for (const Operation* mesh : program.meshes) {
    const AttributeValue *const name = mesh->Find("sym_name"), *const value = mesh->Find("mesh");
    if (name == nullptr || value == nullptr) continue;
    const absl::string_view written = program.Slice(value->range);
    meshes.push_back(absl::StrCat(name->text, " = ", absl::StartsWith(written, "<") ? "#sdy.mesh" : "", written));
  }
  return meshes.empty() ? "" : absl::StrCat("{", absl::StrJoin(meshes, ", "), "}");
}

}  // namespace hloscope::stablehlo
