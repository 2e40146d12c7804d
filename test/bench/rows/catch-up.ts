import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../child';
import { figure, paired } from '../figure';
import { interleave } from '../interleave';
import type { Row } from '../row';

/**
 * How soon the revenue report has all fees of an import: the live projections, all of them in one process, whose documents are
 * as before the import; against a rebuild of the same fees, as `tidemark rebuild` does it. Every measurement is a process of
 * its own, on a copy of the same folder.
 */
export const row: Row = async ({ quick, folder, say }) => {
  const fees = quick ? 50_000 : 200_000;
  const source = join(folder, 'imported');
  say(`importing ${fees} fees`);
  const prepared = run('programs/prepare-import', [String(fees)], {
    env: { ...process.env, DATA_DIR: source },
  });
  const total = await prepared.next<number>();
  await prepared.ended();

  const rateOf = async (program: string, dataDir: string): Promise<number> => {
    const child = run(program, [String(total)], { env: { ...process.env, DATA_DIR: dataDir } });
    const { rate } = await child.next<{ readonly rate: number }>();
    await child.ended();
    return rate;
  };
  const caughtUp = join(folder, 'caught-up');
  const catchUp = (): Promise<number> => {
    rmSync(caughtUp, { recursive: true, force: true });
    cpSync(source, caughtUp, { recursive: true });
    return rateOf('programs/catch-up', caughtUp);
  };
  await catchUp();
  const rates = await interleave(3, { live: catchUp, rebuild: () => rateOf('programs/rebuild', caughtUp) });
  return [
    figure(
      { what: `report of ${fees.toLocaleString('en')} imported fees: to a rebuild`, unit: 'events/s' },
      paired(rates.live, rates.rebuild),
      { of: 'ratio', atLeast: 0.8 },
    ),
  ];
};
