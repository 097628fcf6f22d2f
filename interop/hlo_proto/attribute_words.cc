// SPDX-License-Identifier: Apache-2.0
#include "interop/hlo_proto/attribute_words.h"

#include <optional>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace hloscope::interop {
namespace {

using Kind = AttributeKind;

// `fallback` is the word of an empty name.
absl::StatusOr<int> FromName(Kind kind, const std::string& name, std::optional<int> fallback) {
  if (name.empty() && fallback) return *fallback;
  const std::optional<int> word = WordValue(InfoOf(kind).enumeration, name);
  if (word) return *word;
  return absl::InvalidArgumentError(absl::StrCat(AttributeName(kind), ": '", name, "' is not known"));
}

// Words that have the numbers of the proto, from 0; those up to `left_out` are not given.
absl::StatusOr<int> FromNumber(Kind kind, int number, int left_out) {
  const int count = static_cast<int>(WordsOf(InfoOf(kind).enumeration).size());
  if (number < 0 || number >= count) {
    return absl::InvalidArgumentError(absl::StrCat(AttributeName(kind), ": ", number, " is not known"));
  }
  return number <= left_out ? -1 : number;
}

std::string AlgorithmName(absl::string_view word) { return absl::StrCat("ALG_", absl::AsciiStrToUpper(word)); }

absl::StatusOr<int> AlgorithmFromNumber(int number) {
  if (number == 0) return -1;
  const std::string name = proto::PrecisionConfig::Algorithm_Name(number);
  const absl::Span<const absl::string_view> words = WordsOf(Enumeration::kPrecisionAlgorithm);
  for (size_t i = 0; i < words.size(); ++i) {
    if (AlgorithmName(words[i]) == name) return static_cast<int>(i);
  }
  return absl::InvalidArgumentError(absl::StrCat("algorithm: ", number, " is not known"));
}

}  // namespace

absl::StatusOr<int> WordFromProto(AttributeKind kind, const proto::HloInstructionProto& from) {
  switch (kind) {
    case Kind::kDirection:
      return FromName(kind, from.comparison_direction(), std::nullopt);
    case Kind::kComparisonType:
      // Only floats have a partial order; of others the type says it all.
      if (from.comparison_order() == "TOTAL" && from.comparison_type() == "FLOAT") {
        return static_cast<int>(ComparisonType::kTotalOrder);
      }
      return FromName(kind, from.comparison_type(), -1);
    case Kind::kKind:
      return FromName(kind, from.fusion_kind(), std::nullopt);
    case Kind::kFftType:
      return FromNumber(kind, from.fft_type(), -1);
    case Kind::kDistribution:
      return FromNumber(kind, from.distribution(), -1);
    case Kind::kRngAlgorithm:
      return FromNumber(kind, from.rng_algorithm(), -1);
    case Kind::kTransposeA:
      return FromNumber(kind, from.triangular_solve_options().transpose_a(), 0);
    case Kind::kPaddingType:
      return FromNumber(kind, from.padding_type(), 0);
    case Kind::kCustomCallSchedule:
      return FromNumber(kind, from.custom_call_schedule(), 0);
    case Kind::kConvolutionKind:
      return FromNumber(kind, from.conv_kind(), 0);
    case Kind::kApiVersion:
      // Files of before there were versions have 0: the original one, which the text leaves out.
      if (from.custom_call_api_version() == 0) return -1;
      return FromNumber(kind, from.custom_call_api_version() - 1, 0);
    case Kind::kDotAlgorithm:
      return AlgorithmFromNumber(from.precision_config().algorithm());
    default:
      return -1;
  }
}

void WordToProto(AttributeKind kind, int word, proto::HloInstructionProto* to) {
  const std::string name(WordsOf(InfoOf(kind).enumeration)[static_cast<size_t>(word)]);
  switch (kind) {
    case Kind::kDirection:
      to->set_comparison_direction(name);
      return;
    case Kind::kComparisonType:
      to->set_comparison_type(name);
      to->set_comparison_order(static_cast<ComparisonType>(word) == ComparisonType::kFloat ? "PARTIAL" : "TOTAL");
      return;
    case Kind::kKind:
      to->set_fusion_kind(name);
      return;
    case Kind::kFftType:
      to->set_fft_type(static_cast<proto::FftType>(word));
      return;
    case Kind::kDistribution:
      to->set_distribution(static_cast<proto::RandomDistribution>(word));
      return;
    case Kind::kRngAlgorithm:
      to->set_rng_algorithm(static_cast<proto::RandomAlgorithm>(word));
      return;
    case Kind::kTransposeA:
      to->mutable_triangular_solve_options()->set_transpose_a(
          static_cast<proto::TriangularSolveOptions::Transpose>(word));
      return;
    case Kind::kPaddingType:
      to->set_padding_type(static_cast<proto::PaddingType>(word));
      return;
    case Kind::kCustomCallSchedule:
      to->set_custom_call_schedule(static_cast<proto::CustomCallSchedule>(word));
      return;
    case Kind::kConvolutionKind:
      to->set_conv_kind(static_cast<proto::ConvolutionKind>(word));
      return;
    case Kind::kApiVersion:
      to->set_custom_call_api_version(static_cast<proto::CustomCallApiVersion>(word + 1));
      return;
    case Kind::kDotAlgorithm: {
      proto::PrecisionConfig::Algorithm algorithm = proto::PrecisionConfig::ALG_UNSET;
      proto::PrecisionConfig::Algorithm_Parse(AlgorithmName(name), &algorithm);
      to->mutable_precision_config()->set_algorithm(algorithm);
      return;
    }
    default:
      return;
  }
}

}  // namespace hloscope::interop
