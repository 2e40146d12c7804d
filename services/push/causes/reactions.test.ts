import {
  encodeSolanaMessage,
  SOLANA_TRANSACTIONS,
  type SolanaMessage,
  type TransactionSeen,
} from '../../../contracts/chain/solana';
import type { EnhancedTransaction } from '../../../contracts/chain/solana-transaction';
import {
  encodeTonMessage,
  TON_MESSAGE_VERSION,
  TON_TRANSACTIONS,
  tonMessageKey,
  type TonLogMessage,
} from '../../../contracts/chain/ton';
import type { JettonWallets } from '../../../contracts/chain/ton-jetton';
import type { KnownContracts } from '../../../contracts/chain/ton-verified-contracts';
import type { TonTransaction } from '../../../contracts/chain/ton-transaction';
import { exchangeOrderStream, type ExchangeOrderEvent } from '../../../contracts/events/exchange-order';
import { accountKey, type AccountRef } from '../../../contracts/network/network';
import type { LogMessage } from '../../../contracts/ports/log';
import { pushAccountId } from '../../../contracts/push/push-cause';
import { InMemoryEventStore } from '../../../test/doubles/event-store';
import { at, PROGRESS, REQUEST, requested } from '../../../test/exchange/order';
import { exchangeOrderEvents } from '../../../contracts/events/exchange-order';
import { incomingTransactions, MAX_CAUSE_AGE_MS, orderStatuses, walletRequests } from './reactions';

const TIME = 1_767_225_600;
const NOW = new Date((TIME + 60) * 1_000);
const [ALICE, BOB] = [`0:${'a1'.repeat(32)}`, `0:${'b0'.repeat(32)}`];
const TON = { chain: 'ton', network: 'mainnet', address: ALICE } as const;
const SOLANA = { chain: 'solana', network: 'mainnet', address: 'Alice' } as const;

const of = (account: AccountRef, topic: string, value: Buffer): LogMessage => ({
  topic,
  key: accountKey(account),
  value,
  partition: 0,
  offset: 0,
  timestamp: 0,
  headers: {},
});
const ofTon = (message: TonLogMessage): LogMessage => ({
  ...of(TON, TON_TRANSACTIONS.name, encodeTonMessage(message)),
  key: tonMessageKey(message),
});
const ofSolana = (message: SolanaMessage): LogMessage =>
  of(SOLANA, SOLANA_TRANSACTIONS.name, encodeSolanaMessage(message));

interface Received {
  readonly success?: boolean;
  readonly direction?: 'in' | 'out';
  readonly info?: object;
  readonly sent?: readonly object[];
  readonly jetton?: object | null;
  readonly time?: number;
  readonly origin?: 'tail' | 'backfill';
  readonly jettonWallets?: JettonWallets;
  readonly contracts?: KnownContracts;
}

const ton = ({
  success = true,
  direction = 'in',
  info,
  sent = [],
  jetton = null,
  time = TIME,
  origin = 'tail',
  jettonWallets = {},
  contracts = {},
}: Received) => {
  const inMessage = {
    info: { type: 'internal', src: BOB, dest: ALICE, value: '1', bounced: false, ...info },
    jetton,
    op: null,
    comment: 'spam: open https://evil.example',
  };
  const transaction = { success, direction, inMessage, outMessages: sent } as unknown as TonTransaction;
  return ofTon({
    type: 'transaction',
    version: TON_MESSAGE_VERSION,
    network: 'mainnet',
    account: ALICE,
    lt: '5',
    hash: 'hash',
    time,
    origin,
    seqno: null,
    decoder: 1,
    prev: { lt: '0', hash: '' },
    transaction,
    jettonWallets,
    contracts,
    raw: '',
  });
};

const seen = (more: Partial<TransactionSeen> = {}): LogMessage =>
  ofSolana({
    type: 'transaction',
    network: 'mainnet',
    account: 'Alice',
    signature: 'signature',
    slot: 5,
    blockhash: 'b5',
    mints: [],
    index: 0,
    mentioned: true,
    blockTime: TIME,
    finality: 'confirmed',
    origin: 'tail',
    balance: '10',
    raw: {},
    ...more,
  });
