import { reaches } from '../../../contracts/ledger-tree/anchor';
import { inTime } from '../../../contracts/retry/in-time';
import { walletV5 } from '../../wallet-v5/wallet-v5';
import { anchorsOfWallet, type RecordedAnchor } from './anchors';
import type { AnchorDeps } from './deps';
import { record } from './record';

/** A source of blocks that is slow does not hold up the next head for longer. */
const PROVE_MS = 60_000;
/** The newest anchors of the wallet of which one is proven further that was not before. */
const MAX_LOOKED_AT = 100;

/**
 * Proves anchors of the wallet up to the masterchain that are not yet, the newest first: as many as there is time for, the rest in a
 * later job. Without a source of blocks none is.
 */
export async function proveFurther(
  deps: Pick<AnchorDeps, 'network' | 'key' | 'store' | 'handle' | 'clock' | 'proofOf' | 'proveMs'>,
  signal: AbortSignal,
): Promise<void> {
  const { network, key, store, proofOf, proveMs = PROVE_MS } = deps;
  if (!proofOf) return;
  const account = walletV5(key.publicKey, network).address.toRawString();
  await inTime({ timeoutMs: proveMs, signal }, async ending => {
    for await (const { anchor, count, seqno } of unproven(anchorsOfWallet(store, network, account))) {
      if (ending.aborted) return;
      const { transaction, proof } = anchor;
      const further = await proofOf(transaction, ending);
      if (further && !reaches(proof, further.level))
        await record(deps, account, {
          type: 'recordProof',
          of: { network, account, count, seqno },
          proof: further,
        });
    }
  });
}

async function* unproven(anchors: AsyncIterable<RecordedAnchor>): AsyncGenerator<RecordedAnchor> {
  let looked = 0;
  for await (const recorded of anchors) {
    if ((looked += 1) > MAX_LOOKED_AT) return;
    if (!recorded.isTakenBack && !reaches(recorded.anchor.proof, 'masterchain')) yield recorded;
  }
}
