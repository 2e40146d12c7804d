import { v5 } from 'uuid';
import { formatTonAddress } from '../../../../contracts/account/address';
import type { WithoutMetadata } from '../../../../contracts/decider';
import { exchangeOrderStream } from '../../../../contracts/events/exchange-order';
import { EXCHANGE_ORDERS, exchangeOrdersProjection } from '../../../../projections/exchange/orders';
import { exchangeOrderKind, type ExchangeOrderCommand } from '../../../../services/exchange/order/decider';
import { createHandle } from '../../../../services/handle';
import { commandLine } from '../../../../test/command-line';
import { at, metadata, NONE_UNPAID, partnerOrder, REQUEST } from '../../../../test/exchange/order';
import { exchangeCommand } from './exchange-command';
import { replayCommand } from '../../../cli/replay';
import { withProjections } from '../../commands/with-engines';

const { run, config } = commandLine(exchangeCommand, replayCommand);
const exchange = async (...words: string[]) =>
  JSON.parse(await run('--json', 'exchange', ...words)) as Record<string, unknown>;

const idOf = (name: string): string => v5(name, '7d2b4f64-5a1e-5c0b-8f3e-2a90c1b7d6e4');
const [FAILED, WAITING, REJECTED] = ['failed', 'waiting', 'rejected'].map(idOf) as [string, string, string];
const SOLANA = 'So11111111111111111111111111111111111111112';
const TON = formatTonAddress(REQUEST.wallet.address, 'mainnet');

type Step = WithoutMetadata<ExchangeOrderCommand>;

const placed = (status: string): Step[] => [
  { type: 'startCall' },
  { type: 'recordCreated', order: partnerOrder(), expiresAt: at(3_600) },
  { type: 'observe', order: partnerOrder({ status }) },
];

beforeAll(() =>
  withProjections(config(), [exchangeOrdersProjection], async ({ engine, engines: { store } }) => {
    const handle = createHandle({ store });
    const running = new AbortController();
    const projecting = engine.run(running.signal);
    let position = 0;
    async function execute(orderId: string, wallet: typeof REQUEST.wallet, steps: readonly Step[]) {
      const request = { ...REQUEST, orderId, wallet };
      for (const step of [{ type: 'request', request, ...NONE_UNPAID } as const, ...steps]) {
        const command = { ...step, metadata: metadata(1) } as ExchangeOrderCommand;
        const outcome = await handle(exchangeOrderKind, exchangeOrderStream(orderId), command);
        if (outcome.refusal) throw new Error(outcome.refusal.detail);
        ({ position } = outcome);
      }
    }
    const solana = { chain: 'solana', network: 'mainnet', address: SOLANA } as never;
    await execute(FAILED, REQUEST.wallet, placed('failed'));
    await execute(WAITING, solana, placed('waiting'));
    await execute(REJECTED, REQUEST.wallet, [
      { type: 'startCall' },
      { type: 'recordRejected', attempt: 1, reason: 'amount_too_low', message: 'minimal' },
    ]);
    expect(await engine.views.waitForPosition(EXCHANGE_ORDERS.name, position, 60_000)).toBe(true);
    running.abort();
    await projecting;
  }),
);

const listed = async (...words: string[]): Promise<string[]> => {
  const { orders } = (await exchange('list', ...words)) as { orders: { _id: string }[] };
  return orders.map(({ _id }) => _id);
};

test('orders are listed by what became of them, status and wallet, the newest first', async () => {
  expect(await listed()).toEqual([WAITING, FAILED]);
  expect(await listed('--limit', '1')).toEqual([WAITING]);
  expect(await listed('--status', 'failed')).toEqual([FAILED]);
  expect(await listed('--outcome', 'rejected')).toEqual([REJECTED]);
  expect(await listed('--wallet', SOLANA)).toEqual([WAITING]);
  expect(await listed('--wallet', TON, '--outcome', 'rejected')).toEqual([REJECTED]);
  expect(await run('exchange', 'list')).toMatch(
    new RegExp(`^ORDER +STATUS .*\n${WAITING} +waiting +0.1 +btc +ton +solana:mainnet:${SOLANA} +p1 .*\n`),
  );
});

test('an order is shown with its events', async () => {
  const { order, events } = await exchange('show', FAILED);
  expect(order).toMatchObject({ _id: FAILED, status: 'failed' });
  expect((events as { type: string }[]).map(({ type }) => type)).toEqual([
    'ExchangeOrderRequested',
    'ExchangePartnerCallStarted',
    'ExchangeOrderCreated',
    'ExchangeOrderStatusObserved',
    'ExchangeOrderStatusObserved',
  ]);
  expect(await run('exchange', 'show', REJECTED)).toMatch(/\nAT +EVENT +DATA\n.*\n[^]*"message":"minimal"/);
});

test('support resolves an order that came to nothing, once, and none that may succeed', async () => {
  expect(await exchange('resolve', FAILED)).toEqual({ orderId: FAILED, resolved: true });
  expect(await exchange('resolve', FAILED)).toEqual({ orderId: FAILED, resolved: false });
  const { events } = (await exchange('show', FAILED)) as { events: unknown[] };
  expect(events.at(-1)).toMatchObject({ type: 'ExchangeOrderResolved', about: { by: 'operator' } });
  await expect(exchange('resolve', REJECTED)).rejects.toThrow('409');
});

test('the documents of orders and of their states are replayed from the events', async () => {
  const lines = (await run('replay', '--projection', 'exchange-orders')).trim().split('\n');
  const documents = lines.map(line => JSON.parse(line) as { collection: string; document: { _id: string } });
  const idsIn = (name: string) =>
    documents.filter(({ collection }) => collection === name).map(({ document }) => document._id);
  expect(idsIn('exchange_orders').sort()).toEqual([FAILED, WAITING, REJECTED].sort());
  expect(idsIn('exchange_order_states').filter(id => id.startsWith(WAITING))).toHaveLength(2);
});

test.each([
  [['show', 'nonsense'], 'id: '],
  [['show', idOf('unknown')], 'no such order'],
  [['resolve', idOf('unknown')], '404 exchange_order_not_found'],
  [['list', '--status', 'lost'], 'status: '],
  [['list', '--outcome', 'lost'], 'outcome: '],
  [['list', '--wallet', 'me'], 'a TON or Solana address'],
  [['list', '--limit', '0'], 'limit: '],
])('refuses %j', async (words, why) => {
  await expect(exchange(...words)).rejects.toThrow(why);
});
