// SPDX-License-Identifier: Apache-2.0
// What `hloscope profile --json` says, for the lines of modules and as a tree.
import { byteText, timeText } from '../python/sourceLines';
import type { DefinedAt } from '../text/locate';

export interface TimeRow {
  program: number;
  name: string;
  module: string;
  opcode: string;
  occurrences: number;
  self_ps: number;
  executions: number;
  guessed: number;
  flops: number;
  bytes: number;
  flops_per_second: number;
  bytes_per_second: number;
  limit_ps: number;
  gain_ps: number;
  exposed_ps: number;
  bound_by: string;
}
export interface GroupRow { name: string; occurrences: number; self_ps: number; flops: number; bytes: number }
export interface ComparedRow { module: string; name: string; before_ps: number; after_ps: number; before_total_ps: number; after_total_ps: number }
export interface ProfileAnswer {
  programs: { id: number; module: string; has_module: boolean; problem: string }[];
  events: number;
  attributed: number;
  guessed: number;
  total_ps: number;
  attributed_ps: number;
  instructions: TimeRow[];
  most_to_gain: TimeRow[];
  opcodes: GroupRow[];
  source_lines: GroupRow[];
  scopes: GroupRow[];
  unattributed: { name: string; reason: string; occurrences: number; total_ps: number }[];
  device: { name: string; source: string };
  problems: { problem: string; times: number }[];
  comparison?: { before_ps: number; after_ps: number; instructions: ComparedRow[] };
}

/** Of 1 (nearly nothing) to 5 (the instruction that takes longest). */
export const HEAT_LEVELS = 5;

const MOST_ROWS = 200;

const share = (part: number, whole: number): string => (whole > 0 ? `${((100 * part) / whole).toPrecision(3)} %` : '');

function rate(value: number, unit: string): string | undefined {
  if (value <= 0) return undefined;
  const step = Math.min(5, Math.floor(Math.log10(value) / 3));
  return step <= 0 ? `${value.toPrecision(3)} ${unit}` : `${(value / 10 ** (3 * step)).toPrecision(3)} ${'kMGTP'[step - 1]}${unit}`;
}

/** The times of instructions by module and name. */
export class MeasuredModules {
  private readonly rows = new Map<string, Map<string, TimeRow>>();
  private readonly longest: number;

  constructor(readonly answer: ProfileAnswer) {
    for (const row of answer.instructions) {
      const ofModule = this.rows.get(row.module) ?? new Map<string, TimeRow>();
      this.rows.set(row.module, ofModule);
      // Programs may share a name: the one that takes longest comes first.
      if (!ofModule.has(row.name)) ofModule.set(row.name, row);
    }
    this.longest = Math.max(0, ...answer.instructions.map((row) => row.self_ps));
  }

  has(module: string | undefined): boolean {
    return module !== undefined && this.rows.has(module);
  }

  find(module: string | undefined, name: string): TimeRow | undefined {
    return module === undefined ? undefined : this.rows.get(module)?.get(name);
  }

  heat(row: TimeRow): number {
    return this.longest > 0 ? Math.max(1, Math.ceil((HEAT_LEVELS * row.self_ps) / this.longest)) : 1;
  }

  /** Lines of a text that have times. */
  lines(instructions: Iterable<DefinedAt>): { line: number; row: TimeRow }[] {
    const found: { line: number; row: TimeRow }[] = [];
    for (const { module, name, line } of instructions) {
      const row = this.find(module, name);
      if (row !== undefined) found.push({ line, row });
    }
    return found;
  }

  /** "1.95 ms · 43.6 % · 2.93 TB/s", behind the line. */
  lineText(row: TimeRow): string {
    const parts = [timeText(row.self_ps), share(row.self_ps, this.answer.total_ps), rate(row.flops_per_second, 'FLOP/s') ?? rate(row.bytes_per_second, 'B/s')];
    return parts.filter((part) => part !== undefined && part !== '').join(' · ');
  }

  /** Everything that was measured of an instruction, as Markdown. */
  hoverText(row: TimeRow): string {
    const one = row.executions > 0 ? row.self_ps / row.executions : row.self_ps;
    const lines = [
      `**${timeText(row.self_ps)}**, ${share(row.self_ps, this.answer.total_ps)} of the profile`,
      `${row.executions} ${row.executions === 1 ? 'run' : 'runs'} of ${timeText(one)}, ${row.occurrences} ${row.occurrences === 1 ? 'event' : 'events'}` +
        (row.guessed > 0 ? `, ${row.guessed} of them guessed` : ''),
      [rate(row.flops_per_second, 'FLOP/s'), rate(row.bytes_per_second, 'B/s'), row.bytes > 0 ? `${byteText(row.bytes)} a run` : undefined].filter((part) => part !== undefined).join(', '),
      row.limit_ps > 0 ? `${this.answer.device.name === '' ? 'limit of the device' : `limit of ${this.answer.device.name}`} ${timeText(row.limit_ps)} a run, bound by ${row.bound_by}, ${timeText(row.gain_ps)} to gain` : '',
      row.exposed_ps > 0 ? `nothing computes on the device for ${timeText(row.exposed_ps)} of it` : '',
    ];
    return lines.filter((line) => line !== '').join('  \n');
  }
}

