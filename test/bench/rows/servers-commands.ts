import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { request } from 'undici';
import type { JsonObject } from '../../../contracts/json/json';
import { createCalendar } from '../../../contracts/time/calendar';
import type { EventStore } from '../../../contracts/ports/event-store';
import { openEventStoreDb } from '../../../infra/engines/event-store/eventstoredb/eventstoredb-event-store';
import { openSqliteEventStore } from '../../../infra/engines/event-store/sqlite/sqlite-event-store';
import { issueLocalToken } from '../../../infra/program/commands/local-token';
import { readConfig } from '../../../infra/program/settings/config';
import { importFees } from '../../../services/billing/fee/import';
import { createHandle } from '../../../services/commands/handle';
import { eventstoredb } from '../../servers/eventstoredb';
import { run } from '../child';
import { distantStore } from '../doubles/distant-store';
import { figure, paired } from '../figure';
import { feeFacts } from '../fill/fees';
import { interleave } from '../interleave';
import { withoutNetworks } from '../ports';
import type { Row } from '../row';

const CALLERS = 64;

/** Of an import. */
const PARTS = 5;

let fees = 0;

function nextFee(): object {
  const { billing_period: _, day: __, ...row } = feeFacts(fees++);
  return { ...row, collection_status: 'pending' };
}

/** `POST /api/fees` of one fee each, by a process of its own. */
async function openServer(env: NodeJS.ProcessEnv, args: readonly string[]) {
  const server = run('programs/serve', ['api', ...args], { env });
  const url = await server.next<string>();
  const who = { issuer: 'instance', role: 'admin', secure: true, ttl: 3_600, subject: 'bench' } as const;
  const token = await issueLocalToken(readConfig(env), who);
  const record = async (): Promise<void> => {
    const { statusCode, body } = await request(`${url}/api/fees`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ fees: [nextFee()] }),
    });
    const answer = await body.text();
    if (statusCode !== 200 || !answer.includes('"recorded"')) throw new Error(`${statusCode}: ${answer}`);
  };
  /** Commands per second. */
  const during = async (callers: number, milliseconds: number): Promise<number> => {
    const began = performance.now();
    let sent = 0;
    const call = async (): Promise<void> => {
      for (; performance.now() - began < milliseconds; sent++) await record();
    };
    await Promise.all(Array.from({ length: callers }, call));
    return (sent / (performance.now() - began)) * 1_000;
  };
  return { during, stop: () => server.stop() };
}

/** Milliseconds of an import of new fees. */
async function imported(store: EventStore, count: number): Promise<number> {
  async function* rows(): AsyncGenerator<Buffer> {
    for (let n = 0; n < count; n++) yield Buffer.from(`${JSON.stringify(nextFee())}\n`);
  }
  const began = performance.now();
  await importFees(
    { store, handle: createHandle({ store }), instanceId: 'bench', calendar: createCalendar('UTC') },
    {
      content: rows(),
      metadata: () => ({ now: new Date().toISOString(), actor: 'bench' }),
      onProblem: 'stop',
      report: (_, problem) => process.stderr.write(`${problem}\n`),
      signal: new AbortController().signal,
    },
    () => undefined,
  );
  return performance.now() - began;
}

/** Milliseconds of an append, while nothing else is appended. */
async function appended(store: EventStore, milliseconds: number): Promise<number> {
  const began = performance.now();
  let count = 0;
  for (; performance.now() - began < milliseconds; count++)
    await store.append(`bench-${randomUUID()}`, 'no_stream', [
      { id: randomUUID(), type: 'FeeRecorded', data: nextFee() as JsonObject },
    ]);
  return (performance.now() - began) / count;
}

/**
 * Commands over HTTP and an import, on the double of EventStoreDB a millisecond away; the floor is the embedded event store. It says
 * what the calls of a command cost one after the other, nothing of the speed of a real server.
 */
export const row: Row = async ({ sized, folder, say }) => {
  const rounds = sized({ full: 8, quick: 4, smallest: 1 });
  const milliseconds = sized({ full: 2_000, quick: 1_000, smallest: 100 });
  const rows = sized({ full: 50_000, quick: 10_000, smallest: 100 });
  const double = await eventstoredb.start(join(folder, 'double'));
  const base = {
    ...process.env,
    ...(await withoutNetworks()),
    PORT: '0',
    HOST: '127.0.0.1',
    METRICS_PORT: '0',
    RATE_LIMIT_WRITES: '0',
    RATE_LIMIT_FEES: '0',
    RATE_LIMIT_ADDRESS: '0',
  };
  const embeddedOnly = { ...base, KAFKA_BROKERS: undefined, REDIS_URL: undefined };
  const distant = await openServer(
    { ...embeddedOnly, DATA_DIR: join(folder, 'distant'), EVENTSTORE_URL: double.url },
    ['distant'],
  );
  const embedded = await openServer({ ...embeddedOnly, DATA_DIR: join(folder, 'embedded') }, []);
  say('commands');
  await Promise.all([distant, embedded].map(({ during }) => during(CALLERS, milliseconds)));
  const compare = (callers: number) =>
    interleave(rounds, {
      distant: () => distant.during(callers, milliseconds),
      embedded: () => embedded.during(callers, milliseconds),
    });
  const alone = await compare(1);
  const together = await compare(CALLERS);
  await Promise.all([distant.stop(), embedded.stop()]);

  say(`importing ${rows} fees`);
  const remote = await openEventStoreDb({ url: double.url });
  const local = openSqliteEventStore({ path: join(folder, 'import.sqlite') });
  const stores = { distant: distantStore(remote), embedded: local };
  // In turn, and once before: what one compiles the other need not.
  await imported(stores.distant, rows / PARTS);
  const took = await interleave(PARTS, {
    distant: () => imported(stores.distant, rows / PARTS),
    embedded: () => imported(stores.embedded, rows / PARTS),
  });
  say('appends');
  const one = await interleave(rounds, { distant: () => appended(stores.distant, milliseconds) });
  const command = alone.embedded.map(rate => 1_000 / rate);
  await Promise.all([remote.close(), local.close()]);
  await double.stop();
  const note = 'a double of EventStoreDB, 1 ms a call; to the embedded store';
  return [
    figure(
      { what: 'commands, one connection', unit: 'commands/s', note },
      paired(alone.distant, alone.embedded),
      {
        of: 'ratio',
        atLeast: 0.5,
      },
    ),
    figure(
      { what: `commands, ${CALLERS} connections`, unit: 'commands/s', note },
      paired(together.distant, together.embedded),
      { of: 'ratio', atLeast: 0.5 },
    ),
    // A command with a single call takes this long and its own work besides: at 1 it reaches about 0.5 of the embedded store at best.
    figure(
      {
        what: 'one append, one connection',
        unit: 'ms',
        note: 'the double, 1 ms a call; to a whole command on the embedded store',
      },
      paired(one.distant, command),
    ),
    figure(
      { what: `import of ${rows / PARTS} fees`, unit: 'ms', note },
      paired(took.distant, took.embedded),
      { of: 'ratio', atMost: 2 },
    ),
  ];
};
