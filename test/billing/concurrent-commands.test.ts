import { invoiceNumberStream } from '../../contracts/events/invoice-number';
import { scaled } from '../random';
import { openInstance, type TestInstance } from './instance';

const ROUNDS = scaled(1);

let instance: TestInstance;
beforeAll(async () => {
  instance = await openInstance({ now: () => '2026-12-01T09:00:00.000Z' });
});
afterAll(() => instance.close());

/** The data of one round: a month of its own, with a draft, a settlement, a collected fee and a pending one. */
interface Fixture {
  readonly period: string;
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly settlementId: string;
  readonly collected: string;
  readonly pending: string;
}

interface CommandOutcome {
  readonly status: number;
  readonly code?: string;
}

let fixtures = 0;
async function createFixture(): Promise<Fixture> {
  const n = fixtures++;
  const period = `${2_000 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}`;
  const merchantId = `m-${n}`;
  const of = { created_at: `${period}-15T00:00:00Z`, merchant_id: merchantId, merchant_slug: merchantId };
  const [collected, pending] = [`c-${n}`, `p-${n}`];
  await instance.record([
    { id: collected, ...of },
    { id: pending, collection_status: 'pending', ...of },
  ]);
  const drafted = await instance.act({ action: 'generate_invoice', billingPeriod: period });
  const settled = await instance.act({ action: 'generate_settlement', billingPeriod: period, merchantId });
  return {
    period,
    merchantId,
    invoiceId: drafted.body.invoice.invoiceId,
    settlementId: settled.body.settlements[0].settlementId,
    collected,
    pending,
  };
}

const act = async (body: object): Promise<CommandOutcome> => {
  const { status, body: answer } = await instance.act(body);
  return { status, code: answer.code };
};
const change = async (id: string, action: string): Promise<CommandOutcome> => {
  const { status, body } = await instance.record([{ id, action }]);
  const [row] = body.results as { result: string; problem?: { status: number; code: string } }[];
  return row!.problem ?? { status, code: row!.result };
};

const ACTIONS = {
  generate_invoice: ({ period }) => act({ action: 'generate_invoice', billingPeriod: period }),
  finalize_invoice: ({ invoiceId }) => act({ action: 'finalize_invoice', invoiceId }),
  void_invoice: ({ invoiceId }) => act({ action: 'void_invoice', invoiceId }),
  generate_settlement: ({ period, merchantId }) =>
    act({ action: 'generate_settlement', billingPeriod: period, merchantId }),
  mark_settlement_paid: ({ settlementId }) => act({ action: 'mark_settlement_paid', settlementId }),
  collect: ({ pending }) => change(pending, 'collect'),
  waive: ({ pending }) => change(pending, 'waive'),
  reverse: ({ collected }) => change(collected, 'reverse'),
} satisfies Record<string, (scene: Fixture) => Promise<CommandOutcome>>;
type Action = keyof typeof ACTIONS;

const NAMES = Object.keys(ACTIONS) as Action[];
const PAIRS = NAMES.flatMap((one, i) => NAMES.slice(i).map(other => [one, other] as const));

/** Pairs of which only one action can succeed. */
const EXCLUSIVE = new Set([
  'finalize_invoice finalize_invoice',
  'void_invoice void_invoice',
  'mark_settlement_paid mark_settlement_paid',
  'collect waive',
]);

const succeeded = ({ status }: CommandOutcome): boolean => status === 200;

async function expectConsistent({ period, invoiceId, settlementId }: Fixture): Promise<void> {
  const { rows } = (await instance.act({ action: 'list_invoices', billingPeriod: period })).body as {
    rows: { invoiceId: string; status: string; number: string | null }[];
  };
  expect(rows.filter(({ status }) => status !== 'void').length).toBeLessThanOrEqual(1);
  const { body } = await instance.act({ action: 'get_invoice', invoiceId });
  const events = (body.invoice.history as { event: string }[]).map(({ event }) => event).join(' ');
  expect(events).toMatch(/^generated( finalized)?( voided)?$/);
  expect(body.invoice.number === null).toBe(!events.includes('finalized'));
  const settlements = (await instance.act({ action: 'list_settlements', billingPeriod: period })).body
    .rows as {
    settlementId: string;
    status: string;
  }[];
  expect(settlements.filter(({ status }) => status !== 'void')).toHaveLength(1);
  expect(settlements.map(each => each.settlementId)).toContain(settlementId);
}

it.each(PAIRS)('concurrent %s and %s leave a consistent state', async (one, other) => {
  for (let round = 0; round < ROUNDS; round++) {
    const scene = await createFixture();
    // Each twice, so that each also runs concurrently with itself.
    const came = await Promise.all(
      [one, other, one, other].map(async action => ({ action, ...(await ACTIONS[action](scene)) })),
    );
    for (const { status } of came) expect([200, 409, 422]).toContain(status);
    if (EXCLUSIVE.has(`${one} ${other}`)) {
      const won = new Set(
        came.filter(each => succeeded(each) && each.code !== 'unchanged').map(({ action }) => action),
      );
      expect(won.size).toBe(1);
      if (one === other) expect(came.filter(succeeded)).toHaveLength(1);
    }
    await expectConsistent(scene);
  }
});

it('invoice numbers have no gap, and each belongs to one invoice', async () => {
  const taken: { invoiceId: string; sequence: number; number: string }[] = [];
  for await (const { data } of instance.store.readStream(invoiceNumberStream('local', '2026')))
    taken.push(data as (typeof taken)[number]);
  expect(taken.length).toBeGreaterThanOrEqual(NAMES.length);
  expect(taken.map(({ sequence }) => sequence)).toEqual(taken.map((_, i) => i + 1));
  for (const { invoiceId, number } of taken)
    expect((await instance.act({ action: 'get_invoice', invoiceId })).body.invoice.number).toBe(number);
});

it('the summary counts every fee once', async () => {
  const rows: { collection_status: string; fee_amount: string }[] = [];
  for (let page = 1; ; page++) {
    const { body } = await instance.act({ action: 'list_fee_ledger', page, pageSize: 200 });
    rows.push(...(body.rows as typeof rows));
    if (body.rows.length < 200) break;
  }
  const { body } = await instance.act({ action: 'get_revenue' });
  for (const { collection_status: status, count } of body.summary as {
    collection_status: string;
    count: number;
  }[])
    expect([status, rows.filter(each => each.collection_status === status).length]).toEqual([status, count]);
});
