// SPDX-License-Identifier: Apache-2.0
// Reading .npy files (format versions 1 to 3) of the kinds that HLOscope writes.
import { Tensor, elementCount, type ArrayShape } from './tensor';
import { codecOf } from './elementTypes';

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];

const TYPES: Record<string, string> = {
  b1: 'pred', i1: 's8', i2: 's16', i4: 's32', i8: 's64', u1: 'u8', u2: 'u16', u4: 'u32', u8: 'u64',
  f2: 'f16', f4: 'f32', f8: 'f64', c8: 'c64', c16: 'c128',
};

interface Header {
  type: string;
  dimensions: number[];
  columnMajor: boolean;
  dataOffset: number;
}

function readHeader(bytes: Uint8Array): Header | string {
  if (bytes.length < 10 || MAGIC.some((byte, index) => bytes[index] !== byte)) return 'This is not an .npy file.';
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = bytes[6]!;
  const lengthBytes = version === 1 ? 2 : 4;
  if (version < 1 || version > 3 || bytes.length < 8 + lengthBytes) return `Version ${version} of .npy files is not known.`;
  const length = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  const dataOffset = 8 + lengthBytes + length;
  if (dataOffset > bytes.length) return 'The header of the .npy file is cut off.';
  const header = Buffer.from(bytes.buffer, bytes.byteOffset + 8 + lengthBytes, length).toString('utf8');
  const descriptor = /'descr'\s*:\s*'([<>|=])([a-z]\d+)'/.exec(header);
  const order = /'fortran_order'\s*:\s*(True|False)/.exec(header);
  const shape = /'shape'\s*:\s*\(([\d\s,L]*)\)/.exec(header);
  if (descriptor === null || order === null || shape === null) return 'The header of the .npy file is not understood.';
  const type = TYPES[descriptor[2]!];
  if (type === undefined) return `Elements of kind '${descriptor[2]}' are not supported.`;
  if (descriptor[1] === '>' && codecOf(type)!.size > 1) return 'Big-endian .npy files are not supported.';
  const dimensions = shape[1]!.split(',').map((part) => part.trim()).filter((part) => part !== '').map((part) => parseInt(part, 10));
  return { type, dimensions, columnMajor: order[1] === 'True', dataOffset };
}

/** The bytes of a column-major array in row-major order. */
function toRowMajor(bytes: Uint8Array, dimensions: readonly number[], size: number): Uint8Array {
  const count = elementCount(dimensions);
  const result = new Uint8Array(count * size);
  const index = new Array<number>(dimensions.length).fill(0);
  for (let to = 0; to < count; ++to) {
    let from = 0;
    for (let axis = dimensions.length - 1; axis >= 0; --axis) from = from * dimensions[axis]! + index[axis]!;
    result.set(bytes.subarray(from * size, (from + 1) * size), to * size);
    for (let axis = dimensions.length - 1; axis >= 0; --axis) {
      if (++index[axis]! < dimensions[axis]!) break;
      index[axis] = 0;
    }
  }
  return result;
}

/**
 * The tensor in the file, or a sentence. `known` is the shape of the value, if the file holds the bits of a type that .npy
 * does not have (bf16 as 16-bit integers); it is ignored if it does not fit.
 */
export function readNpy(bytes: Uint8Array, known?: ArrayShape): Tensor | string {
  const header = readHeader(bytes);
  if (typeof header === 'string') return header;
  let data = bytes.subarray(header.dataOffset);
  const size = codecOf(header.type)!.size;
  if (data.length < elementCount(header.dimensions) * size) return 'The data of the .npy file is cut off.';
  if (header.columnMajor) data = toRowMajor(data, header.dimensions, size);
  const isBits = header.type === 'u8' || header.type === 'u16';
  const fits = known !== undefined && codecOf(known.type)?.size === size && known.dimensions.join() === header.dimensions.join();
  return Tensor.create(isBits && fits ? known.type : header.type, header.dimensions, data);
}
