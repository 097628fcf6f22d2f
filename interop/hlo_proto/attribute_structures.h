// SPDX-License-Identifier: Apache-2.0
// Attribute values with fields of their own, between the messages of protos and the values of modules.
#ifndef HLOSCOPE_INTEROP_HLO_PROTO_ATTRIBUTE_STRUCTURES_H_
#define HLOSCOPE_INTEROP_HLO_PROTO_ATTRIBUTE_STRUCTURES_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "core/ir/attribute_values.h"
#include "core/ir/shape.h"
#include "interop/proto/hlo.pb.h"

namespace hloscope::interop {

using google::protobuf::RepeatedPtrField;

std::vector<AliasEntry> AliasingFromProto(const RepeatedPtrField<proto::OutputOperandAliasing>& from);
void AliasingToProto(const std::vector<AliasEntry>& from, RepeatedPtrField<proto::OutputOperandAliasing>* to);

Window WindowFromProto(const proto::Window& from);
void WindowToProto(const Window& from, proto::Window* to);

ConvolutionDimensionNumbers DimLabelsFromProto(const proto::ConvolutionDimensionNumbers& from);
void DimLabelsToProto(const ConvolutionDimensionNumbers& from, proto::ConvolutionDimensionNumbers* to);

PaddingConfig PaddingFromProto(const proto::PaddingConfig& from);
void PaddingToProto(const PaddingConfig& from, proto::PaddingConfig* to);

std::vector<SliceRange> SliceRangesFromProto(const RepeatedPtrField<proto::HloInstructionProto::SliceDimensions>& from);
void SliceRangesToProto(const std::vector<SliceRange>& from,
                        RepeatedPtrField<proto::HloInstructionProto::SliceDimensions>* to);

SparsityConfig SparsityFromProto(const proto::SparsityConfig& from);
void SparsityToProto(const SparsityConfig& from, proto::SparsityConfig* to);
BlockScalingConfig BlockScalingFromProto(const proto::BlockScalingConfig& from);
void BlockScalingToProto(const BlockScalingConfig& from, proto::BlockScalingConfig* to);

Statistics StatisticsFromProto(const proto::StatisticsViz& from);
void StatisticsToProto(const Statistics& from, proto::StatisticsViz* to);

// Nothing for the default. Errors (InvalidArgument): a tolerance below zero.
absl::StatusOr<std::optional<ResultAccuracy>> AccuracyFromProto(const proto::ResultAccuracy& from);
// `from` is not the default.
void AccuracyToProto(const ResultAccuracy& from, proto::ResultAccuracy* to);

// The original value of an instruction of that shape. Nothing if the message is empty or does not fit.
std::optional<Origin> OriginFromProto(const proto::OriginalValueProto& from, const Shape& shape);
void OriginToProto(const Origin& from, proto::OriginalValueProto* to);

OriginArray OriginArrayFromProto(const proto::OriginalArrayProto& from);
void OriginArrayToProto(const OriginArray& from, proto::OriginalArrayProto* to);

// `frontend_attributes`, sorted by key.
FrontendAttributes FrontendAttributesFromProto(const proto::FrontendAttributes& from);
void FrontendAttributesToProto(const FrontendAttributes& from, proto::FrontendAttributes* to);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_HLO_PROTO_ATTRIBUTE_STRUCTURES_H_
