// SPDX-License-Identifier: Apache-2.0
// A tensor as the views show it: elements in row-major order, whatever the layout was.
import { codecOf, type Codec } from './elementTypes';

export interface ArrayShape {
  type: string;
  dimensions: number[];
}

/** The first array shape in a text such as `f32[8,<=16]{1,0:T(8,128)}`, or undefined. */
export function parseArrayShape(text: string): ArrayShape | undefined {
  const match = /\b([a-z][a-z0-9]*)\[([0-9,<=\s]*)\]/.exec(text);
  if (match === null || codecOf(match[1]!) === undefined) return undefined;
  const inner = match[2]!.trim();
  const dimensions = inner === '' ? [] : inner.split(',').map((size) => Number(size.replace('<=', '').trim()));
  return dimensions.every((size) => Number.isSafeInteger(size)) ? { type: match[1]!, dimensions } : undefined;
}

/** Every array shape of a text, in order: the leaves of a tuple. Layouts hold no shapes. */
export function parseLeafShapes(text: string): ArrayShape[] {
  const result: ArrayShape[] = [];
  for (const match of text.matchAll(/\b[a-z][a-z0-9]*\[[0-9,<=\s]*\]/g)) {
    const shape = parseArrayShape(match[0]);
    if (shape !== undefined) result.push(shape);
  }
  return result;
}

export function elementCount(dimensions: readonly number[]): number {
  return dimensions.reduce((count, size) => count * size, 1);
}

export class Tensor {
  readonly count: number;
  private readonly codec: Codec;
  private readonly view: DataView;

  private constructor(
    readonly type: string,
    readonly dimensions: readonly number[],
    bytes: Uint8Array,
    codec: Codec,
  ) {
    this.codec = codec;
    this.count = elementCount(dimensions);
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** A sentence if the bytes are not such a tensor. */
  static create(type: string, dimensions: readonly number[], bytes: Uint8Array): Tensor | string {
    const codec = codecOf(type);
    if (codec === undefined) return `Values of type ${type} cannot be shown.`;
    const wanted = elementCount(dimensions) * codec.size;
    if (bytes.byteLength < wanted) {
      return `${type}[${dimensions.join(',')}] takes ${wanted} bytes, but there are ${bytes.byteLength}.`;
    }
    return new Tensor(type, dimensions, bytes, codec);
  }

  get floating(): boolean {
    return this.codec.floating;
  }

  /** `index` counts elements in row-major order. */
  number(index: number): number {
    return this.codec.number(this.view, index * this.codec.size);
  }

  text(index: number): string {
    return this.codec.text(this.view, index * this.codec.size);
  }

  /** Elements from one index to the next along each dimension. */
  strides(): number[] {
    const strides = new Array<number>(this.dimensions.length).fill(1);
    for (let axis = strides.length - 2; axis >= 0; --axis) strides[axis] = strides[axis + 1]! * this.dimensions[axis + 1]!;
    return strides;
  }
}
