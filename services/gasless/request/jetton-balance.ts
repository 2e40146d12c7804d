import { GetMethodFailed } from '../../../contracts/ports/ton-client';
import type { Relayer } from '../deps';
import type { JettonMessage } from './jetton-message';

/**
 * Smallest units in the jetton wallet that a transfer is asked of. Null for a mintless jetton that the same transfer claims: what
 * can be claimed is not there yet.
 */
export async function jettonBalance(
  { client }: Pick<Relayer, 'client'>,
  { to, transfer }: JettonMessage,
): Promise<bigint | null> {
  if (transfer.customPayload) return null;
  try {
    const { seqno } = await client.getLastBlock();
    return (await client.runMethod(seqno, to, 'get_wallet_data')).readBigNumber();
  } catch (error) {
    if (error instanceof GetMethodFailed) return 0n;
    throw error;
  }
}
