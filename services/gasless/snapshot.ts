import type { Relayer } from './deps';

/**
 * The relayer with the newest block as it is now: all that one estimate or one send reads is of the same moment, and what several
 * checks need is read once.
 */
export async function snapshotOf(relayer: Relayer): Promise<Relayer> {
  const { client, emulator } = relayer;
  const block = await client.getLastBlock();
  return {
    ...relayer,
    client: {
      ...client,
      getLastBlock: () => Promise.resolve(block),
      getJettonWallet: (master, owner) => emulator.jettonWalletOf(master, owner, block),
    },
  };
}
