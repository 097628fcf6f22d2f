// SPDX-License-Identifier: Apache-2.0
// What the drawing view and the extension tell each other, and what the language server says of layouts and broadcasts.

/** hloscope/layout, as far as it is drawn. */
export interface LayoutAnswer {
  shape: string;
  dimensions: number[];
  minor_to_major: number[];
  elements: number;
  cells: number;
  pieces: number;
  data_bytes: number;
  physical_bytes: number;
  waste: number;
  /** Of each element in row-major order; missing if there are too many. */
  addresses?: number[];
  /** The index of the element in each cell, null for padding. A list of those if the array is split into pieces. */
  memory?: Memory | Memory[];
  text: string;
}
export type Memory = (number[] | null)[];

export interface BroadcastStep {
  kind: string;
  operand: string;
  from: string;
  to: string;
  repeated_dimensions: number[];
  explanation: string;
}

/** hloscope/broadcast. */
export interface BroadcastAnswer {
  op: string;
  lhs: string;
  rhs: string;
  steps: BroadcastStep[];
  result: string;
  instructions: string[];
}

export type ToDrawingView =
  | { kind: 'layout'; layout: LayoutAnswer }
  /** `isWritten`: the right operand is broadcast to the left one's shape in the text; nothing is computed of both. */
  | { kind: 'broadcast'; broadcast: BroadcastAnswer; isWritten: boolean };

export type FromDrawingView = { kind: 'ready' };
