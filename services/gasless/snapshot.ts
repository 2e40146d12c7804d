import type { Relayer } from './deps';

/**
 * The relayer with the newest block as it is now: all that one estimate or one send reads is of the same moment, and what several
 * checks need is read once.
 */
export async function snapshotOf(relayer: Relayer): Promise<Relayer> {
  const block = await relayer.client.getLastBlock();
  return { ...relayer, client: { ...relayer.client, getLastBlock: () => Promise.resolve(block) } };
}
