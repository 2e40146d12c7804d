import { feesProjection } from '../../../projections/billing/fees';
import { invoicesProjection } from '../../../projections/billing/invoices';
import { createProjectionEngine } from '../../../projections/engine/engine';
import { readConfig } from '../../../infra/program/config';
import { openEmbeddedEngines } from '../../../infra/engines/engines';
import { createLogger } from '../../../infra/program/logger';

export interface Rebuilt {
  /** Events per second over the whole rebuild: folding, indexing, comparing, switching. */
  readonly rate: number;
  /** Seconds until all events of fees were folded. */
  readonly folding: number;
  readonly seconds: number;
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
  const engine = createProjectionEngine({
    projections: [feesProjection, invoicesProjection],
    ...engines,
    clock: () => new Date(),
    logger: createLogger('warn'),
    signal,
  });
  const events = (await engines.store.head()) + 1;
  const memory: number[] = [];
  const sampling = setInterval(() => memory.push(process.memoryUsage.rss() / MIB), SAMPLE_EVERY);

  const began = performance.now();
  const elapsed = (): number => (performance.now() - began) / 1_000;
  let folding: number | null = null;
  const fees = await engine.rebuild('fees', {
    signal,
    onProgress({ done, total }) {
      if (done === total) folding ??= elapsed();
    },
  });
  const invoices = await engine.rebuild('invoices', { signal });
  const seconds = elapsed();
  clearInterval(sampling);

  for (const { projection, comparison, switched } of [fees, invoices])
    if (!switched || !comparison || comparison.different + comparison.inconclusive > 0)
      throw new Error(`${projection}: the rebuilt documents are not those of before`);
  if (!fees.comparison || fees.comparison.documents < events / 2) throw new Error('fees are missing');
  stop.abort();
  await engines.close();
  const peak = process.resourceUsage().maxRSS / 1_024;
  process.send!({ rate: events / seconds, folding: folding!, seconds, memory, peak } satisfies Rebuilt);
  process.disconnect();
}

void main();
