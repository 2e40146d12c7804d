import fc from 'fast-check';
import { Cell } from '@ton/core';
import {
  decodeTonMessage,
  encodeTonMessage,
  type TonBackfilledMessage,
  type TonTransactionMessage,
} from '../../contracts/chain/ton';
import type { JettonWallets } from '../../contracts/chain/ton-jetton';
import { finalStatus } from '../../contracts/chain/ton-outcome';
import type { TonMessageInfo, TonTransaction } from '../../contracts/chain/ton-transaction';
import { LIQUID_STAKING_POOLS } from '../../contracts/chain/ton-verified-contracts';
import { tonDecoder } from '../../indexers/ton/decode/decode';
import { toUnverifiedRecord } from '../../indexers/ton/records';
import { tonMessagesProjection } from '../../projections/ton/messages';
import { addressFormatter } from '../../projections/ton/format-address';
import { tonTransactionsProjection } from '../../projections/ton/transactions/projection';
import { storedTransaction } from '../../projections/ton/transactions/stored-transaction';
import { given } from '../contracts/projection';
import { onTheLog, retraction } from './log-messages';
import { accountAt, ScriptedChain } from './scripted-chain';
import { runs } from '../random';

const A = accountAt(1);
const KEY = `ton:mainnet:${A}`;
const chain = new ScriptedChain();
for (let n = 0; n < 4; n++) chain.mine({ accounts: [A] });
const recorded = chain.transactions.get(A)!;
const newest = recorded.at(-1)!;
const pad = (lt: string): string => lt.padStart(20, '0');

const fromTail = recorded.map(({ cell, lt, hash, seqno }) =>
  toUnverifiedRecord(cell, { lt, hash }, { network: 'mainnet', account: A, seqno, origin: 'tail' }),
);
const fromBackfill = recorded.map(({ cell, lt, hash }) =>
  toUnverifiedRecord(cell, { lt, hash }, { network: 'mainnet', account: A, seqno: null, origin: 'backfill' }),
);
const marker: TonBackfilledMessage = {
  type: 'backfilled',
  version: 1,
  network: 'mainnet',
  account: A,
  downTo: '0',
  watch: 1,
};
const messages = [...fromTail, ...fromBackfill].map(({ message }) => message.value);
/** What a backfill states on its way. */
const reached = recorded.map(({ lt }) => encodeTonMessage({ ...marker, downTo: lt }));
const values = [...messages, ...reached, encodeTonMessage(marker)];

/** Of the same account on another network, some at the same logical times. */
const foreignChain = new ScriptedChain('foreign');
foreignChain.mine({ accounts: [accountAt(2)] });
for (let n = 0; n < 3; n++) foreignChain.mine({ accounts: [A] });
const recordedForeign = foreignChain.transactions.get(A)!;
const foreign = recordedForeign.map(
  ({ cell, lt, hash, seqno }) =>
    toUnverifiedRecord(cell, { lt, hash }, { network: 'mainnet', account: A, seqno, origin: 'tail' }).message
      .value,
);
const retractions = recordedForeign.map(ref => retraction(A, ref));

const complete = {
  ton_accounts: [
    {
      _id: KEY,
      network: 'mainnet',
      address: A,
      newest: pad(newest.lt),
      hash: newest.hash,
      backfilled: 1,
      reached: { watch: 1, downTo: recorded[0]!.lt },
    },
  ],
  ton_transactions: recorded.map(({ cell, lt, hash, seqno }) => {
    const transaction = tonDecoder.decode(A, cell.toBoc().toString('base64'));
    const status = finalStatus(transaction, null);
    const row = storedTransaction(
      { ...transaction, jettonWallets: {}, contracts: {}, status },
      addressFormatter('mainnet'),
    );
    return {
      _id: `${KEY}/${pad(lt)}`,
      account: KEY,
      lt: pad(lt),
      seqno,
      decoder: tonDecoder.version,
      summary: { hash, prev: transaction.prev.lt, time: transaction.time, status },
      transaction: JSON.stringify(transaction),
      row: JSON.stringify(row),
      jettonWallets: {},
      contracts: {},
      trace: null,
    };
  }),
};

type Expected = Parameters<ReturnType<typeof given>['then']>[0];

