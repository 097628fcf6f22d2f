// SPDX-License-Identifier: Apache-2.0
// Which lines of a translation belong to which places of the program that it was made from.

/** Line of the HLO; line, character, end line and end character of the operation. */
export type Link = [number, number, number, number, number];

const contains = ([, line, character, endLine, endCharacter]: Link, atLine: number, atCharacter: number) =>
  (atLine > line || (atLine === line && atCharacter >= character)) &&
  (atLine < endLine || (atLine === endLine && atCharacter <= endCharacter));

/** Whether `a` is inside of `b` and smaller. */
const isInside = (a: Link, b: Link) => contains(b, a[1], a[2]) && contains(b, a[3], a[4]) && !contains(a, b[1], b[2]);

/** The instructions of the innermost operation at a place of the program; on a line outside of all, of the first one there. */
export function linksFrom(links: readonly Link[], line: number, character: number): Link[] {
  let at = links.filter((link) => contains(link, line, character));
  if (at.length === 0) {
    const onLine = links.filter((link) => link[1] === line).sort((a, b) => a[2] - b[2]);
    at = onLine.filter((link) => link[2] === onLine[0]![2]);
  }
  return at.filter((link) => !at.some((other) => isInside(other, link)));
}

/** The link of a line of the HLO. */
export const linkOf = (links: readonly Link[], line: number): Link | undefined => links.find((link) => link[0] === line);
