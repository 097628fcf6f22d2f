// SPDX-License-Identifier: Apache-2.0
// The element types of HLO as bytes: one element per 1, 2, 4, 8 or 16 bytes, little-endian; types smaller than a byte are in
// the low bits of a byte of their own.

export interface Codec {
  /** Bytes of an element. */
  size: number;
  /** The value for pictures and statistics; of complex numbers the magnitude. 64-bit integers may lose low bits. */
  number(view: DataView, offset: number): number;
  /** The value in full, as text. */
  text(view: DataView, offset: number): string;
  /** Numbers that may be NaN or infinite. */
  floating: boolean;
}

/** A floating-point format of at most 16 bits. */
interface SmallFloat {
  exponentBits: number;
  mantissaBits: number;
  bias: number;
  signed: boolean;
  /** ieee: the largest exponent holds infinities and NaNs; fn: only NaN with all ones; fnuz: NaN is minus zero; finite: none. */
  special: 'ieee' | 'fn' | 'fnuz' | 'finite' | 'scale';
}

const SMALL_FLOATS: Record<string, SmallFloat> = {
  f16: { exponentBits: 5, mantissaBits: 10, bias: 15, signed: true, special: 'ieee' },
  bf16: { exponentBits: 8, mantissaBits: 7, bias: 127, signed: true, special: 'ieee' },
  f8e5m2: { exponentBits: 5, mantissaBits: 2, bias: 15, signed: true, special: 'ieee' },
  f8e4m3: { exponentBits: 4, mantissaBits: 3, bias: 7, signed: true, special: 'ieee' },
  f8e3m4: { exponentBits: 3, mantissaBits: 4, bias: 3, signed: true, special: 'ieee' },
  f8e4m3fn: { exponentBits: 4, mantissaBits: 3, bias: 7, signed: true, special: 'fn' },
  f8e4m3b11fnuz: { exponentBits: 4, mantissaBits: 3, bias: 11, signed: true, special: 'fnuz' },
  f8e4m3fnuz: { exponentBits: 4, mantissaBits: 3, bias: 8, signed: true, special: 'fnuz' },
  f8e5m2fnuz: { exponentBits: 5, mantissaBits: 2, bias: 16, signed: true, special: 'fnuz' },
  f8e8m0fnu: { exponentBits: 8, mantissaBits: 0, bias: 127, signed: false, special: 'scale' },
  f4e2m1fn: { exponentBits: 2, mantissaBits: 1, bias: 1, signed: true, special: 'finite' },
};

function decodeSmallFloat(bits: number, format: SmallFloat): number {
  const { exponentBits, mantissaBits, bias, special } = format;
  const mantissaMask = 2 ** mantissaBits - 1, exponentMask = 2 ** exponentBits - 1;
  const magnitude = bits & (2 ** (exponentBits + mantissaBits) - 1);
  const exponent = (magnitude >> mantissaBits) & exponentMask, mantissa = magnitude & mantissaMask;
  const negative = format.signed && (bits >> (exponentBits + mantissaBits)) % 2 === 1;
  const sign = negative ? -1 : 1;
  if (special === 'scale') return exponent === exponentMask ? NaN : 2 ** (exponent - bias);
  if (special === 'fnuz' && negative && magnitude === 0) return NaN;
  if (special === 'fn' && magnitude === 2 ** (exponentBits + mantissaBits) - 1) return NaN;
  if (special === 'ieee' && exponent === exponentMask) return mantissa === 0 ? sign * Infinity : NaN;
  if (exponent === 0) return sign * mantissa * 2 ** (1 - bias - mantissaBits);
  return sign * (1 + mantissa * 2 ** -mantissaBits) * 2 ** (exponent - bias);
}

/** Digits enough to tell the values of a format with this many bits of precision apart. */
function floatText(value: number, digits: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0';
  return String(Number(value.toPrecision(digits)));
}

function smallFloat(format: SmallFloat): Codec {
  const wide = format.exponentBits + format.mantissaBits + (format.signed ? 1 : 0) > 8;
  const bits = (view: DataView, offset: number): number => (wide ? view.getUint16(offset, true) : view.getUint8(offset));
  const number = (view: DataView, offset: number): number => decodeSmallFloat(bits(view, offset), format);
  const digits = Math.ceil((format.mantissaBits + 1) * Math.log10(2)) + 1;
  return { size: wide ? 2 : 1, number, text: (view, offset) => floatText(number(view, offset), digits), floating: true };
}

function integer(size: number, read: (view: DataView, offset: number) => number | bigint): Codec {
  return {
    size,
    number: (view, offset) => Number(read(view, offset)),
    text: (view, offset) => read(view, offset).toString(),
    floating: false,
  };
}

/** Integers of fewer than 8 bits, in the low bits of a byte. */
function smallInteger(bits: number, signed: boolean): Codec {
  return integer(1, (view, offset) => {
    const value = view.getUint8(offset) & (2 ** bits - 1);
    return signed && value >= 2 ** (bits - 1) ? value - 2 ** bits : value;
  });
}

function float(size: 4 | 8): Codec {
  const number = (view: DataView, offset: number): number =>
    size === 4 ? view.getFloat32(offset, true) : view.getFloat64(offset, true);
  return { size, number, text: (view, offset) => floatText(number(view, offset), size === 4 ? 9 : 17), floating: true };
}

function complex(part: Codec): Codec {
  return {
    size: 2 * part.size,
    number: (view, offset) => Math.hypot(part.number(view, offset), part.number(view, offset + part.size)),
    text: (view, offset) => `(${part.text(view, offset)}, ${part.text(view, offset + part.size)})`,
    floating: true,
  };
}

const CODECS = new Map<string, Codec>([
  ['pred', { ...smallInteger(1, false), text: (view, offset) => (view.getUint8(offset) === 0 ? 'false' : 'true') }],
  ['s8', integer(1, (view, offset) => view.getInt8(offset))],
  ['u8', integer(1, (view, offset) => view.getUint8(offset))],
  ['s16', integer(2, (view, offset) => view.getInt16(offset, true))],
  ['u16', integer(2, (view, offset) => view.getUint16(offset, true))],
  ['s32', integer(4, (view, offset) => view.getInt32(offset, true))],
  ['u32', integer(4, (view, offset) => view.getUint32(offset, true))],
  ['s64', integer(8, (view, offset) => view.getBigInt64(offset, true))],
  ['u64', integer(8, (view, offset) => view.getBigUint64(offset, true))],
  ['f32', float(4)],
  ['f64', float(8)],
  ['c64', complex(float(4))],
  ['c128', complex(float(8))],
  ...[1, 2, 4].flatMap((bits): [string, Codec][] => [
    [`s${bits}`, smallInteger(bits, true)],
    [`u${bits}`, smallInteger(bits, false)],
  ]),
  ...Object.entries(SMALL_FLOATS).map(([name, format]): [string, Codec] => [name, smallFloat(format)]),
]);

/** undefined: a type without elements, such as token, or not a type. */
export function codecOf(type: string): Codec | undefined {
  return CODECS.get(type);
}
