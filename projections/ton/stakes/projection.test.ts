import { beginCell, comment, type Cell } from '@ton/core';
import fc from 'fast-check';
import {
  decodeTonMessage,
  encodeTonMessage,
  TON_MESSAGE_VERSION,
  type TonTransactionMessage,
} from '../../../contracts/chain/ton';
import type { TonMessage } from '../../../contracts/chain/ton-transaction';
import { tonDecoder } from '../../../indexers/ton/decode/decode';
import { toUnverifiedRecord } from '../../../indexers/ton/records';
import { given } from '../../../test/contracts/projection';
import { runs } from '../../../test/random';
import { onTheLog, retraction } from '../../../test/ton/log-messages';
import { accountAt, ScriptedChain } from '../../../test/ton/scripted-chain';
import { tonStakesProjection } from './projection';

const MEMBER = accountAt(1);
const KEY = `ton:mainnet:${MEMBER}`;
const POOL = accountAt(5);
const pad = (lt: string): string => lt.padStart(20, '0');

const chain = new ScriptedChain();
for (let n = 0; n < 3; n++) chain.mine({ accounts: [MEMBER] });
type Mined = NonNullable<ReturnType<(typeof chain)['transactions']['get']>>[number];
const [first, second, third] = chain.transactions.get(MEMBER)! as [Mined, Mined, Mined];

/** @param op as it was decoded */
const message = (
  { src, dest }: { readonly src: string; readonly dest: string },
  body: Cell,
  of: { readonly op?: number; readonly comment?: string; readonly bounced?: boolean },
): TonMessage =>
  ({
    hash: `${src} ${body.hash().toString('hex')}`,
    op: of.op ?? 0,
    comment: of.comment ?? null,
    body: body.toBoc().toString('base64'),
    info: {
      type: 'internal',
      src,
      dest,
      value: '7',
      fwdFee: '3',
      createdLt: '11',
      createdAt: 12,
      bounced: of.bounced ?? false,
    },
  }) as unknown as TonMessage;

const binary = (op: number, queryId: number): Cell =>
  beginCell().storeUint(op, 32).storeUint(queryId, 64).storeCoins(100_000).storeCoins(1).endCell();
const [toPool, fromPool] = [
  { src: MEMBER, dest: POOL },
  { src: POOL, dest: MEMBER },
];

function transaction(
  { cell, lt, hash, seqno }: Mined,
  outMessages: readonly TonMessage[],
  inMessage: TonMessage | null = null,
): Buffer {
  const at = { network: 'mainnet', account: MEMBER, seqno, origin: 'tail' } as const;
  const decoded = decodeTonMessage(
    toUnverifiedRecord(cell, { lt, hash }, at).message.value,
  ) as TonTransactionMessage;
  return encodeTonMessage({ ...decoded, transaction: { ...decoded.transaction, outMessages, inMessage } });
}

const backfilled = encodeTonMessage({
  type: 'backfilled',
  version: TON_MESSAGE_VERSION,
  network: 'mainnet',
  account: MEMBER,
  downTo: '0',
  watch: 1,
});
const reached = (newest: Mined | null, isWhole = false) => ({
  _id: KEY,
  backfilled: isWhole ? 1 : 0,
  reached: null,
  newest: newest && pad(newest.lt),
  hash: newest && newest.hash,
});
const projection = () => tonStakesProjection(tonDecoder);

it('has what a member asked of pools and what they answered, whatever arrives first and how often', async () => {
  const [deposit, withdrawal] = [binary(0x7bcd1fef, 8), comment('Withdraw')];
  const receipt = comment('Withdraw requested. Please, retry the command when your balance is ready.');
  const records = [
    transaction(first, [
      message(toPool, deposit, { op: 0x7bcd1fef }),
      message(toPool, withdrawal, { comment: 'Withdraw' }),
    ]),
    transaction(
      second,
      [],
      message(fromPool, receipt, { comment: receipt.beginParse().skip(32).loadStringTail() }),
    ),
    transaction(third, []),
    backfilled,
  ];
  const arrivals = fc
    .shuffledSubarray(records, { minLength: records.length })
    .chain(list => fc.tuple(fc.constant(list), fc.shuffledSubarray(records)))
    .map(([list, again]) => [...list, ...again]);
  const request = { pool: POOL, value: '7' };
  await fc.assert(
    fc.asyncProperty(arrivals, async list =>
      given(projection(), onTheLog(MEMBER, list)).then({
        ton_stakes_reached: [reached(third, true)],
        ton_stake_transactions: [
          {
            _id: `${KEY}/${pad(first.lt)}`,
            lt: first.lt,
            hash: first.hash,
            answer: null,
            time: expect.any(Number),
            decoder: tonDecoder.version,
            requests: [
              {
                ...request,
                type: 'deposit',
                trigger: 'payload',
                queryId: '8',
                message: expect.any(String),
              },
              {
                ...request,
                type: 'withdraw',
                trigger: 'comment',
                queryId: null,
                message: expect.any(String),
              },
            ],
          },
          {
            _id: `${KEY}/${pad(second.lt)}`,
            lt: second.lt,
            hash: second.hash,
            requests: [],
            time: expect.any(Number),
            decoder: tonDecoder.version,
            answer: {
              pool: POOL,
              type: 'withdraw',
              queryId: null,
              refused: false,
              message: expect.any(String),
              value: '7',
              fwdFee: '3',
              createdLt: '11',
              createdAt: 12,
            },
          },
        ],
      }),
    ),
    runs(4),
  );
});

it.each([
  [
    'the receipt of a deposit by its text',
    comment('Stake 100.5 accepted'),
    { comment: 'Stake 100.5 accepted' },
    { type: 'deposit', queryId: null },
  ],
  [
    'the receipt of a withdrawal',
    binary(0x23d421e1, 9),
    { op: 0x23d421e1 },
    { type: 'withdraw', queryId: '9' },
  ],
  ['that who is put out is paid', binary(0x7ad0b942, 9), { op: 0x7ad0b942 }, { type: 'kick', queryId: '9' }],
  [
    'a deposit that came back',
    beginCell().storeUint(0xffffffff, 32).storeUint(0x7bcd1fef, 32).storeUint(10, 64).endCell(),
    { op: 0x7bcd1fef, bounced: true },
    { type: 'deposit', queryId: '10', refused: true },
  ],
])('recognises %s', async (_, body, of, expected) => {
  await given(projection(), onTheLog(MEMBER, [transaction(first, [], message(fromPool, body, of))])).then({
    ton_stakes_reached: [reached(first)],
    ton_stake_transactions: [expect.objectContaining({ answer: expect.objectContaining(expected) })],
  });
});

it.each([
  ['a payment', comment('deposit'), { comment: 'deposit' }],
  ['a donation', comment('Airdrop'), { comment: 'Airdrop' }],
  ['another operation', binary(0x47bbe425, 1), { op: 0x47bbe425 }],
])('has nothing of %s', async (_, body, of) => {
  const records = [transaction(first, [message(toPool, body, of)], message(fromPool, body, of))];
  await given(projection(), onTheLog(MEMBER, records)).then({ ton_stakes_reached: [reached(first)] });
});

it('takes back what was retracted, and the claim that all is known', async () => {
  const records = [
    transaction(first, [message(toPool, binary(0x7bcd1fef, 8), { op: 0x7bcd1fef })]),
    backfilled,
    retraction(MEMBER, first),
  ];
  await given(projection(), onTheLog(MEMBER, records)).then({ ton_stakes_reached: [reached(null)] });
});
