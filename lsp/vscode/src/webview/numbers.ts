// SPDX-License-Identifier: Apache-2.0
// Numbers for people.

/** At most six digits that matter. */
export function short(value: number | undefined): string {
  if (value === undefined) return '\u2013';
  if (Number.isNaN(value)) return 'nan';
  return String(Number(value.toPrecision(6)));
}

/** `part` of `whole` with the share in percent, if it says anything. */
export function share(part: number, whole: number): string {
  if (part === 0 || whole === 0) return String(part);
  return `${part} (${Number(((100 * part) / whole).toPrecision(3))} %)`;
}
