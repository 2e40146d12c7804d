import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request, { type Response } from 'supertest';
import { AUDIT_CATEGORY } from '../../contracts/events/audit';
import { LEDGER_CATEGORIES } from '../../contracts/events/ledger';
import type { EventStore } from '../../contracts/ports/event-store';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import { createHandle } from '../../services/commands/handle';
import { createIdempotent } from '../../services/idempotency/idempotent';
import { Reply } from '../../services/http/call';
import { fee, openInstance, type FeeInput, type TestInstance } from './instance';
import fc from 'fast-check';

class Crash extends Error {}

/** The append at which the process crashes: later ones fail too, until it is restarted. */
let dies: { readonly at: number; readonly when: 'before' | 'after' } | null = null;
let appends = 0;
let dead = false;

const dying = (store: EventStore): EventStore => ({
  ...store,
  async append(stream, expected, events) {
    if (dead) throw new Crash();
    // The line in the audit trail is stored beside the response, and may be the first of the two.
    const isCounted = !stream.startsWith(`${AUDIT_CATEGORY}-`);
    const now = isCounted && dies?.at === ++appends ? dies.when : null;
    dead = now !== null;
    if (now === 'before') throw new Crash();
    const appended = await store.append(stream, expected, events);
    if (now === 'after') throw new Crash();
    return appended;
  },
});

let clock: number;
let instance: TestInstance;
let admin: string;
beforeEach(async () => {
  dies = null;
  dead = false;
  clock = Date.parse('2026-12-01T09:00:00.000Z');
  instance = await openInstance({ wrapStore: dying, now: () => new Date(clock).toISOString() });
  admin = await instance.token({ role: 'admin', secure: true });
  await instance.record([{ id: 'a' }, { id: 'b', created_at: '2026-10-20T00:00:00Z' }]);
});
afterEach(() => instance.close());

const post = (path: string, body: object, key: string | undefined, token = admin): Promise<Response> => {
  const call = request(instance.app).post(path).set('Authorization', `Bearer ${token}`);
  if (key !== undefined) call.set('Idempotency-Key', key);
  return call.send(body).then(answer => answer);
};
const act = (body: object, key?: string, token?: string) => post('/api/instance-admin', body, key, token);
const generate = (billingPeriod = '2026-11') => ({ action: 'generate_invoice', billingPeriod });

const alike = ({ status, body, headers }: Response) => [status, body, headers['x-ledger-position']];
const isReplay = ({ headers }: Response) => headers['idempotent-replayed'] === 'true';

async function ledgerEvents(): Promise<string[]> {
  const types: string[] = [];
  for await (const batch of instance.store.readAll({ categories: LEDGER_CATEGORIES }))
    types.push(...batch.map(({ type }) => type));
  return types;
}

