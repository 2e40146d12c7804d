import { formatTonAddress } from '../../../../contracts/account/address';
import { commandLine } from '../../../../test/command-line';
import { REQUEST } from '../../../../test/exchange/order';
import { startOrderProgram } from '../../../../test/exchange/orders';
import { replayCommand } from '../../../cli/replay';
import { exchange as exchangeFeature } from '../exchange';
import { exchangeCommand } from './exchange-command';

const { run, DATA_DIR } = commandLine(exchangeCommand, replayCommand);
const exchange = async (...words: string[]) =>
  JSON.parse(await run('--json', 'exchange', ...words)) as Record<string, unknown>;

const UNKNOWN = '7d2b4f64-5a1e-5c0b-8f3e-2a90c1b7d6e4';
const SOLANA = 'So11111111111111111111111111111111111111112';
const TON = formatTonAddress(REQUEST.wallet.address, 'mainnet');
let failed: string;
let waiting: string;
let rejected: string;

beforeAll(async () => {
  const orders = await startOrderProgram({
    features: [exchangeFeature],
    roles: ['projections'],
    folder: DATA_DIR,
  });
  failed = await orders.place(REQUEST.wallet, { status: 'failed' });
  waiting = await orders.place(
    { chain: 'solana', network: 'mainnet', address: SOLANA },
    { status: 'waiting' },
  );
  rejected = await orders.request(
    REQUEST.wallet,
    { type: 'startCall' },
    { type: 'recordRejected', attempt: 1, reason: 'amount_too_low', message: 'minimal' },
  );
  await orders.stop();
});

const listed = async (...words: string[]): Promise<string[]> => {
  const { orders } = (await exchange('list', ...words)) as { orders: { _id: string }[] };
  return orders.map(({ _id }) => _id);
};

test('orders are listed by what became of them, status and wallet, the newest first', async () => {
  expect(await listed()).toEqual([waiting, failed]);
  expect(await listed('--limit', '1')).toEqual([waiting]);
  expect(await listed('--status', 'failed')).toEqual([failed]);
  expect(await listed('--outcome', 'rejected')).toEqual([rejected]);
  expect(await listed('--wallet', SOLANA)).toEqual([waiting]);
  expect(await listed('--wallet', TON, '--outcome', 'rejected')).toEqual([rejected]);
  expect(await run('exchange', 'list')).toMatch(
    new RegExp(
      `^ORDER +STATUS .*\n${waiting} +waiting +0.1 +btc +ton +solana:mainnet:${SOLANA} +${waiting} .*\n`,
    ),
  );
});

test('an order is shown with its events', async () => {
  const { order, events } = await exchange('show', failed);
  expect(order).toMatchObject({ _id: failed, status: 'failed' });
  expect((events as { type: string }[]).map(({ type }) => type)).toEqual([
    'ExchangeOrderRequested',
    'ExchangePartnerCallStarted',
    'ExchangeOrderCreated',
    'ExchangeOrderStatusObserved',
    'ExchangeOrderStatusObserved',
  ]);
  expect(await run('exchange', 'show', rejected)).toMatch(/\nAT +EVENT +DATA\n.*\n[^]*"message":"minimal"/);
});

test('support resolves an order that came to nothing, once, and none that may succeed', async () => {
  expect(await exchange('resolve', failed)).toEqual({ orderId: failed, resolved: true });
  expect(await exchange('resolve', failed)).toEqual({ orderId: failed, resolved: false });
  const { events } = (await exchange('show', failed)) as { events: unknown[] };
  expect(events.at(-1)).toMatchObject({ type: 'ExchangeOrderResolved', about: { by: 'operator' } });
  await expect(exchange('resolve', rejected)).rejects.toThrow('409');
});

test('the documents of orders and of their states are replayed from the events', async () => {
  const lines = (await run('replay', '--projection', 'exchange-orders')).trim().split('\n');
  const documents = lines.map(line => JSON.parse(line) as { collection: string; document: { _id: string } });
  const idsIn = (name: string) =>
    documents.filter(({ collection }) => collection === name).map(({ document }) => document._id);
  expect(idsIn('exchange_orders').sort()).toEqual([failed, waiting, rejected].sort());
  expect(idsIn('exchange_order_states').filter(id => id.startsWith(waiting))).toHaveLength(2);
});

test.each([
  [['show', 'nonsense'], 'id: '],
  [['show', UNKNOWN], 'no such order'],
  [['resolve', UNKNOWN], '404 exchange_order_not_found'],
  [['list', '--status', 'lost'], 'status: '],
  [['list', '--outcome', 'lost'], 'outcome: '],
  [['list', '--wallet', 'me'], 'a TON or Solana address'],
  [['list', '--limit', '0'], 'limit: '],
])('refuses %j', async (words, why) => {
  await expect(exchange(...words)).rejects.toThrow(why);
});
