import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { formatTonAddress } from '../../contracts/account/address';
import type { EventStore } from '../../contracts/ports/event-store';
import type { Position } from '../../contracts/position';
import { issueLocalToken } from '../../infra/program/commands/local-token';
import { openEmbeddedEngines } from '../../infra/engines/engines';
import { readConfig } from '../../infra/program/settings/config';
import { PROJECTIONS } from '../../infra/program/features';
import { start } from '../../infra/program/main';
import { createProjectionEngine } from '../../projections/engine/engine';
import { keysOf, readRequest, writeRequest } from '../storage/device';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import { call, send, type Answer } from './client';
import { fee } from './installation';
import { environment } from './tidemark';

/*
 * A ledger whose documents were removed, as anybody sees it over HTTP: nothing is shown before all of it is folded, and nothing
 * of what follows a damaged event.
 */

const folder = temporaryFolder();
const DATA_DIR = join(folder, 'data');
const config = readConfig(environment({ DATA_DIR, LOCAL_TRAFFIC: 'false' }));
const logger = pino({ level: 'silent' });
const events = join(DATA_DIR, 'events.sqlite');

const FEES = 4_000;
/** Folding commits every few megabytes, so that a part of the fees is in the documents. */
const NAME = 'Merchant of a long name '.repeat(8).trim();
const DAMAGED = 'damaged-here';
const DAY = '2026-05-20';

let token: string;

/** Runs a program with the roles, and stops it. */
async function withProgram(
  roles: readonly string[],
  run: (url: string, operatorsUrl: string) => Promise<void>,
): Promise<void> {
  const running = await start(config, logger, ['networks', 'api', ...roles]);
  try {
    await run(running.url, running.operatorsUrl);
  } finally {
    await running.stop();
  }
}

beforeAll(async () => {
  token = await issueLocalToken(config, {
    role: 'admin',
    secure: true,
    issuer: 'instance',
    subject: 'operator',
    ttl: 86_400,
  });
  const body = (from: number) => ({
    fees: Array.from({ length: 1_000 }, (_, i) => ({
      action: 'record',
      ...fee(`fee-${from + i}`, {
        ...(from + i === FEES / 2 && { merchant_slug: DAMAGED }),
        fee_amount: '0.01',
        merchant_name: NAME,
        created_at: `${DAY}T10:00:00.000Z`,
      }),
    })),
  });
  await withProgram(['projections'], async url => {
    let position: string | null = null;
    for (let from = 0; from < FEES; from += 1_000) {
      const { status, headers } = await call(url, 'POST', '/api/fees', { token, body: body(from) });
      expect(status).toBe(200);
      position = headers.get('x-ledger-position');
    }
    const kept = writeRequest(keysOf('behind'), 0, Buffer.from('kept'));
    expect(await call(url, 'POST', '/storage/write', { body: kept })).toMatchObject({ status: 200 });
    expect(await call(url, 'POST', '/apps/reviews', { body: REVIEW })).toMatchObject({ status: 200 });
    await until(
      () => revenue(url, position),
      ({ status }) => status === 200,
    );
    await expectWhole(url);
  });
});

const APP = 'https://app.example.com';
const REVIEWER = formatTonAddress(`0:${'07'.repeat(32)}`, 'mainnet', false);
const REVIEW = { url: APP, input: { rating: 5, address: REVIEWER, comment: null } };
const PERIOD = { dateFrom: DAY, dateTo: DAY };

const act = (url: string, body: object, after: string | null = null): Promise<Answer> =>
  call(url, 'POST', '/api/instance-admin', { token, body, after });

const revenue = (url: string, after: string | null = null): Promise<Answer> =>
  act(url, { action: 'get_revenue', ...PERIOD }, after);

type Reads = Readonly<Record<string, (url: string) => Promise<Answer>>>;

const BILLING: Reads = {
  get_revenue: url => revenue(url),
  list_fee_ledger: url => act(url, { action: 'list_fee_ledger', ...PERIOD }),
  export_revenue_csv: url => act(url, { action: 'export_revenue_csv', ...PERIOD }),
};
const OTHERS: Reads = {
  reviews: url => call(url, 'GET', `/apps/reviews?${new URLSearchParams({ url: APP })}`),
  storage: url => call(url, 'POST', '/storage/read', { body: readRequest(keysOf('behind')) }),
};

const removeDocuments = (): void => {
  for (const name of readdirSync(DATA_DIR))
    if (name.startsWith('documents.sqlite')) rmSync(join(DATA_DIR, name));
};

