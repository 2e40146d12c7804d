import { gaslessSendStream } from '../../../contracts/events/gasless-send';
import { load } from '../../commands/load';
import type { GaslessDeps, Relayer } from '../deps';
import { gaslessSendKind, type SendStep } from './decider';

/** Of a request of this relayer: all that it sends has arrived. */
const ARRIVED: readonly SendStep[] = ['confirmed', 'skipped'];

/**
 * Whether what the wallet (raw) did last has arrived everywhere. What another request of its owner sends may still be on its way
 * between shards: the newest states have jettons then that it takes, an emulation succeeds, and the transfer does not.
 * @param seqno of the wallet now
 */
export async function isSettled(
  { store }: Pick<GaslessDeps, 'store'>,
  { network, client, maxDeliverySeconds }: Pick<Relayer, 'network' | 'client' | 'maxDeliverySeconds'>,
  { wallet, seqno }: { readonly wallet: string; readonly seqno: number },
): Promise<boolean> {
  if (seqno === 0 || maxDeliverySeconds === 0) return true;
  const last = gaslessSendStream({ network, wallet, seqno: seqno - 1 });
  const relayed = await load(store, gaslessSendKind, last);
  if (relayed && ARRIVED.includes(relayed.step)) return true;

  const newest = await client.getLastBlock();
  const earlier = await client.getBlockAt(newest.now - maxDeliverySeconds);
  if (earlier === null) return false;
  const [before, now] = await Promise.all([
    client.getAccount(earlier, wallet),
    client.getAccount(newest.seqno, wallet),
  ]);
  return before.data !== null && now.data !== null && before.data.equals(now.data);
}
