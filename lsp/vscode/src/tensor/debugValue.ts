// SPDX-License-Identifier: Apache-2.0
// The value of a variable of a debug session, over the protocol: its memory if the adapter offers it, else its elements as
// variables.
import { codecOf } from './elementTypes';
import { elementCount, parseArrayShape, Tensor, type ArrayShape } from './tensor';

/** What both vscode.DebugSession and a test can do. */
export interface Session {
  customRequest(command: string, given: unknown): Thenable<unknown>;
}

/** The parts of the protocol's Variable that matter here. */
export interface Variable {
  name: string;
  value: string;
  type?: string;
  evaluateName?: string;
  variablesReference: number;
  namedVariables?: number;
  indexedVariables?: number;
  memoryReference?: string;
}

// Beyond this a view would only be slow; the debugger's expressions take slices.
export const LARGEST_VALUE = 256 * 1024 * 1024;
const MEMORY_PIECE = 4 * 1024 * 1024;
// Element by element is slow: hundreds of requests are the most one waits for.
const LARGEST_ELEMENTWISE = 65_536;
const VARIABLES_PIECE = 1024;

async function readMemory(session: Session, reference: string, size: number): Promise<Uint8Array | string> {
  const bytes = new Uint8Array(size);
  let done = 0;
  while (done < size) {
    const wanted = Math.min(MEMORY_PIECE, size - done);
    const answer = (await session.customRequest('readMemory', { memoryReference: reference, offset: done, count: wanted })) as
      | { data?: string; unreadableBytes?: number }
      | undefined;
    const piece = Buffer.from(answer?.data ?? '', 'base64');
    if (piece.length === 0) return `The debugger gave ${done} of ${size} bytes.`;
    bytes.set(piece.subarray(0, size - done), done);
    done += piece.length;
  }
  return bytes;
}

async function children(session: Session, reference: number, count: number): Promise<Variable[]> {
  const result: Variable[] = [];
  while (result.length < count) {
    const answer = (await session.customRequest('variables', {
      variablesReference: reference,
      filter: 'indexed',
      start: result.length,
      count: Math.min(VARIABLES_PIECE, count - result.length),
    })) as { variables?: Variable[] } | undefined;
    const piece = answer?.variables ?? [];
    if (piece.length === 0) break;
    result.push(...piece);
  }
  return result;
}

function writeNumber(view: DataView, offset: number, type: string, text: string): boolean {
  if (text === 'true' || text === 'false') {
    view.setFloat64(offset, text === 'true' ? 1 : 0, true);
    return type === 'pred';
  }
  const value = text === 'inf' ? Infinity : text === '-inf' ? -Infinity : text === 'nan' || text === '-nan' ? NaN : Number(text);
  view.setFloat64(offset, value, true);
  return text.trim() !== '' && (!Number.isNaN(value) || text.endsWith('nan'));
}

/** Reads nested variables, one level per dimension, into float64 elements. */
async function readElements(session: Session, variable: Variable, shape: ArrayShape): Promise<Uint8Array | string> {
  const count = elementCount(shape.dimensions);
  if (count > LARGEST_ELEMENTWISE) return 'The debugger offers no memory for this value, and it is too large to read by elements.';
  const bytes = new Uint8Array(count * 8);
  const view = new DataView(bytes.buffer);
  let next = 0;
  const visit = async (at: Variable, axis: number): Promise<string | undefined> => {
    if (axis === shape.dimensions.length) {
      return writeNumber(view, 8 * next++, shape.type, at.value.trim()) ? undefined : `'${at.value}' is not a number.`;
    }
    const size = shape.dimensions[axis]!;
    const parts = at.variablesReference === 0 ? [] : await children(session, at.variablesReference, size);
    if (parts.length !== size) return `The debugger gave ${parts.length} of ${size} elements.`;
    for (const part of parts) {
      const problem = await visit(part, axis + 1);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
  return (await visit(variable, 0)) ?? bytes;
}

/** The tensor that the variable holds, or a sentence. */
export async function readDebugValue(session: Session, variable: Variable): Promise<Tensor | string> {
  const shape = parseArrayShape(variable.type ?? '') ?? parseArrayShape(variable.value);
  if (shape === undefined) return `${variable.name} is not an array; choose one of its parts.`;
  const size = elementCount(shape.dimensions) * codecOf(shape.type)!.size;
  if (size > LARGEST_VALUE) {
    return `${variable.name} takes ${size} bytes; the view shows at most ${LARGEST_VALUE}. Look at a slice of it.`;
  }
  if (variable.memoryReference !== undefined) {
    const bytes = await readMemory(session, variable.memoryReference, size);
    return typeof bytes === 'string' ? bytes : Tensor.create(shape.type, shape.dimensions, bytes);
  }
  const bytes = await readElements(session, variable, shape);
  return typeof bytes === 'string' ? bytes : Tensor.create('f64', shape.dimensions, bytes);
}
