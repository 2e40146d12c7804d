import { join } from 'node:path';
import request, { type Response } from 'supertest';
import { EngineUnavailable } from '../../contracts/engine/engine-unavailable';
import { AUDIT_CATEGORY } from '../../contracts/events/audit';
import { LEDGER_CATEGORIES } from '../../contracts/events/ledger';
import type { Documents } from '../../contracts/ports/documents';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import { until } from '../until';
import { temporaryFolder } from '../temporary-folder';
import { fee, openInstance, type TestInstance } from './instance';

const folder = temporaryFolder();

/** How the documents behave: as they are, not available, or without an answer. */
let state: 'up' | 'down' | 'silent' = 'up';

/** Documents whose calls fail, or never end. */
const failing = (documents: Documents): Documents => {
  const { version, close, ...calls } = documents;
  const synchronous = { ...(version && { version }), close };
  const failingCall =
    (call: (...given: never[]) => unknown) =>
    (...given: never[]): unknown => {
      if (state === 'up') return call(...given);
      const refuse = () => {
        throw new EngineUnavailable('documents', 'no server');
      };
      return state === 'silent' ? until(() => state === 'up').then(refuse) : Promise.resolve().then(refuse);
    };
  const entries = Object.entries(calls).map(([name, call]) => [name, failingCall(call)] as const);
  return { ...(Object.fromEntries(entries) as unknown as Documents), ...synchronous };
};

let instance: TestInstance;
let admin: string;
let n = 0;
beforeEach(async () => {
  state = 'up';
  n += 1;
  const open = (file: string) => failing(openSqliteDocuments({ path: join(folder, `${n}-${file}`) }));
  instance = await openInstance({
    engines: { documents: open('documents'), vault: open('vault') },
  });
  admin = await instance.token({ role: 'admin', secure: true });
});
afterEach(() => {
  state = 'up';
  return instance.close();
});

const post = (path: string, body: object, key?: string): Promise<Response> => {
  const call = request(instance.app).post(path).set('Authorization', `Bearer ${admin}`);
  if (key !== undefined) call.set('Idempotency-Key', key);
  return call.send(body).then(answer => answer);
};
const record = (key?: string, row = {}) => post('/api/fees', { fees: [fee({ id: 'a', ...row })] }, key);

async function eventsOf(categories: readonly string[]) {
  const events = [];
  for await (const batch of instance.store.readAll({ categories })) events.push(...batch);
  return events;
}
const ledgerTypes = async () => (await eventsOf(LEDGER_CATEGORIES)).map(({ type }) => type);

const RECORDED = { results: [{ id: 'a', result: 'recorded' }] };

it.each(['down', 'silent'] as const)('commands are answered while the documents are %s', async how => {
  state = how;
  const first = await record('k');
  expect([first.status, first.body]).toEqual([200, RECORDED]);
  const again = await record('k');
  expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([200, RECORDED, 'true']);
  expect(again.headers['x-ledger-position']).toBe(first.headers['x-ledger-position']);
  state = 'up';
  expect((await record('k')).body).toEqual(RECORDED);
  expect(await ledgerTypes()).toEqual(['FeeRecorded']);
});

it('a response from before the outage is given again', async () => {
  await record('k');
  state = 'down';
  const again = await record('k');
  expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([200, RECORDED, 'true']);
});

it('a refusal is not recorded, and one from before is not decided again', async () => {
  const merchant = { action: 'set_merchant', merchantId: 'm', name: 'M', slug: 'm' };
  const other = { ...merchant, merchantId: 'other' };
  await post('/api/instance-admin', merchant);
  expect(await post('/api/instance-admin', other, 'before')).toMatchObject({ status: 409 });
  state = 'down';
  expect(await post('/api/instance-admin', other, 'k')).toMatchObject({ status: 409 });
  expect(await post('/api/instance-admin', other, 'before')).toMatchObject({ status: 503 });
  state = 'up';
  const replayed = async (key: string) => {
    const { status, headers } = await post('/api/instance-admin', other, key);
    return [status, headers['idempotent-replayed'] === 'true'];
  };
  expect([await replayed('before'), await replayed('k')]).toEqual([
    [409, true],
    [409, false],
  ]);
});

it('a command that needs the documents says so before anything is recorded', async () => {
  await record();
  const { body } = await post('/api/instance-admin', {
    action: 'generate_invoice',
    billingPeriod: '2026-11',
  });
  state = 'down';
  const before = await ledgerTypes();
  const voided = { action: 'void_invoice', invoiceId: body.invoice.invoiceId, reason: 'wrong month' };
  expect(await post('/api/instance-admin', voided, 'k')).toMatchObject({
    status: 503,
    body: { code: 'engine_unavailable' },
  });
  expect(await ledgerTypes()).toEqual(before);
});

it('the audit trail has the address of a caller that was seen before, and else none', async () => {
  await record();
  state = 'down';
  await record(undefined, { id: 'b' });
  const owner = await instance.token({ role: 'owner', secure: true });
  await request(instance.app)
    .post('/api/fees')
    .set('Authorization', `Bearer ${owner}`)
    .send({ fees: [fee({ id: 'c' })] })
    .expect(200);
  state = 'up';
  const events = await eventsOf([AUDIT_CATEGORY]);
  const { texts } = instance.deps;
  const addresses = await texts.decryptAll(events.map(({ data }) => data['address'] as never));
  expect(addresses.map(address => address !== null)).toEqual([true, true, false]);
});
