import { openEmbeddedEngines } from '../../../infra/engines/engines';
import { readConfig } from '../../../infra/program/settings/config';
import { startClock, type Taken } from '../cpu-clock';
import { historyProjection } from '../fill/history-projection';
import { projectionEngine, runUntil } from '../projection-engine';

const POLL_MS = 50;

/**
 * Program: brings the histories of a data folder up to the end of the log, by their runner or by a rebuild, and reports what
 * that took.
 */
async function main(how: 'live' | 'rebuild'): Promise<void> {
  const engines = openEmbeddedEngines(readConfig(process.env));
  const stop = new AbortController();
  const projection = historyProjection();
  const engine = projectionEngine(engines, stop.signal, [projection]);
  const read = startClock();
  let taken = read();
  if (how === 'live') {
    const isUpToDate = async (): Promise<boolean> => {
      const [status] = await engine.status();
      taken = read();
      return status!.lag === 0;
    };
    await runUntil(engine, stop, isUpToDate, POLL_MS);
  } else {
    const { comparison } = await engine.rebuild(projection.name, { signal: stop.signal });
    taken = read();
    if (!comparison || comparison.different + comparison.inconclusive > 0)
      throw new Error('the rebuilt documents are not those of before');
    stop.abort();
  }
  await engines.close();
  process.send!(taken satisfies Taken);
  process.disconnect();
}

void main(process.argv[2] as 'live' | 'rebuild');
