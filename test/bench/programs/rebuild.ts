import { feesProjection } from '../../../projections/billing/fees';
import { invoicesProjection } from '../../../projections/billing/invoices';
import { readConfig } from '../../../infra/program/settings/config';
import { openEmbeddedEngines } from '../../../infra/engines/engines';
import { startClock, type Taken } from '../cpu-clock';
import { projectionEngine } from '../projection-engine';

/** What the whole rebuild has taken: folding, indexing, comparing, switching. */
export interface Rebuilt extends Taken {
  /** Events per second. */
  readonly rate: number;
  /** Seconds until all events of fees were folded. */
  readonly folding: number;
  /** Resident memory in MiB, at even intervals. */
  readonly memory: readonly number[];
  readonly peak: number;
}

const SAMPLE_EVERY = 20;
const MIB = 2 ** 20;

/** Program: rebuilds the billing projections of a data folder that are up to date, and reports how fast. */
async function main(): Promise<void> {
  const engines = openEmbeddedEngines(readConfig(process.env));
  const stop = new AbortController();
  const { signal } = stop;
  const engine = projectionEngine(engines, signal, [feesProjection, invoicesProjection]);
  const events = (await engines.store.head()) + 1;
  const memory: number[] = [];
  const sample = (): unknown => memory.push(process.memoryUsage.rss() / MIB);
  sample();
  const sampling = setInterval(sample, SAMPLE_EVERY);

  const taken = startClock();
  let folding: number | null = null;
  const fees = await engine.rebuild('fees', {
    signal,
    onProgress({ done, total }) {
      if (done === total) folding ??= taken().seconds;
    },
  });
  const invoices = await engine.rebuild('invoices', { signal });
  const total = taken();
  clearInterval(sampling);
  sample();

  for (const { projection, comparison, switched } of [fees, invoices])
    if (!switched || !comparison || comparison.different + comparison.inconclusive > 0)
      throw new Error(`${projection}: the rebuilt documents are not those of before`);
  if (!fees.comparison || fees.comparison.documents < events / 2) throw new Error('fees are missing');
  stop.abort();
  await engines.close();
  const peak = process.resourceUsage().maxRSS / 1_024;
  const rate = events / total.seconds;
  process.send!({ ...total, rate, folding: folding!, memory, peak } satisfies Rebuilt);
  process.disconnect();
}

void main();