describe('an action with a key', () => {
  it('repeats the response, and is executed once', async () => {
    const first = await act(generate(), 'k');
    const after = await ledgerEvents();
    const again = await act(generate(), 'k');
    expect([first.status, isReplay(first), isReplay(again)]).toEqual([200, false, true]);
    expect(alike(again)).toEqual(alike(first));
    expect(await ledgerEvents()).toEqual(after);
  });

  it('repeats the first response also after its effect was undone', async () => {
    const first = await act(generate(), 'k');
    await act(
      { action: 'void_invoice', invoiceId: first.body.invoice.invoiceId, reason: 'wrong month' },
      'v',
    );
    expect(alike(await act(generate(), 'k'))).toEqual(alike(first));
    expect((await act(generate(), 'another')).status).toBe(200);
  });

  it.each([
    ['404', { action: 'finalize_invoice', invoiceId: '00000000-0000-4000-8000-000000000000' }],
    ['422', generate('2020-01')],
  ])('repeats a refusal with %s', async (status, body) => {
    const first = await act(body, 'k');
    if (status === '422') await instance.record([{ id: 'late', created_at: '2020-01-20T00:00:00Z' }]);
    const again = await act(body, 'k');
    expect([first.status, again.status]).toEqual([Number(status), Number(status)]);
    expect(again.body).toEqual(first.body);
    expect([again.type, isReplay(again)]).toEqual(['application/problem+json', true]);
  });

  it('is refused when the key was used for another request', async () => {
    await act(generate(), 'k');
    const other = await act(generate('2026-10'), 'k');
    expect([other.status, other.body.code, isReplay(other)]).toEqual([422, 'idempotency_key_reused', false]);
    expect((await act(generate(), 'k')).status).toBe(200);
  });

  it('recognises the same request in different JSON', async () => {
    const { invoiceId } = (await act(generate())).body.invoice as { invoiceId: string };
    const first = await act({ action: 'finalize_invoice', invoiceId }, 'k');
    const again = await act({ invoiceId: invoiceId.toUpperCase(), action: 'finalize_invoice' }, 'k');
    expect([isReplay(again), alike(again)]).toEqual([true, alike(first)]);
  });

  it('does not share its key with another caller, role, issuer or action', async () => {
    const first = await act(generate(), 'k');
    const owner = await instance.token({ role: 'owner', secure: true });
    const platform = await instance.token({ role: 'admin', issuer: 'platform', secure: true });
    for (const token of [owner, platform])
      expect(await act(generate(), 'k', token)).toMatchObject({
        status: 409,
        body: { code: 'invoice_period_exists' },
      });
    const { invoiceId } = first.body.invoice as { invoiceId: string };
    expect((await act({ action: 'finalize_invoice', invoiceId }, 'k')).status).toBe(200);
    expect((await post('/api/fees', { fees: [fee({ id: 'k' })] }, 'k')).status).toBe(200);
  });

  it('is executed once by many concurrent callers', async () => {
    const many = await Promise.all(Array.from({ length: 20 }, () => act(generate(), 'k')));
    const made = many.filter(({ status }) => status === 200);
    const waiting = many.filter(({ body }) => body.code === 'idempotency_in_flight');
    expect(made.length + waiting.length).toBe(20);
    expect(made.filter(answer => !isReplay(answer))).toHaveLength(1);
    for (const { headers } of waiting) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect((await ledgerEvents()).filter(type => type === 'InvoiceGenerated')).toHaveLength(1);
  });

  it.each(['', 'x'.repeat(256), 'käse', 'a\tb'])('refuses %j as a key, and does nothing', async key => {
    const { status, body } = await act(generate(), key);
    expect([status, body.errors]).toEqual([
      400,
      [expect.objectContaining({ pointer: '/header/idempotency-key' })],
    ]);
    expect(await ledgerEvents()).not.toContain('InvoiceGenerated');
  });

  it.each([' !"#$%&', '~', 'x'.repeat(255)])('accepts %j as a key', async key =>
    expect((await act(generate(), key)).status).toBe(200),
  );

  it('does not record refusals of access or validation', async () => {
    const viewer = await instance.token({ role: 'viewer' });
    const unsure = await instance.token({ role: 'admin' });
    expect((await act(generate(), 'k', viewer)).status).toBe(403);
    expect((await act(generate(), 'k', unsure)).status).toBe(401);
    expect((await act(generate('2026-13'), 'k')).status).toBe(400);
    expect(await act(generate(), 'k')).toMatchObject({ status: 200 });
  });

  it('can be retried at once after a failure', async () => {
    jest.spyOn(instance.deps.views, 'waitForPosition').mockResolvedValueOnce(false);
    expect(await act(generate(), 'k')).toMatchObject({ status: 503 });
    const again = await act(generate(), 'k');
    expect([again.status, isReplay(again)]).toEqual([200, false]);
  });

  it('stores texts encrypted, and repeats them', async () => {
    const { invoiceId } = (await act(generate())).body.invoice as { invoiceId: string };
    const body = { action: 'void_invoice', invoiceId, reason: 'Zebedee asked for it' };
    const first = await act(body, 'k');
    expect(first.body.invoice.voidReason).toBe('Zebedee asked for it');
    expect(alike(await act(body, 'k'))).toEqual(alike(first));
    expect((await instance.bytes()).includes('Zebedee')).toBe(false);

    await instance.subjects.destroy('admin@test');
    const erased = await act(body, 'k');
    expect([erased.status, isReplay(erased)]).toEqual([200, true]);
    expect(erased.body.invoice).toMatchObject({ invoiceId, status: 'void', voidReason: null });
  });
});

