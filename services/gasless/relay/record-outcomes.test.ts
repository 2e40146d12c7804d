import type { TonTrace } from '../../../contracts/chain/ton-trace';
import { MESSAGE_HASH, RELAY_SEQNO, REQUEST, STORE_OF_REQUEST } from '../../../test/gasless/relayed-request';
import type { Handle } from '../../commands/handle';
import { recordOutcomes } from './record-outcomes';

const { wallet, seqno, bodyHash } = REQUEST;
const about = { network: 'testnet' as const, relay: 'r', requests: [{ wallet, seqno, bodyHash }] };

const done: NonNullable<TonTrace['messages'][number]['transaction']> = {
  lt: '5',
  hash: 'h',
  time: 1,
  success: true,
  exitCode: 0,
  fees: '1',
  deployed: false,
};
const message = (parent: number | null, src: string, dest: string): TonTrace['messages'][number] => ({
  hash: `${parent}-${dest}`,
  parent,
  src,
  dest,
  createdLt: '1',
  value: '1',
  fwdFee: '1',
  bounced: parent !== null,
  op: 1,
  transaction: done,
  jetton: null,
});

/** A transaction that the relay wallet has made of a message that its key has signed. */
const signedAs = (walletSeqno: number | null, hash: string, time = 2_000_000_000) => ({
  time,
  prev: '1',
  decoded: () => ({ walletSeqno, external: { hash: Buffer.from(hash, 'hex').toString('base64') } }),
});

/**
 * Of a request that was sent on.
 * @param sentTo by the transaction of the relay wallet; null while that is not known
 * @param made transactions of the relay wallet that are known, newest first
 */
async function outcomes(
  sentTo: readonly string[] | null,
  trace: TonTrace | null,
  { hash = MESSAGE_HASH, made = [] as ReturnType<typeof signedAs>[] } = {},
) {
  const commands: unknown[] = [];
  const outMessages = (sentTo ?? []).map(dest => ({ info: { type: 'internal', dest } }));
  const unknown = await recordOutcomes(
    {
      store: STORE_OF_REQUEST,
      handle: ((_kind: unknown, stream: string, { type }: { type: string }) => {
        commands.push([type, stream.split('-')[0], stream.split(':')[1]]);
        return Promise.resolve({ refusal: null, events: [type], state: null });
      }) as unknown as Handle,
      clock: () => new Date(0),
      transactionByHash: () =>
        Promise.resolve(sentTo && { account: 'r', lt: '3', hash: 'transaction', time: 1 }),
      transactions: {
        withLts: () => Promise.resolve(sentTo ? [{ outMessages } as never] : []),
        // A page each.
        page: (_network, _relay, { from }) => {
          const at = from === undefined ? 0 : Number(from);
          const page = made.slice(at, at + 1).map(entry => ({ ...entry, prev: String(at + 1) }));
          return Promise.resolve({
            transactions: page as never,
            isFull: true,
            hasMore: at + 1 < made.length,
          });
        },
      },
      traces: { places: () => Promise.resolve([{ trace, memberOf: null }]) },
    },
    { ...about, messageHash: hash, occasion: '' },
  );
  return { unknown, commands };
}

it('records what the trace shows', async () => {
  const trace: TonTrace = { state: 'complete', messages: [message(null, 'r', wallet)] };
  expect((await outcomes([wallet], trace)).commands).toContainEqual([
    'recordSkipped',
    'gaslessSend',
    wallet[0],
  ]);
});

it('has what the relay wallet did not send sent on again', async () =>
  expect(await outcomes(['another'], null)).toMatchObject({
    commands: [['recordUnsent', 'gaslessSend', '0']],
  }));

it('knows nothing before there is a trace', async () => {
  expect(await outcomes(null, null)).toEqual({ unknown: 1, commands: [] });
  expect(await outcomes([wallet], null)).toEqual({ unknown: 1, commands: [] });
});

it('leaves alone what another message sends on', async () =>
  expect(await outcomes([], null, { hash: 'another message' })).toEqual({ unknown: 0, commands: [] }));

const other = 'ab'.repeat(32);

it('has what another message of the key has taken the seqno of sent on again', async () => {
  const made = [signedAs(null, other), signedAs(RELAY_SEQNO + 1, other), signedAs(RELAY_SEQNO, other)];
  expect(await outcomes(null, null, { made })).toEqual({
    unknown: 0,
    commands: [['recordUnsent', 'gaslessSend', '0']],
  });
});

it.each([
  ['the message itself is there, by whose hash it is not found yet', [signedAs(RELAY_SEQNO, MESSAGE_HASH)]],
  ['only earlier ones are known', [signedAs(RELAY_SEQNO - 1, other), signedAs(RELAY_SEQNO, other)]],
  ['only later ones are known', [signedAs(RELAY_SEQNO + 1, other)]],
  ['it is older than the request', [signedAs(RELAY_SEQNO, other, 1)]],
])('knows nothing where %s', async (_, made) =>
  expect(await outcomes(null, null, { made })).toEqual({ unknown: 1, commands: [] }),
);