describe('the history of TON accounts', () => {
  it('is the same whatever arrives first and how often', async () => {
    const arrivals = fc
      .shuffledSubarray(values, { minLength: values.length })
      .chain(list => fc.tuple(fc.constant(list), fc.shuffledSubarray(values)))
      .map(([list, again]) => [...list, ...again]);
    await fc.assert(
      fc.asyncProperty(arrivals, async list =>
        given(tonTransactionsProjection(tonDecoder), onTheLog(A, list)).then(complete as unknown as Expected),
      ),
      runs(4),
    );
  });

  it('has a jetton wallet as confirmed, though it was deleted before the backfill asked', async () => {
    const [first] = recorded as [(typeof recorded)[number]];
    const wallet = { master: accountAt(7), owner: A };
    const asked = (record: (typeof fromTail)[number], jettonWallets: JettonWallets): Buffer => {
      const decoded = decodeTonMessage(record.message.value) as TonTransactionMessage;
      return encodeTonMessage({ ...decoded, jettonWallets });
    };
    const list = [
      asked(fromTail[0]!, { [accountAt(5)]: wallet, [accountAt(6)]: null }),
      asked(fromBackfill[0]!, { [accountAt(5)]: null, [accountAt(6)]: null }),
    ];
    for (const order of [list, [...list].reverse()])
      await given(tonTransactionsProjection(tonDecoder), onTheLog(A, order)).then({
        ton_accounts: [
          {
            ...complete.ton_accounts[0],
            newest: pad(first.lt),
            hash: first.hash,
            backfilled: 0,
            reached: null,
          },
        ],
        ton_transactions: [
          {
            ...complete.ton_transactions[0],
            jettonWallets: { [accountAt(5)]: wallet, [accountAt(6)]: null },
          },
        ],
      } as unknown as Expected);
  });

  it('is as if a network that was taken back had never been read, once the account is read again', async () => {
    const arrivals = fc.shuffledSubarray([...values, ...foreign], {
      minLength: values.length + foreign.length,
    });
    await fc.assert(
      fc.asyncProperty(
        arrivals,
        fc.shuffledSubarray(values, { minLength: values.length }),
        async (list, again) =>
          given(tonTransactionsProjection(tonDecoder), onTheLog(A, [...list, ...retractions, ...again])).then(
            complete as unknown as Expected,
          ),
      ),
      runs(4),
    );
  });

  it('is not complete after something of it was taken back', async () => {
    await given(
      tonTransactionsProjection(tonDecoder),
      onTheLog(A, [foreign[0]!, encodeTonMessage(marker), retractions[0]!]),
    ).then({
      ton_accounts: [
        { _id: KEY, network: 'mainnet', address: A, newest: null, hash: null, backfilled: 0, reached: null },
      ],
    });
  });

  it('knows an account without transactions, once it is read', async () => {
    await given(tonTransactionsProjection(tonDecoder), onTheLog(A, [encodeTonMessage(marker)])).then({
      ton_accounts: [
        { _id: KEY, network: 'mainnet', address: A, newest: null, hash: null, backfilled: 1, reached: null },
      ],
    });
  });

  it('is decoded again from the raw bytes by a newer decoder', async () => {
    const newer = {
      version: tonDecoder.version + 1,
      decode: (account: string, raw: string) => ({
        ...tonDecoder.decode(account, raw),
        fees: `read from ${Cell.fromBase64(raw).hash().toString('base64')}`,
      }),
    };
    const projection = tonTransactionsProjection(newer);
    expect(projection.version).toBeGreaterThan(tonTransactionsProjection(tonDecoder).version);
    const [input] = onTheLog(A, [fromTail[0]!.message.value]);
    const [key] = projection.touches(input!);
    expect(projection.fold(null, input!, key!)).toMatchObject({
      decoder: newer.version,
      row: expect.stringContaining(`"fees":"read from ${recorded[0]!.hash}"`) as string,
    });
  });

  it('names the contracts that have become known since a record was published', () => {
    const pool = LIQUID_STAKING_POOLS.mainnet;
    const newer = {
      version: tonDecoder.version + 1,
      decode(account: string, raw: string): TonTransaction {
        const decoded = tonDecoder.decode(account, raw);
        const nothing = { op: null, comment: null, jetton: null, nft: null, staking: null, card: null };
        const info: TonMessageInfo = {
          type: 'internal',
          src: A,
          dest: pool,
          value: '1',
          bounce: true,
          bounced: false,
          ihrDisabled: true,
          ihrFee: '0',
          extraFlags: 0,
          fwdFee: '0',
          createdLt: '1',
          createdAt: 1,
        };
        const toPool = { hash: '', info, init: null, body: '', bounce: null, ...nothing };
        return { ...decoded, outMessages: [toPool] };
      },
    };
    const projection = tonTransactionsProjection(newer);
    const published = decodeTonMessage(fromTail[0]!.message.value) as TonTransactionMessage;
    const contracts = { [pool]: 'jetton_master', [accountAt(5)]: 'nft_item' } as const;
    const [input] = onTheLog(A, [encodeTonMessage({ ...published, contracts })]);
    expect(projection.fold(null, input!, projection.touches(input!)[0]!)).toMatchObject({
      contracts: { [pool]: 'liquid_pool', [accountAt(5)]: 'nft_item' },
    });
  });
});

