// SPDX-License-Identifier: Apache-2.0
// Launch configurations: what is left out is filled in from the open module and the settings.

export interface LaunchConfiguration {
  [key: string]: unknown;
  type?: string;
  name?: string;
  request?: string;
  program?: string;
}

export interface Defaults {
  /** The open module, if there is one. */
  program?: string;
  fill: string;
  /** The document that shows the text of a program that is no text, if it is open. */
  textUri?: (program: string) => string | undefined;
  /** `ARGUMENT=SIZES`, for StableHLO programs. */
  shapes?: string[];
}

/** "0=3x4" is "3x4" of "0"; the sizes may have a `=` of their own: "%x=<=8x4". */
function shapeObject(shapes: readonly string[]): Record<string, string> {
  return Object.fromEntries(shapes.map((shape) => [shape.slice(0, shape.indexOf('=')), shape.slice(shape.indexOf('=') + 1)]));
}

/** A configuration that the debug adapter can start, or a sentence that says what is missing. */
export function completeConfiguration(given: LaunchConfiguration, defaults: Defaults): LaunchConfiguration | string {
  const result: LaunchConfiguration = { ...given };
  result.type ||= 'hlo';
  result.request ||= 'launch';
  result.name ||= 'Debug HLO module';
  if (result.request === 'attach') {
    const port = result['port'];
    if (typeof port === 'number' && Number.isInteger(port) && port > 0 && port <= 65_535) return result;
    return 'To attach, give the "port" that `hloscope run FILE --listen` has printed.';
  }
  if (result.request !== 'launch') return `HLO modules are launched or attached to; "request": "${result.request}" is not known.`;
  result.program ||= defaults.program;
  if (typeof result.program !== 'string' || result.program === '') {
    return 'Open an HLO module, or name one as "program" in the launch configuration.';
  }
  const hasParameters = result['arguments'] !== undefined || result['argumentsDirectory'] !== undefined;
  if (result['fill'] === undefined && !hasParameters) result['fill'] = defaults.fill;
  if (result['shapes'] === undefined && result.program.endsWith('.mlir') && defaults.shapes !== undefined && defaults.shapes.length > 0) {
    result['shapes'] = shapeObject(defaults.shapes);
  }
  const textUri = defaults.textUri?.(result.program);
  if (result['textUri'] === undefined && textUri !== undefined) result['textUri'] = textUri;
  if (result['stopOnEntry'] === undefined) result['stopOnEntry'] = true;
  return result;
}
