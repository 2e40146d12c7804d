import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../contracts/json/json';
import { INSTANCE_STREAM, type InstanceEvent } from '../../contracts/events/instance';
import { invoicePeriodStream } from '../../contracts/events/invoice-period';
import { invoiceStream } from '../../contracts/events/invoice';
import { settlementStream } from '../../contracts/events/settlement';
import { InMemoryEventStore } from '../../test/doubles/event-store';
import { instanceKind } from './decider';
import { compareIdentity, recordIdentity } from './identity';

const metadata = { now: '2026-11-01T12:00:00.000Z', actor: 'tidemark' };
const identified = (instanceId: string, currency: string): InstanceEvent => ({
  type: 'InstanceIdentified',
  data: { instanceId, currency, at: metadata.now, by: metadata.actor },
});
const acme = { instanceId: 'acme', currency: 'USD' };

describe('deciding whose ledger it is', () => {
  const { initial, evolve, decide } = instanceKind.decider;

  it.each([
    ['of a new ledger is recorded', [], [identified('acme', 'USD')]],
    ['is recorded once', [identified('acme', 'USD')], []],
    ['of another stays', [identified('local', 'EUR')], []],
  ])('an identity %s', (_what, given, then) => {
    expect(decide(given.reduce(evolve, initial()), { ...acme, metadata })).toEqual(then);
  });
});

let store: InMemoryEventStore;
beforeEach(() => {
  store = new InMemoryEventStore();
});

const record = (identity: typeof acme) => recordIdentity(store, identity, metadata);
const append = (stream: string, data: JsonObject = {}) =>
  store.append(stream, 'any', [{ id: randomUUID(), type: 'Happened', data }]);
async function recorded(): Promise<JsonObject[]> {
  const events: JsonObject[] = [];
  for await (const { data } of store.readStream(INSTANCE_STREAM)) events.push(data);
  return events;
}

describe('the identity of a ledger', () => {
  it('is recorded once, and compared from then on', async () => {
    expect(await compareIdentity(store, acme)).toBeNull();
    expect(await recorded()).toEqual([]);
    expect(await record(acme)).toBeNull();
    expect(await record(acme)).toBeNull();
    expect(await recorded()).toEqual([identified('acme', 'USD').data]);
    expect(await compareIdentity(store, acme)).toBeNull();
  });

  it('is refused where it differs, in one line with both values and what to do', async () => {
    await record(acme);
    const id = await record({ ...acme, instanceId: 'local' });
    expect(id).toBe(
      'INSTANCE_ID is local, and that of this ledger is acme. It cannot change: set INSTANCE_ID=acme, or use another DATA_DIR or event store for another ledger',
    );
    expect(await compareIdentity(store, { ...acme, instanceId: 'local' })).toBe(id);
    expect(await record({ ...acme, currency: 'EUR' })).toMatch(
      /^INSTANCE_CURRENCY is EUR, and that of this ledger is USD\. .*: set INSTANCE_CURRENCY=USD, or/,
    );
    expect(await record({ instanceId: 'local', currency: 'EUR' })).toMatch(
      /^INSTANCE_ID is local, .*acme; INSTANCE_CURRENCY is EUR, .*USD\..*: set INSTANCE_ID=acme and INSTANCE_CURRENCY=USD, or/,
    );
    expect(await recorded()).toHaveLength(1);
  });

  it('is that of one of several programs that start at once', async () => {
    const results = await Promise.all(
      ['acme', 'local', 'acme', 'local'].map(instanceId => record({ ...acme, instanceId })),
    );
    const [{ instanceId }] = (await recorded()) as [{ instanceId: string }];
    expect(results).toEqual(
      ['acme', 'local', 'acme', 'local'].map(each =>
        each === instanceId ? null : expect.stringContaining(`INSTANCE_ID is ${each}`),
      ),
    );
    expect(await recorded()).toHaveLength(1);
  });
});

describe('a ledger that was begun before its identity was recorded', () => {
  it('takes any when it names none', async () => {
    await append('fee-1', { fee_amount: '1.00' });
    expect(await record(acme)).toBeNull();
    expect(await recorded()).toEqual([identified('acme', 'USD').data]);
  });

  it.each([
    ['an invoice', invoicePeriodStream('local', '2026-10'), {}, 'INSTANCE_ID is acme'],
    ['a settlement', settlementStream('local', 'm-1'), { currency: 'USD' }, 'INSTANCE_ID is acme'],
    ['the currency of an invoice', invoiceStream('i-1'), { currency: 'EUR' }, 'INSTANCE_CURRENCY is USD'],
  ])('refuses another than that of %s', async (_what, stream, data, message) => {
    await append(stream, data);
    expect(await record(acme)).toContain(message);
    expect(await recorded()).toEqual([]);
    const own = { instanceId: stream.includes('local') ? 'local' : 'acme', currency: 'USD', ...data };
    expect(await record(own)).toBeNull();
    expect(await recorded()).toHaveLength(1);
  });

  it('that names several takes one of them', async () => {
    await append(invoicePeriodStream('local', '2026-09'));
    await append(invoicePeriodStream('acme', '2026-10'));
    expect(await record({ ...acme, instanceId: 'other' })).toContain('is local or acme');
    expect(await record(acme)).toBeNull();
    expect(await record({ ...acme, instanceId: 'local' })).toContain('is acme');
  });
});