export interface ProfileNode {
  label: string;
  description: string;
  tooltip: string;
  icon: string;
  children?: ProfileNode[];
  /** Of instructions. */
  module?: string;
  instruction?: string;
  /** Of lines of a program: FILE:LINE. */
  source?: string;
  /** Of programs whose module is in the profile: the id. */
  program?: number;
}

function group(label: string, icon: string, children: ProfileNode[], count = children.length): ProfileNode[] {
  if (children.length === 0) return [];
  const more = count > children.length ? [{ label: `${count - children.length} more`, description: '', tooltip: '', icon: 'ellipsis' }] : [];
  return [{ label, description: String(count), tooltip: label, icon, children: [...children, ...more] }];
}

/** The groups of the view: what would gain most first, what belongs to nothing last. */
export function profileTree(measured: MeasuredModules): ProfileNode[] {
  const { answer } = measured;
  const instruction = (row: TimeRow, description: string): ProfileNode => ({
    label: row.name, description, tooltip: measured.hoverText(row), icon: 'symbol-operator', module: row.module, instruction: row.name,
  });
  const times = (rows: TimeRow[]): ProfileNode[] => rows.slice(0, MOST_ROWS).map((row) => instruction(row, `${measured.lineText(row)} · ${row.module}`));
  const groups = (rows: GroupRow[], hasSource = false): ProfileNode[] => rows.slice(0, MOST_ROWS).map((row) => ({
    label: row.name, description: `${timeText(row.self_ps)} · ${share(row.self_ps, answer.total_ps)}`, tooltip: `${row.name}\n${row.occurrences} events`, icon: 'dash',
    ...(hasSource && /:\d+$/.test(row.name) ? { source: row.name } : {}),
  }));
  const fusions = answer.instructions.filter((row) => row.opcode === 'fusion');
  const compared = answer.comparison?.instructions ?? [];
  const change = (row: ComparedRow): number => row.after_total_ps - row.before_total_ps;
  return [
    ...group('Most to gain', 'flame', answer.most_to_gain.map((row) => instruction(row, `${timeText(row.gain_ps)} · ${row.bound_by} · ${row.module}`))),
    ...group('Compared with the other profile', 'diff', compared.slice(0, MOST_ROWS).map((row) => ({
      label: row.name, description: `${change(row) > 0 ? '+' : change(row) < 0 ? '−' : '±'}${timeText(Math.abs(change(row)))} · ${row.module}`,
      tooltip: `one run: ${timeText(row.before_ps)} before, ${timeText(row.after_ps)} now`, icon: 'symbol-operator', module: row.module, instruction: row.name,
    })), compared.length),
    ...group('Instructions', 'list-ordered', times(answer.instructions), answer.instructions.length),
    ...group('Fusions', 'combine', times(fusions), fusions.length),
    ...group('Opcodes', 'symbol-operator', groups(answer.opcodes), answer.opcodes.length),
    ...group('Source lines', 'file-code', groups(answer.source_lines, true), answer.source_lines.length),
    ...group('Scopes', 'symbol-namespace', groups(answer.scopes), answer.scopes.length),
    ...group('Programs', 'package', answer.programs.map((program) => ({
      label: program.module, description: `id ${program.id}${program.problem === '' ? '' : ` · ${program.problem}`}`, tooltip: program.problem, icon: program.has_module ? 'file' : 'warning',
      ...(program.has_module ? { program: program.id } : {}),
    }))),
    ...group('Outside of all modules', 'question', answer.unattributed.slice(0, MOST_ROWS).map((row) => ({
      label: row.name, description: `${timeText(row.total_ps)} · ${row.reason}`, tooltip: `${row.occurrences} events`, icon: 'dash',
    })), answer.unattributed.length),
    ...group('What could not be used', 'warning', answer.problems.map((row) => ({ label: row.problem, description: `${row.times} times`, tooltip: row.problem, icon: 'warning' }))),
  ];
}

/** "80.1 % of 4.48 ms belong to instructions". */
export function summaryOf(answer: ProfileAnswer): string {
  return `${share(answer.attributed_ps, answer.total_ps) || '0 %'} of ${timeText(answer.total_ps)} belong to instructions`;
}
