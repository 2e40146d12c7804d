import { createProjectionEngine } from '../../../projections/engine/engine';
import { readConfig } from '../../../infra/config';
import { openEngines } from '../../../infra/engines';
import { createLogger } from '../../../infra/logger';
import { READ_MODELS } from '../../../infra/read-models';
import { fillFees } from '../fill/fees';

/** Program: fills the data folder with that many events of fees, and projects them as a running program would have. */
async function main(events: number): Promise<void> {
  const engines = openEngines(readConfig(process.env));
  await fillFees(engines.store, events);
  const stop = new AbortController();
  const engine = createProjectionEngine({
    projections: READ_MODELS,
    ...engines,
    clock: () => new Date(),
    logger: createLogger('warn'),
    signal: stop.signal,
  });
  const running = engine.run(stop.signal);
  const head = await engines.store.head();
  const there = await engine.views.reached('fee_ledger', head, 600_000);
  if (!there) throw new Error('the projections did not catch up');
  stop.abort();
  await running;
  await engines.close();
  process.send!('ready');
  process.disconnect();
}

void main(Number(process.argv[2]));
