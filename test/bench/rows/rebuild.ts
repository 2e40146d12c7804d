import { run } from '../child';
import { figure, median, once, paired } from '../figure';
import { interleave } from '../interleave';
import type { Rebuilt } from '../programs/rebuild';
import type { Row } from '../row';

interface Scanned {
  readonly rate: number;
  readonly peak: number;
}

/** The maxima of the last and the second quarter of the samples: the first is the warm-up. */
function growth(memory: readonly number[]): readonly [late: number, early: number] {
  const at = (quarter: number): number => Math.floor((memory.length * quarter) / 4);
  return [Math.max(...memory.slice(at(3))), Math.max(...memory.slice(at(1), at(2)))];
}

/**
 * A full rebuild of the billing projections beside the live ones, as `tidemark rebuild` does it, against reading and
 * parsing the same store. Every measurement is a process of its own, so that its memory is not shared.
 */
export const row: Row = async ({ sized, folder, say }) => {
  const events = sized({ full: 1_000_000, quick: 100_000, smallest: 2_000 });
  const env = { ...process.env, DATA_DIR: folder };
  say(`filling a store with ${events} events`);
  const prepared = run('programs/prepare-ledger', [String(events)], { env });
  await prepared.next();
  await prepared.ended();

  const scans: Scanned[] = [];
  const rebuilds: Rebuilt[] = [];
  const child = async <Result extends { rate: number }>(program: string, into: Result[]): Promise<number> => {
    const process = run(program, [folder], { env });
    const result = await process.next<Result>();
    await process.ended();
    into.push(result);
    return result.rate;
  };
  say('rebuilding');
  const { scan, rebuild } = await interleave(sized({ full: 2, quick: 3, smallest: 1 }), {
    scan: () => child<Scanned>('programs/scan', scans),
    rebuild: () => child<Rebuilt>('programs/rebuild', rebuilds),
  });

  const share = median(rebuilds.map(({ folding, seconds }) => folding / seconds));
  const grown = rebuilds.map(({ memory }) => growth(memory));
  return [
    figure(
      {
        what: 'rebuild: to scan and JSON.parse',
        unit: 'events/s',
        note: `folding ${Math.round(100 * share)}% of the time, the rest indexes and comparison`,
      },
      paired(rebuild, scan),
      { of: 'value', atLeast: 100_000 },
    ),
    figure(
      { what: 'rebuild: peak memory, to that of the scan', unit: 'MiB' },
      once(Math.max(...rebuilds.map(({ peak }) => peak)), Math.max(...scans.map(({ peak }) => peak))),
      { of: 'value', atMost: 300 },
    ),
    figure(
      { what: 'rebuild: memory of the last quarter, to the second', unit: 'MiB' },
      paired(
        grown.map(([late]) => late),
        grown.map(([, early]) => early),
      ),
      { of: 'ratio', atMost: 1.15 },
    ),
  ];
};
