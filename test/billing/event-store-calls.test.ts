import request, { type Response } from 'supertest';
import { countingCalls } from '../../infra/program/metrics/instrumented';
import type { EventStore } from '../../contracts/ports/event-store';
import { fee, openInstance, type FeeInput, type TestInstance } from './instance';

let calls: string[] = [];
/** Appends of these categories wait until one of each is under way. */
let together: { begun(category: string): Promise<void> } | null = null;

const watched = (store: EventStore): EventStore => {
  const counted = countingCalls(store, (call, stream) => {
    if (stream !== undefined) calls.push(`${call} ${stream.split('-', 1)[0]}`);
    else if (call === 'read_all') calls.push(call);
  });
  return {
    ...counted,
    async append(stream, ...append) {
      await together?.begun(stream.split('-', 1)[0]!);
      return counted.append(stream, ...append);
    },
  };
};

let instance: TestInstance;
let admin: string;
beforeEach(async () => {
  // Without projections, which read the store too.
  instance = await openInstance({ wrapStore: watched, roles: ['api'] });
  admin = await instance.token({ role: 'admin', secure: true });
  calls = [];
  together = null;
});
afterEach(() => instance.close());

const post = (path: string, body: object, key?: string): Promise<Response> => {
  const call = request(instance.app).post(path).set('Authorization', `Bearer ${admin}`);
  if (key !== undefined) call.set('Idempotency-Key', key);
  return call.send(body).then(answer => answer);
};
const fees = (rows: readonly FeeInput[], key?: string) => post('/api/fees', { fees: rows.map(fee) }, key);

/** The calls that one command makes. */
async function callsOf(command: () => Promise<Response>): Promise<string[]> {
  calls = [];
  expect((await command()).status).toBe(200);
  return calls;
}

// On a remote event store each is a round trip, most of them one after the other: add none without need.
it('a fee takes two', async () => {
  expect(await callsOf(() => fees([{ id: 'a' }]))).toEqual(['append fee', 'append audit']);
});

it('many fees at once take one each', async () => {
  expect(await callsOf(() => fees([{ id: 'a' }, { id: 'b' }, { id: 'c' }]))).toEqual([
    ...Array<string>(3).fill('append fee'),
    'append audit',
  ]);
});

it('a fee with a key takes the start of the call and its response besides', async () => {
  const made = await callsOf(() => fees([{ id: 'a' }], 'k'));
  expect(made.slice(0, 2)).toEqual(['append idempotency', 'append fee']);
  expect(made.slice(2).sort()).toEqual(['append audit', 'append idempotency']);
});

it('the response of a call with a key and its line in the audit trail are stored at the same time', async () => {
  const begun = new Map<string, () => void>();
  const both = ['idempotency', 'audit'];
  await fees([{ id: 'first' }]);
  let starts = 0;
  together = {
    begun: category =>
      new Promise(resolve => {
        if (!both.includes(category) || (category === 'idempotency' && ++starts === 1)) return resolve();
        begun.set(category, resolve);
        if (begun.size === both.length) for (const go of begun.values()) go();
      }),
  };
  expect((await fees([{ id: 'a' }], 'k')).status).toBe(200);
});

it('what is there already is read after all', async () => {
  await fees([{ id: 'a', collection_status: 'pending' }]);
  const same: FeeInput = { id: 'a', collection_status: 'pending' };
  expect(await callsOf(() => fees([same]))).toEqual(['append fee', 'read_stream fee', 'append audit']);
  expect(await callsOf(() => fees([{ id: 'a', action: 'collect' }]))).toEqual([
    'read_stream fee',
    'append fee',
    'append audit',
  ]);
});

it('a repeated call with a key reads its response', async () => {
  await fees([{ id: 'a' }], 'k');
  expect(await callsOf(() => fees([{ id: 'a' }], 'k'))).toEqual([
    'append idempotency',
    'read_stream idempotency',
    'append audit',
  ]);
});

it('other commands', async () => {
  await fees([{ id: 'a' }]);
  const named = { merchant_name: undefined, merchant_slug: undefined };
  const act = (body: object) => callsOf(() => post('/api/instance-admin', body));
  expect({
    set_merchant: await act({
      action: 'set_merchant',
      merchantId: 'm-1',
      name: 'Espresso',
      slug: 'espresso',
    }),
    'fee of a merchant that is named': await callsOf(() => fees([{ id: 'b', ...named }])),
    reverse: await callsOf(() => fees([{ id: 'a', action: 'reverse' }])),
  }).toMatchInlineSnapshot(`
    {
      "fee of a merchant that is named": [
        "read_stream merchant",
        "append fee",
        "append audit",
      ],
      "reverse": [
        "read_stream fee",
        "read_stream invoicePeriod",
        "read_stream fee",
        "append fee",
        "append audit",
      ],
      "set_merchant": [
        "read_stream merchant",
        "read_stream merchantSlug",
        "append merchantSlug",
        "read_stream merchant",
        "append merchant",
        "append audit",
      ],
    }
  `);
});
