import type { Relayer } from '../deps';
import type { JettonMessage } from './jetton-message';

/**
 * Smallest units in the jetton wallet that a transfer is asked of. Null for a mintless jetton that the same transfer claims: what
 * can be claimed is not there yet.
 * @throws CannotEmulate
 */
export async function jettonBalance(
  { client, emulator }: Pick<Relayer, 'client' | 'emulator'>,
  { to, transfer }: JettonMessage,
): Promise<bigint | null> {
  return transfer.customPayload ? null : emulator.jettonsIn(to, await client.getLastBlock());
}
