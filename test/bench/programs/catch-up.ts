import { createProjectionEngine } from '../../../projections/engine/engine';
import { ALL_DAYS } from '../../../projections/billing/intervals';
import { revenue } from '../../../projections/billing/revenue';
import { readConfig } from '../../../infra/program/config';
import { openEmbeddedEngines } from '../../../infra/engines/engines';
import { createLogger } from '../../../infra/program/logger';
import { PROJECTIONS } from '../../../infra/program/features';

/** The report reads thousands of sums: often enough, and not in the way of what is measured. */
const POLL_MS = 100;

/** Program: runs all projections of a data folder until the revenue report has so many fees, and reports how many a second. */
async function main(fees: number): Promise<void> {
  const engines = openEmbeddedEngines(readConfig(process.env));
  const stop = new AbortController();
  const engine = createProjectionEngine({
    projections: PROJECTIONS,
    ...engines,
    clock: () => new Date(),
    logger: createLogger('warn'),
    signal: stop.signal,
  });
  const shown = async (): Promise<number> => {
    try {
      const { summary } = await revenue(engine.views, ALL_DAYS);
      return summary.reduce((sum, { count }) => sum + count, 0);
    } catch {
      // It may be refused while the projection is behind.
      return 0;
    }
  };
  const began = performance.now();
  const running = engine.run(stop.signal);
  while ((await shown()) < fees) await new Promise(resolve => setTimeout(resolve, POLL_MS));
  const rate = (fees / (performance.now() - began)) * 1_000;
  stop.abort();
  await running;
  await engines.close();
  process.send!({ rate });
  process.disconnect();
}

void main(Number(process.argv[2]));
