// SPDX-License-Identifier: Apache-2.0
// usage: node icon.mjs DRAWING.svg ICON.png
// Draws the rectangles, circles and straight lines of a small SVG file as a PNG of 256 x 256: marketplaces take no SVG.
import fs from 'node:fs';
import zlib from 'node:zlib';

const SIZE = 256;
const SAMPLES = 4; // in each direction, of a pixel

const number = (text) => Number(text ?? 0);
const attributes = (tag) => Object.fromEntries([...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
const colour = (text) => (text === undefined || text === 'none' ? undefined : [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16)));

/** The distance of a point to the nearest of a path's lines: M and L, absolute. */
function distanceToPath(path, x, y) {
  let nearest = Infinity;
  let at;
  for (const [, kind, toX, toY] of path.matchAll(/([ML])\s*(-?[\d.]+)\s+(-?[\d.]+)/g)) {
    const to = [Number(toX), Number(toY)];
    if (kind === 'L') {
      const [dx, dy] = [to[0] - at[0], to[1] - at[1]];
      const along = Math.min(1, Math.max(0, ((x - at[0]) * dx + (y - at[1]) * dy) / (dx * dx + dy * dy)));
      nearest = Math.min(nearest, Math.hypot(x - at[0] - along * dx, y - at[1] - along * dy));
    }
    at = to;
  }
  return nearest;
}

/** What a shape puts at a point of the drawing. */
function paint(shape, x, y) {
  const stroke = colour(shape.stroke);
  const half = number(shape['stroke-width']) / 2;
  if (shape.d !== undefined) return stroke !== undefined && distanceToPath(shape.d, x, y) <= half ? stroke : undefined;
  if (shape.r !== undefined) {
    const distance = Math.hypot(x - number(shape.cx), y - number(shape.cy)) - number(shape.r);
    if (stroke !== undefined && Math.abs(distance) <= half) return stroke;
    return distance <= 0 ? colour(shape.fill) : undefined;
  }
  const [width, height, radius] = [number(shape.width), number(shape.height), number(shape.rx)];
  const dx = Math.abs(x - number(shape.x) - width / 2) - (width / 2 - radius);
  const dy = Math.abs(y - number(shape.y) - height / 2) - (height / 2 - radius);
  const outside = Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0);
  return outside <= radius ? colour(shape.fill) : undefined;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type), data]);
  const result = Buffer.alloc(body.length + 8);
  result.writeUInt32BE(data.length, 0);
  body.copy(result, 4);
  result.writeUInt32BE(crc(body), body.length + 4);
  return result;
}

function crc(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; ++bit) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return ~value >>> 0;
}

export function iconOf(svg) {
  const scale = Number(/viewBox="0 0 (\d+)/.exec(svg)[1]) / SIZE;
  const shapes = [...svg.matchAll(/<(?:rect|path|circle)\b[^>]*>/g)].map(([tag]) => attributes(tag));
  const rows = Buffer.alloc(SIZE * (1 + SIZE * 4));
  for (let row = 0; row < SIZE; ++row) {
    for (let column = 0; column < SIZE; ++column) {
      const sum = [0, 0, 0];
      let covered = 0;
      for (let sample = 0; sample < SAMPLES * SAMPLES; ++sample) {
        const x = (column + ((sample % SAMPLES) + 0.5) / SAMPLES) * scale;
        const y = (row + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES) * scale;
        let top;
        for (const shape of shapes) top = paint(shape, x, y) ?? top;
        if (top === undefined) continue;
        ++covered;
        top.forEach((part, i) => { sum[i] += part; });
      }
      const at = row * (1 + SIZE * 4) + 1 + column * 4;
      if (covered > 0) sum.forEach((part, i) => { rows[at + i] = Math.round(part / covered); });
      rows[at + 3] = Math.round((255 * covered) / (SAMPLES * SAMPLES));
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  header.set([8, 6, 0, 0, 0], 8); // 8 bits, with transparency
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header), chunk('IDAT', zlib.deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0)),
  ]);
}

if (process.argv.length === 4) fs.writeFileSync(process.argv[3], iconOf(fs.readFileSync(process.argv[2], 'utf8')));
