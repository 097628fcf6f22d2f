// SPDX-License-Identifier: Apache-2.0
// Texts that are made from other files: where they come from, as their URIs say it.

/** The scheme of texts that `hloscope convert` makes of protos. They are read-only. */
export const MODULE_SCHEME = 'hlo-module';

/** The parts of the URI of the text of a file. The name ends in .hlo, so that every editor knows the language. */
export function textPlace(file: string): { scheme: string; path: string; query: string } {
  return { scheme: MODULE_SCHEME, path: `${file}.hlo`, query: `file=${encodeURIComponent(file)}` };
}

/** The file that the text comes from; undefined if it is not made from one. */
export function fileOfText(place: { scheme: string; query: string }): string | undefined {
  if (place.scheme !== MODULE_SCHEME || !place.query.startsWith('file=')) return undefined;
  return decodeURIComponent(place.query.slice('file='.length));
}
