import type { TonBlockRef, TonClient } from '../../contracts/ports/ton-client';
import type { Relayer } from './deps';

const reads = new WeakMap<object, Promise<TonBlockRef>>();

/** One read serves all that ask while it is under way. */
function newestBlock(client: Pick<TonClient, 'getLastBlock'>): Promise<TonBlockRef> {
  const reading = reads.get(client) ?? client.getLastBlock().finally(() => reads.delete(client));
  reads.set(client, reading);
  return reading;
}

/**
 * The relayer with the newest block as it is now: all that one estimate or one send reads is of the same moment, and what several
 * checks need is read once.
 */
export async function snapshotOf(relayer: Relayer): Promise<Relayer> {
  const { client, emulator } = relayer;
  const block = await newestBlock(client);
  return {
    ...relayer,
    client: {
      ...client,
      getLastBlock: () => Promise.resolve(block),
      getJettonWallet: (master, owner) => emulator.jettonWalletOf(master, owner, block),
    },
  };
}
