import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { feeStream } from '../../../contracts/events/fee';
import type { Position } from '../../../contracts/position';
import { readConfig } from '../../../infra/program/settings/config';
import { openEmbeddedEngines } from '../../../infra/engines/engines';
import { openDatabase } from '../../../infra/engines/sqlite/database';
import { FEE_LEDGER } from '../../../projections/billing/fee-ledger';
import { feeKind } from '../../../services/billing/fee/decider';
import { createHandle } from '../../../services/commands/handle';
import { figure, once, quantile } from '../figure';
import { feeFacts } from '../fill/fees';
import { declareTopics } from '../fill/topics';
import { projectionEngine } from '../projection-engine';
import type { Row } from '../row';

const TICK = 5;
/** The lag of one in so many commands is measured: reading after each would measure the reads. */
const SAMPLE_EVERY = 5;
const TIMEOUT_MS = 120_000;

/** Durations of commits of one row, in milliseconds. */
function durableCommits(path: string, count: number): number[] {
  const database = openDatabase(path);
  database.exec('CREATE TABLE documents (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT');
  const insert = database.prepare('INSERT INTO documents (body) VALUES (?)');
  const body = JSON.stringify(feeFacts(0));
  const took = Array.from({ length: count }, () => {
    const began = performance.now();
    database.transaction(() => insert.run([body]));
    return performance.now() - began;
  });
  database.close();
  return took;
}

/**
 * How long after an append is acknowledged a read shows it, while 2,000 commands a second come in and everything runs
 * in one process, as `npm start` does it. They are sent at a fixed rate, whether or not earlier ones are answered. No
 * read model can show an event before it has made a commit of its own: that, of one row in SQLite, is the floor.
 */
export const row: Row = async ({ sized, folder, say }) => {
  const seconds = sized({ full: 30, quick: 5, smallest: 0.5 });
  // What comes in the warm-up is not counted: the hot code is compiled meanwhile.
  const warmUpSeconds = sized({ full: 3, quick: 3, smallest: 0.5 });
  const perSecond = sized({ full: 2_000, quick: 2_000, smallest: 200 });
  const { close, ...engines } = openEmbeddedEngines(readConfig({ DATA_DIR: folder }));
  const { store } = engines;
  const handle = createHandle({ store });
  await declareTopics(engines.log);

  let sent = 0;
  const record = async (): Promise<{ readonly id: string; readonly position: Position }> => {
    const facts = feeFacts(sent++);
    const metadata = { now: facts.created_at, actor: 'bench' };
    const command = { type: 'record', facts, status: 'pending', omitted: [], metadata } as const;
    const outcome = await handle(feeKind, feeStream(facts.id), command);
    if (outcome.refusal) throw new Error(outcome.refusal.detail);
    return { id: facts.id, position: outcome.position };
  };
  type OnRecorded = (id: string, position: Position) => Promise<void>;
  /** Sends commands for some seconds. @returns answers per second */
  const load = async (seconds: number, visible: OnRecorded): Promise<number> => {
    const began = performance.now();
    const total = seconds * perSecond;
    const under: Promise<void>[] = [];
    for (let n = 0; n < total; await sleep(TICK)) {
      const due = Math.min(total, Math.floor(((performance.now() - began) / 1_000) * perSecond));
      for (; n < due; n++) {
        const looked = n % SAMPLE_EVERY === 0;
        under.push(record().then(({ id, position }) => (looked ? visible(id, position) : undefined)));
      }
    }
    await Promise.all(under);
    return (total / (performance.now() - began)) * 1_000;
  };

  say('the floor');
  const floor = durableCommits(join(folder, 'floor'), sized({ full: 1_000, quick: 1_000, smallest: 20 }));

  say(`${seconds} s with the projections`);
  const running = new AbortController();
  const engine = projectionEngine(engines, running.signal);
  const projecting = engine.run(running.signal);
  await engine.views.waitForPosition(FEE_LEDGER.name, await store.head(), TIMEOUT_MS);
  const lags: number[] = [];
  const lookAt: OnRecorded = async (id, position) => {
    const acknowledged = performance.now();
    const reached = await engine.views.waitForPosition(FEE_LEDGER.name, position, TIMEOUT_MS);
    const read = await engine.views.get(FEE_LEDGER.name, id);
    if (!reached || !read) throw new Error(`fee ${id} cannot be read`);
    lags.push(performance.now() - acknowledged);
  };
  await load(warmUpSeconds, lookAt);
  lags.length = 0;
  const rate = await load(seconds, lookAt);
  running.abort();
  await projecting;
  await close();

  const note = `${Math.round(rate)} commands/s`;
  const lag = (q: number) => once(quantile(lags, q), quantile(floor, q));
  return [
    figure({ what: 'lag: commands a second, to those sent', unit: '/s' }, once(rate, perSecond), {
      of: 'ratio',
      atLeast: 0.97,
    }),
    figure({ what: 'lag: p50, to a durable commit', unit: 'ms', note }, lag(0.5), { of: 'value', atMost: 5 }),
    figure({ what: 'lag: p99, to a durable commit', unit: 'ms', note }, lag(0.99), {
      of: 'value',
      atMost: 50,
    }),
  ];
};
