import type { GaslessSendAccepted } from '../../../contracts/events/gasless-send';

type Accepted = GaslessSendAccepted['data'];

/** Of a message of the relay wallet. A wallet v5 could send 255; a network takes 64 KiB, which is some hundred of the usual ones. */
export const MAX_REQUESTS = 50;
/** Of their bags of cells together: what the relay wallet adds to them fits in the rest. */
const MAX_BYTES = 48 * 1_024;

/**
 * What the next message of the relay wallet sends on, in the order of the requests: a wallet at most once, since nobody knows
 * whether it carries out the first when the second is signed for.
 * @param coins nanotons that may be attached to all of them together
 */
export function batchOf(requests: readonly Accepted[], coins: bigint): readonly Accepted[] {
  const batch: Accepted[] = [];
  const wallets = new Set<string>();
  let [left, bytes] = [coins, 0];
  for (const request of requests) {
    if (batch.length === MAX_REQUESTS) break;
    const [attached, size] = [BigInt(request.attached), bytesOf(request)];
    const fits = attached <= left && (bytes + size <= MAX_BYTES || batch.length === 0);
    if (!fits || wallets.has(request.wallet)) continue;
    batch.push(request);
    wallets.add(request.wallet);
    left -= attached;
    bytes += size;
  }
  return batch;
}

/** Of texts in base64. */
function bytesOf({ body, init }: Accepted): number {
  const texts = init ? [body, init.code, init.data] : [body];
  return texts.reduce((bytes, text) => bytes + Math.ceil((text.length * 3) / 4), 0);
}
