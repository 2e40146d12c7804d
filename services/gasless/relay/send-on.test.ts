import { beginCell, Cell, toNano } from '@ton/core';
import { keyPairFromSeed, sign } from '@ton/crypto';
import { gaslessSendStream } from '../../../contracts/events/gasless-send';
import { InMemoryEventStore } from '../../../test/doubles/event-store';
import { silent } from '../../../test/devnet/ton';
import { createHandle } from '../../commands/handle';
import { load } from '../../commands/load';
import { walletV5 } from '../../wallet-v5/wallet-v5';
import type { Relayer } from '../deps';
import { gaslessSendKind } from '../send/decider';
import { sendOn } from './send-on';

const VALID_UNTIL = 1_000_000;
const WALLET = `0:${'1'.repeat(64)}`;
const keys = keyPairFromSeed(Buffer.alloc(32, 1));
const contract = walletV5(keys.publicKey, 'testnet');
const ref = { network: 'testnet', wallet: WALLET, seqno: 3 } as const;

function dataWith(seqno: number): Cell {
  const initial = contract.init.data.beginParse();
  const isSignatureAllowed = initial.loadBit();
  initial.loadUint(32);
  return beginCell().storeBit(isSignatureAllowed).storeUint(seqno, 32).storeSlice(initial).endCell();
}

/** A relayer whose node has a block. @param now Unix seconds @param seqno of the relay wallet in it */
const relayerAt = (now: number, seqno = 0) =>
  ({
    network: 'testnet',
    client: {
      getLastBlock: async () => ({ seqno: now, now }),
      getBlockAt: async () => null,
      getAccount: async () => ({ code: contract.init.code, data: dataWith(seqno), balance: toNano(10) }),
      sendMessage: async (message: Buffer) => void sent.push(message),
    },
    key: { publicKey: keys.publicKey, sign: (hash: Buffer) => sign(hash, keys.secretKey) },
    minBalance: toNano(1),
  }) as unknown as Relayer;

let sent: Buffer[] = [];
let store: InMemoryEventStore;
beforeEach(async () => {
  sent = [];
  store = new InMemoryEventStore();
  await createHandle({ store })(gaslessSendKind, gaslessSendStream(ref), {
    type: 'accept',
    request: {
      ...ref,
      bodyHash: 'b',
      carrierHash: 'c',
      hashes: [],
      quoteKey: 'q',
      source: 's',
      relay: 'r',
      master: 'm',
      destination: 'd',
      amount: '1',
      commission: '1',
      attached: '3',
      loss: '4',
      rate: { units: '1', nanotons: '1' },
      body: new Cell().toBoc().toString('base64'),
      init: null,
      validUntil: VALID_UNTIL,
    },
    metadata: { now: '2026-11-28T12:00:00.000Z', actor: 'gasless' },
  });
});

/** @param clock Unix seconds on the machine of the worker */
const workOn = (
  relayer: Relayer,
  reading: Pick<InMemoryEventStore, 'readStream'> = store,
  clock = VALID_UNTIL - 100,
) =>
  sendOn(
    {
      store: reading,
      handle: createHandle({ store }),
      clock: () => new Date(clock * 1_000),
      logger: silent,
    },
    relayer,
    [ref],
  );
const step = async () => (await load(store, gaslessSendKind, gaslessSendStream(ref)))?.step;

it('what one worker sends on is not taken for expired by another, which is a block ahead', async () => {
  let isBehindAtWork = true;
  const ahead = {
    async *readStream(...asked: Parameters<InMemoryEventStore['readStream']>) {
      const isOfRequest = asked[0] === gaslessSendStream(ref);
      if (isOfRequest && isBehindAtWork) await workOn(relayerAt(VALID_UNTIL - 11));
      if (isOfRequest) isBehindAtWork = false;
      yield* store.readStream(...asked);
    },
  };
  await workOn(relayerAt(VALID_UNTIL - 9), ahead);
  await workOn(relayerAt(VALID_UNTIL - 6, 1));
  expect(await step()).toBe('relayed');
});

it('of two workers that sign at the same time only the one whose message is recorded sends it', async () => {
  let isFirst = true;
  const later = {
    async *readStream(...asked: Parameters<InMemoryEventStore['readStream']>) {
      const isOfRequest = asked[0] === gaslessSendStream(ref);
      if (isOfRequest && isFirst) {
        isFirst = false;
        await workOn(relayerAt(VALID_UNTIL - 100));
      }
      yield* store.readStream(...asked);
    },
  };
  await workOn(relayerAt(VALID_UNTIL - 99), later);
  expect(sent).toHaveLength(1);
});

it('until a block after its expiry does not have a message, it is sent again, and no other is signed', async () => {
  const open = relayerAt(VALID_UNTIL - 200);
  await workOn(open, store, VALID_UNTIL - 200);
  // It is valid for two minutes, and looked for a minute longer.
  const expired = relayerAt(VALID_UNTIL - 200 + 181);
  await workOn(expired);
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
  const client = { ...expired.client, getBlockAt: async () => VALID_UNTIL - 200 + 180 };
  await workOn({ ...expired, client });
  expect(sent).toHaveLength(3);
  expect(sent[2]).not.toEqual(sent[0]);
});

it('what would leave less than the minimum in the relay wallet waits for coins', async () => {
  const relayer = relayerAt(VALID_UNTIL - 100);
  await workOn({ ...relayer, minBalance: toNano(10) - 2n });
  expect([await step(), sent]).toEqual(['accepted', []]);
  await workOn({ ...relayer, minBalance: toNano(10) - 3n });
  expect(sent).toHaveLength(1);
});

it('what is about to expire is not sent on, and has expired once no wallet carries it out any more', async () => {
  expect(await workOn(relayerAt(VALID_UNTIL - 9))).toEqual([]);
  expect(await step()).toBe('accepted');
  expect(await workOn(relayerAt(VALID_UNTIL))).toEqual([ref]);
  expect(await step()).toBe('expired');
});

it('what has expired by a clock that is a minute off at most is not sent on by a node that is behind', async () => {
  const behind = relayerAt(VALID_UNTIL - 200);
  expect(await workOn(behind, store, VALID_UNTIL + 51)).toEqual([]);
  expect([await step(), sent]).toEqual(['accepted', []]);
  expect(await workOn(relayerAt(VALID_UNTIL), store, VALID_UNTIL + 52)).toEqual([ref]);
  expect(await step()).toBe('expired');
});

it.each([
  ['ahead', 60],
  ['behind', -60],
])('a clock that is a minute %s does not keep a request from being sent on', async (_, skew) => {
  await workOn(relayerAt(VALID_UNTIL - 11), store, VALID_UNTIL - 11 + skew);
  expect(sent).toHaveLength(1);
});
