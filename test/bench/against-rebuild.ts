import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './child';
import type { Taken } from './cpu-clock';
import { figure, paired, type Figure } from './figure';
import { interleave } from './interleave';
import type { Setting } from './row';

/** Of what a rebuild folds, by the time of the machine and by that of the processor alone. */
const GOAL = { of: 'ratio', atLeast: 0.8 } as const;

interface Program {
  readonly name: string;
  readonly args: readonly string[];
}

export interface Backlog {
  readonly what: string;
  readonly unit: string;
  readonly inputs: number;
  /** A data folder whose projections are behind. */
  readonly source: string;
  /** Runs the projections of a data folder until they are up to date. */
  readonly catchUp: Program;
  /** Rebuilds those that are up to date. Both report what they have `Taken`. */
  readonly rebuild: Program;
}

/**
 * How fast live projections catch up, against a rebuild of the same inputs, as `tidemark rebuild` does it. Every measurement
 * is a process of its own, on a copy of the same folder.
 */
export async function againstRebuild(
  { folder, sized }: Pick<Setting, 'folder' | 'sized'>,
  { what, unit, inputs, source, catchUp, rebuild }: Backlog,
): Promise<Figure[]> {
  const copy = join(folder, 'caught-up');
  const perCpuSecond = { live: [] as number[], rebuild: [] as number[] };
  const measure = async (side: 'live' | 'rebuild', { name, args }: Program): Promise<number> => {
    const child = run(`programs/${name}`, args, { env: { ...process.env, DATA_DIR: copy } });
    const { seconds, cpuSeconds } = await child.next<Taken>();
    await child.ended();
    perCpuSecond[side].push(inputs / cpuSeconds);
    return inputs / seconds;
  };
  const rates = await interleave(sized({ full: 3, quick: 1, smallest: 1 }), {
    async live() {
      rmSync(copy, { recursive: true, force: true });
      cpSync(source, copy, { recursive: true });
      return measure('live', catchUp);
    },
    // Where it is the first of a round it has the folder of the round before.
    rebuild: () => measure('rebuild', rebuild),
  });
  return [
    figure({ what: `${what}: to a rebuild`, unit: `${unit}/s` }, paired(rates.live, rates.rebuild), GOAL),
    figure(
      { what: `${what}: to a rebuild, by the processor`, unit: `${unit}/CPU s` },
      paired(perCpuSecond.live, perCpuSecond.rebuild),
      GOAL,
    ),
  ];
}
