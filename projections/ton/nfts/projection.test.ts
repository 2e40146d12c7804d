import fc from 'fast-check';
import {
  decodeTonMessage,
  encodeTonMessage,
  TON_TRANSACTIONS,
  type TonTransactionMessage,
} from '../../../contracts/chain/ton';
import type { NftOperation } from '../../../contracts/chain/ton-nft';
import type { TonMessage } from '../../../contracts/chain/ton-transaction';
import type { LogMessage } from '../../../contracts/ports/log';
import { tonDecoder } from '../../../indexers/ton/decode/decode';
import { toUnverifiedRecord } from '../../../indexers/ton/records';
import { given } from '../../../test/contracts/projection';
import { runs } from '../../../test/random';
import { accountAt, ScriptedChain } from '../../../test/ton/scripted-chain';
import { tonNftsProjection } from './projection';

const OWNER = accountAt(1);
const KEY = `ton:mainnet:${OWNER}`;
const [ITEM, OTHER_ITEM] = [accountAt(5), accountAt(6)] as [string, string];
const pad = (lt: string): string => lt.padStart(20, '0');

const chain = new ScriptedChain();
for (let n = 0; n < 3; n++) chain.mine({ accounts: [OWNER] });
type Mined = NonNullable<ReturnType<(typeof chain)['transactions']['get']>>[number];
const [first, second, third] = chain.transactions.get(OWNER)! as [Mined, Mined, Mined];

const message = (
  src: string,
  dest: string,
  type: NftOperation['type'],
  { bounced = false, newOwner = null as string | null, forwardAmount = '0' } = {},
): TonMessage =>
  ({
    info: { type: 'internal', src, dest, value: '1', bounced },
    nft: { type, queryId: '0', newOwner, forwardAmount } as unknown as NftOperation,
  }) as unknown as TonMessage;
const received = (item: string, bounced = false) => message(item, OWNER, 'ownership_assigned', { bounced });
const sent = (item: string, newOwner: string | null = null) => message(OWNER, item, 'transfer', { newOwner });

interface Messages {
  readonly inMessage?: TonMessage;
  readonly outMessages?: readonly TonMessage[];
  readonly success?: boolean;
}

/** The transaction as if it had these messages. */
function having(
  { cell, lt, hash, seqno }: Mined,
  origin: 'tail' | 'backfill',
  { inMessage, outMessages = [], success = true }: Messages,
): Buffer {
  const at = { network: 'mainnet', account: OWNER, seqno: origin === 'tail' ? seqno : null, origin } as const;
  const record = decodeTonMessage(
    toUnverifiedRecord(cell, { lt, hash }, at).message.value,
  ) as TonTransactionMessage;
  const transaction = { ...record.transaction, inMessage: inMessage ?? null, outMessages, success };
  return encodeTonMessage({ ...record, transaction });
}

const onTheLog = (values: readonly Buffer[]): LogMessage[] =>
  values.map((value, offset) => ({
    topic: TON_TRANSACTIONS.name,
    partition: 0,
    offset,
    key: KEY,
    value,
    headers: {},
    timestamp: 0,
  }));

it('has the items that an account received or sent, by the newest of it, whatever arrives first and how often', async () => {
  const records = [
    having(first, 'backfill', { inMessage: received(ITEM) }),
    having(second, 'tail', { inMessage: received(OTHER_ITEM), outMessages: [sent(ITEM)] }),
    having(second, 'backfill', { inMessage: received(OTHER_ITEM), outMessages: [sent(ITEM)] }),
    having(third, 'backfill', { inMessage: received(ITEM) }),
  ];
  const arrivals = fc
    .shuffledSubarray(records, { minLength: records.length })
    .chain(list => fc.tuple(fc.constant(list), fc.shuffledSubarray(records)))
    .map(([list, again]) => [...list, ...again]);
  const nft = (item: string, { lt }: Mined) => ({
    _id: `${KEY}/${item}`,
    account: KEY,
    item,
    lt: pad(lt),
    isSent: false,
    seqno: second.seqno,
  });
  await fc.assert(
    fc.asyncProperty(arrivals, async list =>
      given(tonNftsProjection(tonDecoder), onTheLog(list)).then({
        ton_nfts: [nft(OTHER_ITEM, second), nft(ITEM, third)],
      }),
    ),
    runs(4),
  );
});

