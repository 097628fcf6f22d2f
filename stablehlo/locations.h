// Locations of a program as metadata of HLO (docs/stablehlo.md 5).
#ifndef HLOSCOPE_STABLEHLO_LOCATIONS_H_
#define HLOSCOPE_STABLEHLO_LOCATIONS_H_

#include <string>

#include "stablehlo/program.h"

namespace hloscope::stablehlo {

// `, metadata={op_name="..." source_file="..." source_line=1}`, or nothing for an unknown location.
std::string MetadataOfLocation(const Program& program, const AttributeValue& location);

}  // namespace hloscope::stablehlo

#endif  // HLOSCOPE_STABLEHLO_LOCATIONS_H_
