import { gaslessSendStream, type GaslessSendRef } from '../../../contracts/events/gasless-send';
import { load } from '../../commands/load';
import type { GaslessDeps, Relayer } from '../deps';
import { gaslessSendKind } from './decider';

/**
 * Whether what the wallet (raw) did last was a request of this relayer, all of which has arrived. One that was skipped in part may
 * still be on its way.
 * @param seqno of the wallet now
 */
export async function hasArrived(
  { store }: Pick<GaslessDeps, 'store'>,
  { network, wallet, seqno }: GaslessSendRef,
): Promise<boolean> {
  if (seqno === 0) return true;
  const last = await load(store, gaslessSendKind, gaslessSendStream({ network, wallet, seqno: seqno - 1 }));
  return last?.step === 'confirmed';
}

/**
 * Whether the wallet (raw) has carried out nothing for so long that all has arrived which it sent. What another request of its
 * owner sends may still be on its way between shards: the newest states have jettons then that it takes, an emulation succeeds,
 * and the transfer does not.
 */
export async function isSettled(
  { client, maxDeliverySeconds }: Pick<Relayer, 'client' | 'maxDeliverySeconds'>,
  wallet: string,
): Promise<boolean> {
  if (maxDeliverySeconds === 0) return true;
  const newest = await client.getLastBlock();
  const earlier = await client.getBlockAt(newest.now - maxDeliverySeconds);
  if (earlier === null) return false;
  const [before, now] = await Promise.all([
    client.getAccount(earlier, wallet),
    client.getAccount(newest.seqno, wallet),
  ]);
  return before.data !== null && now.data !== null && before.data.equals(now.data);
}
