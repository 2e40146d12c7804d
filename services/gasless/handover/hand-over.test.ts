import { createHash } from 'node:crypto';
import { beginCell, external, internal, SendMode, storeMessage } from '@ton/core';
import { keyPairFromSeed, type KeyPair } from '@ton/crypto';
import { WalletContractV5R1 } from '@ton/ton';
import { TON_GLOBAL_IDS } from '../../../contracts/network/network';
import type { TonAccountState } from '../../../contracts/ports/ton-client';
import { InMemoryEventStore } from '../../../test/doubles/event-store';
import { createHandle } from '../../commands/handle';
import type { GaslessRefusal } from '../deps';
import { readCarrier } from '../request/carrier';
import { handOver } from './hand-over';

const NOW = 1_800_000_000;
const keyOf = (seed: string): KeyPair => keyPairFromSeed(createHash('sha256').update(seed).digest());
const [OWNER, STRANGER] = [keyOf('owner'), keyOf('stranger')];

/** A wallet of a key, of which there are many. */
function walletOf({ publicKey }: KeyPair, subwalletNumber = 0): WalletContractV5R1 {
  const context = { walletVersion: 'v5r1', workchain: 0, subwalletNumber } as const;
  return WalletContractV5R1.create({
    publicKey,
    walletId: { networkGlobalId: TON_GLOBAL_IDS.testnet, context },
  });
}

interface Posted {
  /** The wallet that it is posted for. */
  readonly wallet: WalletContractV5R1;
  /** The wallet that signs it; default the same. */
  readonly signedAs?: WalletContractV5R1;
  readonly key?: KeyPair;
  readonly withState?: boolean;
  readonly isOnChain?: boolean;
}

let store: InMemoryEventStore;
let sent: number;
let watched: number;
beforeEach(() => {
  store = new InMemoryEventStore();
  [sent, watched] = [0, 0];
});

async function post({ wallet, isOnChain = false, ...posted }: Posted): Promise<GaslessRefusal | null> {
  const { signedAs = wallet, key = OWNER, withState = !isOnChain } = posted;
  const body = await signedAs.createTransfer({
    authType: 'internal',
    seqno: 0,
    timeout: NOW + 300,
    secretKey: key.secretKey,
    sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
    messages: [internal({ to: wallet.address, value: 1n })],
  });
  const message = external({ to: wallet.address, init: withState ? wallet.init : null, body });
  const boc = beginCell().store(storeMessage(message)).endCell().toBoc();
  const account: Pick<TonAccountState, 'code' | 'data' | 'balance'> = {
    ...(isOnChain ? wallet.init : { code: null, data: null }),
    balance: 0n,
  };
  return handOver(
    {
      store,
      handle: createHandle({ store }),
      clock: () => new Date(NOW * 1_000),
      watch: () => Promise.resolve((watched += 1)),
      logger: { debug: () => undefined, error: () => undefined },
      client: () => ({
        getLastBlock: () => Promise.resolve({ seqno: 1, now: NOW } as never),
        getAccount: () => Promise.resolve(account as TonAccountState),
      }),
    },
    { send: () => Promise.resolve(void (sent += 1)) } as never,
    {
      network: 'testnet',
      publicKey: key.publicKey.toString('hex'),
      source: 'a',
      carrier: readCarrier(boc)!,
      boc: boc.toString('hex'),
    },
    { ip: '192.0.2.1' } as never,
  );
}

const places: readonly Pick<Posted, 'isOnChain'>[] = [{ isOnChain: true }, { isOnChain: false }];

it.each(places)('is for any wallet of the key, as the chain or the message says: %o', async place => {
  for (const subwallet of [0, 7])
    expect(await post({ wallet: walletOf(OWNER, subwallet), ...place })).toBeNull();
  expect(sent).toBe(2);
});

it.each(places)('nobody but the owner of a wallet has anything recorded of it: %o', async place => {
  const wallet = walletOf(OWNER);
  const forged = { wallet, key: STRANGER, ...place };
  for (const each of [forged, { ...forged, signedAs: walletOf(STRANGER) }])
    expect(await post(each)).toMatchObject({ error: 'try-later' });
  expect([sent, watched, store.stored.all.length]).toEqual([0, 0, 0]);
  expect(await post({ wallet, ...place })).toBeNull();
});

it('what the owner has signed as another wallet is for that one alone', async () => {
  expect(await post({ wallet: walletOf(OWNER), signedAs: walletOf(OWNER, 1) })).toMatchObject({
    error: 'try-later',
  });
  expect([sent, watched, store.stored.all.length]).toEqual([0, 0, 0]);
});

it('a wallet that neither the chain nor the message has belongs to nobody', async () => {
  expect(await post({ wallet: walletOf(OWNER), withState: false })).toMatchObject({ error: 'try-later' });
  expect([sent, watched, store.stored.all.length]).toEqual([0, 0, 0]);
});
