import { readConfig } from '../../../infra/program/settings/config';
import { FEE_LEDGER } from '../../../projections/billing/fee-ledger';
import { ALL_DAYS } from '../../../projections/billing/intervals';
import { revenue } from '../../../projections/billing/revenue';
import { startClock, type Taken } from '../cpu-clock';
import { enginesWithDocuments } from '../documents-engines';
import { projectionEngine } from '../projection-engine';

const TIMEOUT_MS = 3_600_000;

/** Program: runs all projections of a data folder until the revenue report has so many fees, and reports what that took. */
async function main(fees: number, where?: string): Promise<void> {
  const engines = await enginesWithDocuments(readConfig(process.env), where);
  const stop = new AbortController();
  const { run, views } = projectionEngine(engines, stop.signal);
  const read = startClock();
  const running = run(stop.signal);
  await views.waitForPosition(FEE_LEDGER.name, await engines.store.head(), TIMEOUT_MS, stop.signal);
  const { summary } = await revenue(views, ALL_DAYS);
  const taken = read();
  const shown = summary.reduce((sum, { count }) => sum + count, 0);
  if (shown !== fees) throw new Error(`the report has ${shown} fees of ${fees}`);
  stop.abort();
  await running;
  await engines.close();
  process.send!(taken satisfies Taken);
  process.disconnect();
}

void main(Number(process.argv[2]), process.argv[3]);