const token = (userAccount: string, tokenAmount: string) => ({
  userAccount,
  rawTokenAmount: { tokenAmount },
});
const change = (account: string, nativeBalanceChange: number, ...tokenBalanceChanges: object[]) => ({
  account,
  nativeBalanceChange,
  tokenBalanceChanges,
});

/** The jobs of a record, where devices follow the account of Alice on both chains. */
async function jobsOf(message: LogMessage, decoded: object = {}, areBehind = false) {
  const followed = [TON, SOLANA].map(account => pushAccountId(accountKey(account)));
  const reaction = incomingTransactions({
    store: { head: async () => 7 },
    views: () => ({
      waitForPosition: async (_collection, position) => position === 7 && !areBehind,
      getMany: async (_collection, ids) =>
        new Map(ids.filter(id => followed.includes(id)).map(id => [id, { _id: id } as never])),
    }),
    decode: () =>
      ({
        transactionError: null,
        feePayer: 'Bob',
        accountData: [],
        ...decoded,
      }) as unknown as EnhancedTransaction,
    clock: () => NOW,
  });
  return reaction.jobs(message);
}

const incoming = (account: AccountRef, transaction: string, lt: string | null) => [
  {
    queue: 'push-causes',
    id: `incoming_transaction/${accountKey(account)}/${transaction}`,
    data: {
      kind: 'incoming_transaction',
      account,
      transaction,
      lt,
      at: new Date(TIME * 1_000 + 999).toISOString(),
    },
    attempts: 12,
  },
];

const FEES: readonly Received[] = [
  { jetton: { type: 'excesses' }, jettonWallets: { [BOB]: { master: 'master', owner: 'carol' } } },
  { jetton: { type: 'excesses' }, contracts: { [BOB]: 'nft_item' } },
  { jetton: { type: 'excesses' }, contracts: { [BOB]: 'jetton_master' } },
];

describe('on TON', () => {
  it.each<[string, Received]>([
    ['coins', {}],
    ['a jetton', { jetton: { type: 'transfer_notification' } }],
    ['coins that a contract did nothing with', { success: false }],
    ['coins that came back', { info: { bounced: true } }],
    ['what a backfill finds that is new', { origin: 'backfill' }],
    ['what a stranger calls the rest of a fee', { jetton: { type: 'excesses' } }],
  ])('%s of another account are notified', async (_what, received) => {
    expect(await jobsOf(ton(received))).toEqual(incoming(TON, 'hash', '5'));
  });

  it.each<[string, Received]>([
    ['what the owner has sent', { direction: 'out' }],
    ['what was sent back', { sent: [{ info: { type: 'internal', bounced: true } }] }],
    ['what an account sends to itself', { info: { src: ALICE } }],
    ['what an external message says', { info: { type: 'external-in' } }],
    ...FEES.map(verified => ['what remains of a fee', verified] as [string, Received]),
    ['history', { time: TIME + 60 - MAX_CAUSE_AGE_MS / 1_000 - 1, origin: 'backfill' }],
  ])('%s is not', async (_what, received) => {
    expect(await jobsOf(ton(received))).toEqual([]);
  });

  it('nothing else that is on the log is', async () => {
    const shared = { version: TON_MESSAGE_VERSION, network: 'mainnet', account: ALICE } as const;
    expect(await jobsOf(ofTon({ type: 'backfilled', ...shared, downTo: '0', watch: 1 }))).toEqual([]);
    expect(
      await jobsOf(ofTon({ type: 'retracted', ...shared, lt: '5', hash: 'hash', external: [] })),
    ).toEqual([]);
  });
});

