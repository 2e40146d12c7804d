import type { RebuildReport } from '../../projections/engine/rebuild';
import type { Counted } from './count-transfers';

type Line = readonly [what: string, count: number | string];

/** Prints the results of a run, a line each. */
export function report(lines: readonly Line[]): void {
  return void process.stdout.write(
    `\n${lines.map(([what, count]) => `${what.padEnd(44)} ${String(count).padStart(8)}`).join('\n')}\n`,
  );
}

/** Acknowledged, lost and doubled items by kind. */
export function countedLines(counts: Readonly<Record<string, Counted>>): Line[] {
  return Object.entries(counts).flatMap(([what, { acknowledged, lost, doubled }]): Line[] => [
    [`${what} acknowledged`, acknowledged],
    [`${what} lost`, lost],
    [`${what} doubled`, doubled],
  ]);
}

/** Number of documents that differ from a rebuild. */
export function comparedLines(rebuilt: readonly RebuildReport[]): Line[] {
  return rebuilt.map(({ projection, comparison }) => [
    `${projection}: documents, different`,
    `${comparison?.documents}, ${comparison?.different}`,
  ]);
}
