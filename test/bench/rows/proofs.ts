import { run } from '../child';
import { figure, once, paired } from '../figure';
import { interleave } from '../interleave';
import type { Row } from '../row';

interface Measured {
  readonly rate: number;
  readonly peak: number;
}

/** The reports that are verified: the sums, a late page, ten thousand rows. */
const REPORTS = ['revenue', 'page', 'csv'] as const;

/**
 * Building the ledger tree from the first event, against reading and parsing the store; and verifying reports offline
 * with an export, against reading and parsing that. Every measurement is a process of its own.
 */
export const row: Row = async ({ sized, folder, say }) => {
  const events = sized({ full: 1_000_000, quick: 100_000, smallest: 2_000 });
  say(`filling and exporting a store of ${events} events`);
  const prepared = run('programs/prepare-export', [folder, String(events)]);
  await prepared.next();
  await prepared.ended();

  const peaks: Record<string, number> = {};
  const child = async (program: string, ...args: string[]): Promise<number> => {
    const process = run(`programs/${program}`, [folder, ...args]);
    const { rate, peak } = await process.next<Measured>();
    await process.ended();
    const name = program === 'verify' ? args[0]! : program;
    peaks[name] = Math.max(peaks[name] ?? 0, peak);
    return rate;
  };
  const rounds = sized({ full: 2, quick: 3, smallest: 1 });
  say('building the ledger tree');
  const { scan, build } = await interleave(rounds, {
    scan: () => child('scan'),
    build: round => child('ledger-tree', `documents-${round}.sqlite`),
  });
  say('verifying');
  const { parse, ...verified } = await interleave(rounds, {
    parse: () => child('scan-export'),
    revenue: () => child('verify', 'revenue'),
    page: () => child('verify', 'page'),
    csv: () => child('verify', 'csv'),
  });
  return [
    figure({ what: 'ledger tree: to scan and JSON.parse', unit: 'events/s' }, paired(build, scan), {
      of: 'value',
      atLeast: 50_000,
    }),
    figure(
      { what: 'ledger tree: peak memory, to that of the scan', unit: 'MiB' },
      once(peaks['ledger-tree']!, peaks['scan']!),
    ),
    ...REPORTS.flatMap(report => [
      figure(
        { what: `verify offline, ${report}: to read and JSON.parse`, unit: 'events/s' },
        paired(verified[report], parse),
        { of: 'value', atLeast: 100_000 },
      ),
      figure(
        { what: `verify offline, ${report}: peak memory`, unit: 'MiB' },
        once(peaks[report]!, peaks['scan-export']!),
        { of: 'value', atMost: 300 },
      ),
    ]),
  ];
};
