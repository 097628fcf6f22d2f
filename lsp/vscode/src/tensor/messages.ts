// SPDX-License-Identifier: Apache-2.0
// What the tensor view and the extension tell each other.
import type { Heat, Plane, Window } from './plane';
import type { Histogram, Statistics } from './statistics';

export interface TensorDescription {
  name: string;
  type: string;
  dimensions: number[];
  statistics: Statistics;
  histogram?: Histogram;
}

export type ToTensorView =
  | { kind: 'tensor'; tensor: TensorDescription; plane: Plane }
  | { kind: 'cells'; plane: Plane; window: Window; rows: number; columns: number; cells: string[][] }
  | { kind: 'heat'; plane: Plane; heat: Heat }
  | { kind: 'failure'; message: string };

export type FromTensorView =
  | { kind: 'ready' }
  | { kind: 'cells'; plane: Plane; window: Window }
  | { kind: 'heat'; plane: Plane; limit: number };
