import { gaslessRelayEvents, gaslessRelayStream } from '../../../contracts/events/gasless-relay';
import { gaslessSendStream } from '../../../contracts/events/gasless-send';
import type { TonNetwork } from '../../../contracts/network/network';
import type { GaslessDeps } from '../deps';
import { gaslessSendKind } from '../send/decider';

/** The first seqno of a relay wallet (raw) whose message is not on the chain, and can never be. */
interface Gone {
  readonly network: TonNetwork;
  readonly relay: string;
  readonly seqno: number;
}

/** Whatever the messages from that seqno on have sent waits to be sent on again: a fork has taken it back. */
export async function takeBackFrom(
  { store, handle, clock }: Pick<GaslessDeps, 'store' | 'handle' | 'clock'>,
  { network, relay, seqno: first }: Gone,
): Promise<void> {
  const stream = gaslessRelayStream(network, relay);
  for await (const recorded of store.readStream(stream, { direction: 'backwards' })) {
    const { type, data } = gaslessRelayEvents.read(recorded);
    if (data.seqno < first) return;
    if (type === 'GaslessRelayMessageExpired') continue;
    const { messageHash } = data;
    for (const { wallet, seqno, bodyHash } of data.requests)
      await handle(gaslessSendKind, gaslessSendStream({ network, wallet, seqno }), {
        type: 'recordUnsent',
        bodyHash,
        messageHash,
        metadata: { now: clock().toISOString(), actor: 'gasless' },
      });
  }
}
