// SPDX-License-Identifier: Apache-2.0
// What the graph preview and the extension tell each other.

export interface ShownNode {
  id: string;
  name: string;
  label: string;
  /** What a profile measured of it: 1 to 5, and in words. */
  heat?: { level: number; text: string };
}

export type ToGraphView =
  | { kind: 'busy'; title: string }
  | { kind: 'graph'; title: string; svg: string; nodes: ShownNode[]; selected?: string }
  | { kind: 'select'; name: string }
  | { kind: 'failure'; message: string };

export type FromGraphView =
  | { kind: 'ready' }
  /** Show the text of the instruction; `focus`: and go there. */
  | { kind: 'reveal'; name: string; focus: boolean }
  | { kind: 'follow'; on: boolean };