describe('fees with a key', () => {
  const rows: FeeInput[] = [
    { id: 'n', collection_status: 'pending' },
    { id: 'n', action: 'collect' },
    { id: 'n', action: 'collect' },
    { id: 'nobody', action: 'waive' },
  ];
  const send = (key?: string) => post('/api/fees', { fees: rows.map(fee) }, key);

  it('repeat the response, row by row', async () => {
    const first = await send('k');
    expect(first.body.results.map(({ result }: { result: string }) => result)).toEqual([
      'recorded',
      'recorded',
      'unchanged',
      'refused',
    ]);
    expect(alike(await send('k'))).toEqual(alike(first));
  });

  it('repeat the first response after a crash between two rows', async () => {
    appends = 0;
    dies = { at: 3, when: 'before' };
    await send('k');
    dies = null;
    dead = false;
    clock += 30_000;
    const again = await send('k');
    expect(again.body.results.map(({ result }: { result: string }) => result)).toEqual([
      'recorded',
      'recorded',
      'unchanged',
      'refused',
    ]);
  });
});

describe('a call interrupted by a crash', () => {
  const breaks = (many: number) =>
    Array.from({ length: many }, (_, i) => i + 1).flatMap(at =>
      (['before', 'after'] as const).map(when => ({ at, when })),
    );

  async function cutOff(broken: { at: number; when: 'before' | 'after' }, body: object): Promise<void> {
    appends = 0;
    dies = broken;
    expect((await act(body, 'k')).status).toBe(500);
    dies = null;
    dead = false;
  }

  /** Retries after the crash. Before the call starts and after its response is recorded, no waiting is needed. */
  async function takenUp(
    { at, when }: { at: number; when: string },
    appends: number,
    body: object,
  ): Promise<Response> {
    const underWay = (at > 1 || when === 'after') && (at < appends || when === 'before');
    if (underWay) {
      expect(await act(body, 'k')).toMatchObject({ status: 409, body: { code: 'idempotency_in_flight' } });
      clock += 30_000;
    }
    const again = await act(body, 'k');
    expect(await act(body, 'k')).toMatchObject({ status: again.status, body: again.body });
    return again;
  }

  it.each(breaks(4))('generate, $when append $at', async broken => {
    await cutOff(broken, generate());
    const again = await takenUp(broken, 4, generate());
    expect(again).toMatchObject({
      status: 200,
      body: { invoice: { billingPeriod: '2026-11', status: 'draft' } },
    });
    expect((await ledgerEvents()).filter(type => type === 'InvoiceGenerated')).toHaveLength(1);
  });

  it.each(breaks(5))('finalize, $when append $at', async broken => {
    const { invoiceId } = (await act(generate())).body.invoice as { invoiceId: string };
    await cutOff(broken, { action: 'finalize_invoice', invoiceId });
    const again = await takenUp(broken, 5, { action: 'finalize_invoice', invoiceId });
    expect(again).toMatchObject({
      status: 200,
      body: { invoice: { status: 'finalized', number: 'INV-202612-0001' } },
    });
  });

  it.each(breaks(4))('void, $when append $at', async broken => {
    const { invoiceId } = (await act(generate())).body.invoice as { invoiceId: string };
    await cutOff(broken, { action: 'void_invoice', invoiceId });
    expect(await takenUp(broken, 4, { action: 'void_invoice', invoiceId })).toMatchObject({
      status: 200,
      body: { invoice: { status: 'void' } },
    });
    expect((await act(generate())).status).toBe(200);
  });

  it('returns the draft that it created, although it is void now', async () => {
    await cutOff({ at: 4, when: 'before' }, generate());
    const { rows } = (await instance.act({ action: 'list_invoices' })).body as {
      rows: { invoiceId: string }[];
    };
    await act({ action: 'void_invoice', invoiceId: rows[0]!.invoiceId });
    clock += 30_000;
    expect(await act(generate(), 'k')).toMatchObject({
      status: 200,
      body: { invoice: { invoiceId: rows[0]!.invoiceId, status: 'draft', voidedAt: null } },
    });
  });

  it('does not claim the invoice that another call created from its reservation', async () => {
    await cutOff({ at: 3, when: 'before' }, generate());
    const other = await act(generate(), 'another');
    expect(other.status).toBe(200);
    clock += 30_000;
    expect(await act(generate(), 'k')).toMatchObject({
      status: 409,
      body: { code: 'invoice_period_exists', invoiceId: other.body.invoice.invoiceId },
    });
  });

  it('creates its own invoice when that one is void', async () => {
    await cutOff({ at: 3, when: 'before' }, generate());
    const { invoiceId } = (await act(generate(), 'another')).body.invoice as { invoiceId: string };
    await act({ action: 'void_invoice', invoiceId });
    clock += 30_000;
    const again = await act(generate(), 'k');
    expect(again).toMatchObject({ status: 200, body: { invoice: { replacesInvoiceId: invoiceId } } });
    expect(again.body.invoice.invoiceId).not.toBe(invoiceId);
  });
});