/** Changes the byte at an offset from a text that is once in the events. */
function changeByte(text: string, offset: number, byte: number): void {
  const bytes = readFileSync(events);
  bytes[bytes.indexOf(text) + offset] = byte;
  writeFileSync(events, bytes);
}

/** A double of a slow store: what is read at once ends at a position until the rest may be read. */
function slow(store: EventStore, upTo: Position, rest: Promise<void>): EventStore {
  return {
    ...store,
    async *readAll(options) {
      for await (const page of store.readAll(options)) {
        const first = page.filter(({ position }) => position <= upTo);
        if (first.length > 0) yield first;
        if (first.length === page.length) continue;
        await rest;
        yield page.slice(first.length);
      }
    },
  };
}

/** What each read answers: its status and code. */
async function outcomes(url: string, reads: Reads): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [name, read] of Object.entries(reads)) {
    const { status, headers, body } = await read(url);
    const retryAfter = headers.get('retry-after');
    found[name] = [status, body.code, retryAfter && `Retry-After ${retryAfter}`].filter(Boolean).join(' ');
  }
  return found;
}

const all = (reads: Reads, outcome: string): Record<string, unknown> =>
  Object.fromEntries(Object.keys(reads).map(name => [name, expect.stringMatching(outcome)]));

async function expectWhole(url: string): Promise<void> {
  const { get_revenue, list_fee_ledger, export_revenue_csv, reviews, storage } = { ...BILLING, ...OTHERS };
  expect((await get_revenue!(url)).body).toMatchObject({ summary: [{ count: FEES, total_fee: '40.00' }] });
  expect((await list_fee_ledger!(url)).body).toMatchObject({ total: FEES });
  expect((await export_revenue_csv!(url)).body).toMatchObject({ rowCount: FEES, truncated: false });
  expect((await reviews!(url)).body).toMatchObject({ reviews: [{ rating: 5 }] });
  expect((await storage!(url)).body).toMatchObject({ value: { seq: 1 } });
}

const ready = async (operatorsUrl: string): Promise<[status: number, projections: string]> => {
  const { status, body } = await send(operatorsUrl, 'GET', '/health/ready');
  return [status, body.checks.projections];
};

it('reads are 503 not_ready with Retry-After while their documents are being folded, and then right', async () => {
  removeDocuments();
  const engines = openEmbeddedEngines(config);
  const stopping = new AbortController();
  await withProgram([], async (url, operatorsUrl) => {
    const { signal } = stopping;
    let goOn = (): void => undefined;
    const rest = new Promise<void>(resolve => (goOn = resolve));
    const store = slow(engines.store, FEES - 100, rest);
    const folding = createProjectionEngine({
      projections: PROJECTIONS,
      ...engines,
      store,
      clock: () => new Date(),
      logger,
      signal,
    });
    const done = folding.run(signal);
    const isPartlyFolded = async () => (await engines.documents.checkpoint('fees@1')) !== null;
    await until(isPartlyFolded);
    const reads = { ...BILLING, ...OTHERS };
    expect(await outcomes(url, reads)).toEqual(all(reads, '^503 not_ready Retry-After \\d+$'));
    expect(await ready(operatorsUrl)).toEqual([503, expect.stringMatching(/^behind: .*\bfees\b/)]);

    goOn();
    await until(
      () => ready(operatorsUrl),
      ([status]) => status === 200,
    );
    await expectWhole(url);
    stopping.abort();
    await done;
  }).finally(() => {
    stopping.abort();
    return engines.close();
  });
});

it('reads of what follows a damaged event are 503 stored_data_damaged, after restarts too, until it is repaired', async () => {
  removeDocuments();
  changeByte(DAMAGED, 0, 0xff);
  for (const _start of [1, 2]) {
    await withProgram(['projections'], async (url, operatorsUrl) => {
      await until(
        () => ready(operatorsUrl),
        ([, reason]) => /stopped: .*\bfees\b/.test(reason),
      );
      expect(await outcomes(url, BILLING)).toEqual(all(BILLING, '^503 stored_data_damaged$'));
      await until(
        () => outcomes(url, OTHERS),
        found => Object.values(found).every(outcome => outcome === '200'),
      );
      expect((await ready(operatorsUrl))[0]).toBe(503);
    });
  }

  changeByte(DAMAGED.slice(1), -1, DAMAGED.charCodeAt(0));
  await withProgram(['projections'], async (url, operatorsUrl) => {
    await until(
      () => ready(operatorsUrl),
      ([status]) => status === 200,
    );
    await expectWhole(url);
  });
});
