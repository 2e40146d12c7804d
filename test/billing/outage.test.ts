import request, { type Response } from 'supertest';
import { EngineUnavailable } from '../../contracts/engine/engine-unavailable';
import { AUDIT_CATEGORY } from '../../contracts/events/audit';
import { FEE_CATEGORY } from '../../contracts/events/fee';
import { IDEMPOTENCY_CATEGORY } from '../../contracts/events/idempotency';
import type { EventStore } from '../../contracts/ports/event-store';
import { until } from '../until';
import { fee, openInstance, type TestInstance } from './instance';

/** The append at which an outage begins, and whether that one still arrives. */
let cut: { readonly at: number; readonly when: 'before' | 'after' } | null = null;
let appends = 0;
let isDown = false;
let refusedCalls = 0;

const refuse = (): never => {
  refusedCalls += 1;
  throw new EngineUnavailable('event store', 'no response');
};

const failing = (store: EventStore): EventStore => ({
  ...store,
  async append(stream, expected, events) {
    if (isDown) return refuse();
    const now = cut?.at === ++appends ? cut.when : null;
    isDown = now !== null;
    if (now === 'before') return refuse();
    const appended = await store.append(stream, expected, events);
    return now === 'after' ? refuse() : appended;
  },
  async *readStream(...read) {
    if (isDown) refuse();
    yield* store.readStream(...read);
  },
});

let instance: TestInstance;
let admin: string;
beforeEach(async () => {
  [cut, isDown] = [null, false];
  instance = await openInstance({ wrapStore: failing, roles: ['api'] });
  admin = await instance.token({ role: 'admin', secure: true });
  [appends, refusedCalls] = [0, 0];
});
afterEach(() => {
  isDown = false;
  return instance.close();
});

const record = (key?: string): Promise<Response> => {
  const call = request(instance.app).post('/api/fees').set('Authorization', `Bearer ${admin}`);
  if (key !== undefined) call.set('Idempotency-Key', key);
  return call.send({ fees: [fee({ id: 'a' })] }).then(answer => answer);
};

async function typesOf(category: string): Promise<string[]> {
  const types: string[] = [];
  for await (const batch of instance.store.readAll({ categories: [category] }))
    types.push(...batch.map(({ type }) => type));
  return types;
}

const APPENDS = [1, 2, 3, 4];
const cuts = APPENDS.flatMap(at => (['before', 'after'] as const).map(when => ({ at, when })));

it.each(cuts)(
  'a call with a key that an outage cuts $when append $at is answered at once after it',
  async each => {
    cut = each;
    const first = await record('k');
    expect([first.status, first.body.code]).toEqual([503, 'engine_unavailable']);
    expect((await record('k')).status).toBe(503);
    [cut, isDown] = [null, false];
    const again = await record('k');
    expect([again.status, again.body]).toEqual([200, { results: [{ id: 'a', result: 'recorded' }] }]);
    const replayed = await record('k');
    expect([replayed.body, replayed.headers['idempotent-replayed']]).toEqual([again.body, 'true']);
    expect(await typesOf(FEE_CATEGORY)).toEqual(['FeeRecorded']);
  },
);

it.each([1, 2])(
  'after the outage any process is told that the call has ended (cut after append %i)',
  async at => {
    cut = { at, when: 'after' };
    expect((await record('k')).status).toBe(503);
    [cut, isDown] = [null, false];
    await until(async () => (await typesOf(IDEMPOTENCY_CATEGORY)).includes('IdempotentCallAbandoned'));
  },
);

it.each([undefined, 'k'])(
  'an event store that does not answer is not asked again by the same command (key %s)',
  async key => {
    isDown = true;
    expect((await record(key)).status).toBe(503);
    expect(refusedCalls).toBe(1);
  },
);

it('what an outage refused is counted in the audit trail after it', async () => {
  isDown = true;
  for (let call = 0; call < 3; call++) await record();
  await expect(instance.policies.flush()).rejects.toThrow(EngineUnavailable);
  await record();
  isDown = false;
  await instance.policies.flush();
  for await (const [event] of instance.store.readAll({ categories: [AUDIT_CATEGORY] }))
    expect(event).toMatchObject({
      type: 'RefusalsCounted',
      data: { counts: [{ action: 'record_fees', code: 'engine_unavailable', count: 4 }], others: 0 },
    });
  expect(await typesOf(AUDIT_CATEGORY)).toEqual(['RefusalsCounted']);
});