describe('transactions by hash', () => {
  const external = (of: (typeof recorded)[number], hash: string, normalized: string): Buffer => {
    const { message } = toUnverifiedRecord(of.cell, of, {
      network: 'mainnet',
      account: A,
      seqno: 1,
      origin: 'tail',
    });
    const decoded = decodeTonMessage(message.value) as TonTransactionMessage;
    return encodeTonMessage({
      ...decoded,
      transaction: { ...decoded.transaction, external: { hash, normalized } },
    });
  };
  const base64 = (byte: string): string => Buffer.from(byte.repeat(32), 'hex').toString('base64');
  const found = ({ lt, hash, seqno }: (typeof recorded)[number]) => ({
    account: A,
    lt,
    hash,
    time: 1_700_000_000 + seqno,
  });

  it('lead nowhere when the transaction was taken back', async () => {
    const [one] = recorded as [(typeof recorded)[number]];
    const list = [
      external(one, base64('ee'), base64('aa')),
      retraction(A, one, [base64('ee'), base64('aa')]),
    ];
    await given(tonMessagesProjection(tonDecoder), onTheLog(A, list)).then({});
    const another = retraction(A, { lt: one.lt, hash: base64('11') }, [base64('ee')]);
    const kept = await given(tonMessagesProjection(tonDecoder), onTheLog(A, [list[0]!, another])).replay();
    expect(kept.ton_hashes).toHaveLength(3);
  });

  it('lead from both hashes of a message to the first transaction it became', async () => {
    const [first, second] = recorded as [(typeof recorded)[number], (typeof recorded)[number]];
    const list = [external(second, base64('ee'), base64('aa')), external(first, base64('ee'), base64('bb'))];
    const hex = (hash: string): string => Buffer.from(hash, 'base64').toString('hex');
    const expected = [
      { _id: `mainnet/${'aa'.repeat(32)}`, transactions: [found(second)] },
      { _id: `mainnet/${'bb'.repeat(32)}`, transactions: [found(first)] },
      { _id: `mainnet/${'ee'.repeat(32)}`, transactions: [found(first), found(second)] },
      { _id: `mainnet/${hex(first.hash)}`, transactions: [found(first)] },
      { _id: `mainnet/${hex(second.hash)}`, transactions: [found(second)] },
    ].sort((a, b) => (a._id < b._id ? -1 : 1));
    for (const order of [list, [...list].reverse()])
      await given(tonMessagesProjection(tonDecoder), onTheLog(A, order)).then({ ton_hashes: expected });
  });

  it('lead to the second transaction of a message whose first was taken back, whichever came first', async () => {
    const [first, second] = recorded as [(typeof recorded)[number], (typeof recorded)[number]];
    const hashes: [string, string] = [base64('ee'), base64('aa')];
    const [one, other] = [external(first, ...hashes), external(second, ...hashes)];
    const takenBack = retraction(A, first, hashes);
    for (const order of [
      [one, other, takenBack],
      [other, one, takenBack],
      [one, takenBack, other],
    ]) {
      const { ton_hashes: kept } = await given(
        tonMessagesProjection(tonDecoder),
        onTheLog(A, order),
      ).replay();
      expect(kept).toHaveLength(3);
      for (const document of kept!) expect(document).toMatchObject({ transactions: [found(second)] });
    }
  });
});
