import { TON_NETWORKS, type TonNetwork } from '../../../contracts/network/network';
import { sleep } from '../../../contracts/retry/retry';
import { messageOf } from '../../../contracts/text/error-message';
import type { Relayer } from '../deps';
import { sendOn, type SendOnDeps } from './send-on';

export interface FollowingDeps extends SendOnDeps {
  /** Null where the network has none. */
  relayer(network: TonNetwork): Relayer | null;
  /** Milliseconds between two looks; default a minute. */
  readonly followMs?: number;
}

const FOLLOW_MS = 60_000;

/**
 * Looks whether the last messages of relay wallets are on the chain, until the signal, also while nobody sends anything: a fork
 * may have taken back what was sent, and then it is sent on again.
 */
export async function keepFollowingRelays(
  { relayer, followMs = FOLLOW_MS, ...deps }: FollowingDeps,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    for (const network of TON_NETWORKS) {
      const found = relayer(network);
      if (!found) continue;
      await sendOn(deps, found, []).catch((error: unknown) => {
        deps.logger.warn({ network, reason: messageOf(error) }, 'relay wallet not looked at');
      });
    }
    await sleep(followMs, signal);
  }
}
