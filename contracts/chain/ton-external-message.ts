import { rootOfSmallBag } from './ton-cells';

/** Of an external message (configuration parameter 43: `max_ext_msg_size`). */
export const MAX_EXTERNAL_MESSAGE_BYTES = 65_535;

const EXTERNAL_IN = 2;
const WORKCHAINS: ReadonlySet<number> = new Set([0, -1]);

/** Whether a bag of cells is one external message to an account (`ext_in_msg_info$10` of block.tlb). Reads the header alone. */
export function isExternalMessage(boc: Buffer): boolean {
  if (boc.length > MAX_EXTERNAL_MESSAGE_BYTES) return false;
  const header = rootOfSmallBag(boc);
  if (!header) return false;
  try {
    if (header.loadUint(2) !== EXTERNAL_IN) return false;
    header.loadMaybeExternalAddress();
    const { workChain } = header.loadAddress();
    header.loadCoins();
    return WORKCHAINS.has(workChain);
  } catch {
    return false;
  }
}