it('is executed once by two programs on one store', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-once-'));
  const stores = [1, 2].map(() => openSqliteEventStore({ path: join(folder, 'events.db') }));
  const { texts, now } = instance.deps;
  const programs = stores.map(store =>
    createIdempotent({ handle: createHandle({ store }), texts, now, takeOverAfterMs: 30_000 }),
  );
  const metadata = { now: now(), actor: 'ann', requestId: 'r' };
  let carriedOut = 0;
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, (_, i) =>
      programs[i % 2]!({ key: `k-${i % 4}`, scope: ['test'], body: {}, metadata }, async () => {
        carriedOut++;
        return new Reply({}, {});
      }),
    ),
  );
  for (const outcome of outcomes)
    if (outcome.status === 'rejected')
      expect(outcome.reason).toMatchObject({ status: 409, code: 'idempotency_in_flight' });
  expect(carriedOut).toBe(4);
  await Promise.all(stores.map(store => store.close()));
  await rm(folder, { recursive: true });
});

describe('a long response', () => {
  const metadata = { now: '2026-12-01T09:00:00.000Z', actor: 'ann', requestId: 'r' };
  const call = (key: string) => ({ key, scope: ['test'], body: {}, metadata });
  const incompressible = (length: number) =>
    fc.sample(fc.stringMatching(/^[0-9a-z]{10}$/), { numRuns: length, seed: 1 }).join('');

  it.each([
    ['stored compressed', 'x'.repeat(2_000_000), 1],
    ['stored as its digest and computed again with the same ids', incompressible(120_000), 2],
  ])('is %s', async (_, text, times) => {
    const { handle, texts, now } = instance.deps;
    const once = createIdempotent({ handle, texts, now, takeOverAfterMs: 30_000 });
    const ids: string[] = [];
    const carryOut = jest.fn(async ({ newId }: { newId: () => string }) => {
      ids.push(newId());
      return new Reply({ text }, { 'X-Ledger-Position': '7' });
    });
    const first = await once(call('k'), carryOut);
    const again = await once(call('k'), carryOut);
    expect(again.body).toEqual(first.body);
    expect(again.headers).toEqual({ 'X-Ledger-Position': '7', 'Idempotent-Replayed': 'true' });
    expect(carryOut).toHaveBeenCalledTimes(times);
    expect(new Set(ids).size).toBe(1);
    for await (const [event] of instance.store.readAll({ direction: 'backwards', limit: 1 }))
      expect(JSON.stringify(event).length).toBeLessThan(1_000_000);
  });
});
