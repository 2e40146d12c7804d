import fc from 'fast-check';
import { decodeTonMessage, encodeTonMessage, type TonTransactionMessage } from '../../../contracts/chain/ton';
import type { JettonOperation, JettonWallets } from '../../../contracts/chain/ton-jetton';
import type { TonMessage } from '../../../contracts/chain/ton-transaction';
import { tonDecoder } from '../../../indexers/ton/decode/decode';
import { toUnverifiedRecord } from '../../../indexers/ton/records';
import { given } from '../../../test/contracts/projection';
import { runs } from '../../../test/random';
import { onTheLog } from '../../../test/ton/log-messages';
import { accountAt, ScriptedChain } from '../../../test/ton/scripted-chain';
import { tonJettonsProjection } from './projection';

const OWNER = accountAt(1);
const KEY = `ton:mainnet:${OWNER}`;
const [WALLET, OTHER_WALLET, MASTER, STRANGER] = [5, 6, 7, 8].map(accountAt) as [
  string,
  string,
  string,
  string,
];
const pad = (lt: string): string => lt.padStart(20, '0');

const chain = new ScriptedChain();
for (let n = 0; n < 3; n++) chain.mine({ accounts: [OWNER] });
const [first, second, third] = chain.transactions.get(OWNER)! as [Mined, Mined, Mined];
type Mined = NonNullable<ReturnType<(typeof chain)['transactions']['get']>>[number];

const transferTo = (wallet: string, forwardAmount = '1'): TonMessage =>
  ({
    info: { type: 'internal', src: OWNER, dest: wallet, value: '1' },
    jetton: {
      type: 'transfer',
      amount: '5',
      destination: STRANGER,
      forwardAmount,
    } as unknown as JettonOperation,
  }) as unknown as TonMessage;

/** The transaction as if it had sent these messages. */
function sending(
  { cell, lt, hash, seqno }: Mined,
  origin: 'tail' | 'backfill',
  jettonWallets: JettonWallets,
  outMessages: readonly TonMessage[] = [],
): Buffer {
  const at = { network: 'mainnet', account: OWNER, seqno: origin === 'tail' ? seqno : null, origin } as const;
  const message = decodeTonMessage(
    toUnverifiedRecord(cell, { lt, hash }, at).message.value,
  ) as TonTransactionMessage;
  return encodeTonMessage({
    ...message,
    jettonWallets,
    transaction: { ...message.transaction, outMessages },
  });
}

const own = { master: MASTER, owner: OWNER };

it('keeps the wallets of the owner with their newest use, whatever arrives first and how often', async () => {
  const records = [
    sending(first, 'backfill', { [WALLET]: own }),
    sending(second, 'tail', { [WALLET]: own }, [transferTo(WALLET)]),
    sending(third, 'tail', { [WALLET]: own, [OTHER_WALLET]: own }),
    sending(third, 'backfill', { [WALLET]: own, [OTHER_WALLET]: null }),
  ];
  const arrivals = fc
    .shuffledSubarray(records, { minLength: records.length })
    .chain(list => fc.tuple(fc.constant(list), fc.shuffledSubarray(records)))
    .map(([list, again]) => [...list, ...again]);
  await fc.assert(
    fc.asyncProperty(arrivals, async list =>
      given(tonJettonsProjection(tonDecoder), onTheLog(OWNER, list)).then({
        ton_jettons: [OTHER_WALLET, WALLET].map(wallet => ({
          _id: `${KEY}/${wallet}`,
          network: 'mainnet',
          account: KEY,
          wallet,
          master: MASTER,
          lt: pad(third.lt),
          seqno: third.seqno,
        })),
        ton_jetton_transfers: [
          { _id: `${KEY}/${WALLET}/${pad(second.lt)}`, jetton: `${KEY}/${WALLET}`, lt: pad(second.lt) },
        ],
      }),
    ),
    runs(4),
  );
});

it('has neither what no master confirmed nor the wallets of others', async () => {
  const wallets = { [WALLET]: null, [OTHER_WALLET]: { master: MASTER, owner: STRANGER } };
  const messages = [WALLET, OTHER_WALLET].flatMap(wallet => [transferTo(wallet), transferTo(wallet, '0')]);
  await given(
    tonJettonsProjection(tonDecoder),
    onTheLog(OWNER, [sending(first, 'tail', wallets, messages)]),
  ).then({});
});

it('has what was sent without a notification for its receiver, by the newest transfer, whatever arrives first', async () => {
  const records = [first, third].map(mined =>
    sending(mined, 'tail', { [WALLET]: own }, [transferTo(WALLET, '0')]),
  );
  const receipt = {
    _id: `ton:mainnet:${STRANGER}/${MASTER}/${OWNER}`,
    receiver: `ton:mainnet:${STRANGER}`,
    master: MASTER,
    lt: pad(third.lt),
    seqno: third.seqno,
  };
  for (const list of [records, [...records].reverse()])
    await given(tonJettonsProjection(tonDecoder), onTheLog(OWNER, list)).then({
      ton_jettons: [expect.objectContaining({ wallet: WALLET })],
      ton_jetton_transfers: [first, third].map(({ lt }) => ({
        _id: `${KEY}/${WALLET}/${pad(lt)}`,
        jetton: `${KEY}/${WALLET}`,
        lt: pad(lt),
      })),
      ton_jetton_receipts: [receipt],
    });
});
