import type { RebuildReport } from '../../projections/engine/rebuild';
import type { Counted } from './main-history';

type Line = readonly [what: string, count: number | string];

/** Prints what a run came to, a line each. */
export function report(lines: readonly Line[]): void {
  return void process.stdout.write(
    `\n${lines.map(([what, count]) => `${what.padEnd(44)} ${String(count).padStart(8)}`).join('\n')}\n`,
  );
}

/** What became of everything that was acknowledged. */
export function countedLines(counts: Readonly<Record<string, Counted>>): Line[] {
  return Object.entries(counts).flatMap(([what, { acknowledged, lost, doubled }]): Line[] => [
    [`${what} acknowledged`, acknowledged],
    [`${what} lost`, lost],
    [`${what} doubled`, doubled],
  ]);
}

/** How the documents compare with those of a fresh rebuild. */
export function comparedLines(rebuilt: readonly RebuildReport[]): Line[] {
  return rebuilt.map(({ projection, comparison }) => [
    `${projection}: documents, different`,
    `${comparison?.documents}, ${comparison?.different}`,
  ]);
}