it('notes that the newest transaction sends an item away', async () => {
  const records = [
    having(first, 'tail', { inMessage: received(ITEM) }),
    having(second, 'tail', { outMessages: [sent(ITEM)] }),
  ];
  await given(tonNftsProjection(tonDecoder), onTheLog(records)).then({
    ton_nfts: [
      {
        _id: `${KEY}/${ITEM}`,
        account: KEY,
        item: ITEM,
        lt: pad(second.lt),
        isSent: true,
        seqno: second.seqno,
      },
    ],
  });
});

it('takes nothing for an item that came back, or that others sent', async () => {
  const messages = {
    inMessage: received(ITEM, true),
    outMessages: [message(OWNER, ITEM, 'ownership_assigned')],
  };
  await given(tonNftsProjection(tonDecoder), onTheLog([having(first, 'tail', messages)])).then({});
});

describe('of a transfer to another owner', () => {
  const NEW_OWNER = accountAt(7);
  const NEW_KEY = `ton:mainnet:${NEW_OWNER}`;
  const ofNewOwner = (item: string, { lt, seqno }: Mined) => ({
    _id: `${NEW_KEY}/${item}/${OWNER}`,
    newOwner: NEW_KEY,
    item,
    lt: pad(lt),
    seqno,
  });

  it('has the item for the new owner, by the newest transfer, whatever arrives first', async () => {
    const transfers = [first, third].map(mined =>
      having(mined, 'tail', { outMessages: [sent(ITEM, NEW_OWNER), sent(OTHER_ITEM, OWNER)] }),
    );
    const sentItem = (item: string) => ({
      _id: `${KEY}/${item}`,
      account: KEY,
      item,
      lt: pad(third.lt),
      isSent: true,
      seqno: third.seqno,
    });
    for (const records of [transfers, [...transfers].reverse()])
      await given(tonNftsProjection(tonDecoder), onTheLog(records)).then({
        ton_nfts: [sentItem(OTHER_ITEM), sentItem(ITEM)],
        ton_nft_transfers: [
          {
            ...ofNewOwner(OTHER_ITEM, third),
            _id: `${KEY}/${OTHER_ITEM}/${OWNER}`,
            newOwner: KEY,
          },
          ofNewOwner(ITEM, third),
        ],
      });
  });

  it('has nothing of one that notifies the new owner', async () => {
    const notifying = message(OWNER, ITEM, 'transfer', { newOwner: NEW_OWNER, forwardAmount: '1' });
    const own = { _id: `${KEY}/${ITEM}`, account: KEY, item: ITEM, isSent: true };
    await given(
      tonNftsProjection(tonDecoder),
      onTheLog([having(first, 'tail', { outMessages: [notifying] })]),
    ).then({
      ton_nfts: [{ ...own, lt: pad(first.lt), seqno: first.seqno }],
    });
  });

  it('has it also from the transaction of the item, unless that has failed or the message came back', async () => {
    const carriedOut = (bounced = false) =>
      message(ITEM, OWNER, 'transfer', { newOwner: NEW_OWNER, bounced });
    const records = [
      having(first, 'tail', { inMessage: carriedOut() }),
      having(second, 'tail', { inMessage: carriedOut(), success: false }),
      having(third, 'tail', { inMessage: carriedOut(true) }),
    ];
    await given(tonNftsProjection(tonDecoder), onTheLog(records)).then({
      ton_nft_transfers: [ofNewOwner(OWNER, first)],
    });
  });
});