describe('on Solana', () => {
  it.each<[string, object[]]>([
    ['SOL', [change('Alice', 1)]],
    ['tokens', [change('Alices token account', 0, token('Alice', '5'))]],
  ])('%s of another account are notified, once for all blocks', async (_what, accountData) => {
    expect(await jobsOf(seen(), { accountData })).toEqual(incoming(SOLANA, 'signature', null));
    const again = await jobsOf(seen({ blockhash: 'b6', finality: 'finalized' }), { accountData });
    expect(again.map(({ id }) => id)).toEqual(incoming(SOLANA, 'signature', null).map(({ id }) => id));
  });

  it.each<[string, object]>([
    ['what the owner has paid the fee of', { feePayer: 'Alice', accountData: [change('Alice', 1)] }],
    ['what has failed', { transactionError: 'no', accountData: [change('Alice', 1)] }],
    ['what takes from the account', { accountData: [change('Alice', -1, token('Alice', '-5'))] }],
    ['what others receive', { accountData: [change('Bob', 1, token('Bob', '5'))] }],
  ])('%s is not', async (_what, decoded) => {
    expect(await jobsOf(seen(), decoded)).toEqual([]);
  });

  it('nor is that a block is final, or abandoned', async () => {
    const inclusion = {
      network: 'mainnet',
      account: 'Alice',
      signature: 's',
      slot: 5,
      blockhash: 'b',
      mints: [],
    } as const;
    for (const type of ['finalized', 'rolled-back', 'retracted'] as const)
      expect(await jobsOf(ofSolana({ type, ...inclusion }))).toEqual([]);
  });
});

it('a record waits for documents that do not have all devices yet, instead of being skipped', async () => {
  await expect(jobsOf(ton({}), {}, true)).rejects.toThrow('behind');
});

it('records of accounts that no device follows are not even decoded', async () => {
  const other = { ...TON, address: BOB };
  expect(await jobsOf(of(other, TON_TRANSACTIONS.name, Buffer.from('damaged')))).toEqual([]);
});

describe('exchange orders', () => {
  const observed = (to: string, shown = to): ExchangeOrderEvent =>
    ({
      type: 'ExchangeOrderStatusObserved',
      data: { orderId: REQUEST.orderId, from: 'sending', to, shown, progress: PROGRESS, at: at(9) },
    }) as ExchangeOrderEvent;

  async function jobsOfOrder(event: ExchangeOrderEvent) {
    const store = new InMemoryEventStore();
    const stream = exchangeOrderStream(REQUEST.orderId);
    const metadata = { now: at(0), actor: 'test' };
    const ids = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
    const events = [requested, event].map((each, i) => exchangeOrderEvents.write(each, ids[i]!, metadata));
    await store.append(stream, 'no_stream', events);
    const reaction = orderStatuses(store);
    return (await Promise.all(store.stored.all.map(each => reaction.jobs(each)))).flat();
  }

  it.each(['finished', 'failed', 'refunded', 'hold'])(
    'that are %s are notified to their wallet',
    async status => {
      expect(await jobsOfOrder(observed(status))).toMatchObject([
        {
          id: `order_status/${REQUEST.orderId}/${status}`,
          data: { kind: 'order_status', account: REQUEST.wallet, status, at: at(9) },
        },
      ]);
    },
  );

  it.each([observed('exchanging'), observed('waiting'), observed('failed', 'resolved')])(
    'that have moved otherwise are not',
    async event => {
      expect(await jobsOfOrder(event)).toEqual([]);
    },
  );
});

it('a wallet request is notified to who shall confirm it, and its answer to nobody', () => {
  const parties = { requestId: 'r1', network: 'testnet', requestor: ALICE, confirmant: BOB, at: at(0) };
  const jobs = (type: string) =>
    walletRequests.jobs({
      id: '',
      stream: '',
      revision: 0,
      position: 0,
      created: '',
      metadata: { v: 1 },
      type,
      data: { ...parties, expiresAt: at(300), message: null, metadata: null },
    });
  expect(jobs('WalletRequestCreated')).toMatchObject([
    {
      id: 'wallet_request/r1',
      data: { account: { chain: 'ton', network: 'testnet', address: BOB }, expiresAt: at(300) },
    },
  ]);
  expect(jobs('WalletRequestConfirmed')).toEqual([]);
});
