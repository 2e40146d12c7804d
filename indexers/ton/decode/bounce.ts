import type { Cell, Slice } from '@ton/core';
import type { TonBounce } from '../../../contracts/chain/ton-transaction';

const LEGACY = 0xffffffff;
/** `new_bounce_body` of block.tlb, since version 12 of the network. */
const SINCE_VERSION_12 = 0xfffffffe;

const PHASES = ['compute_skipped', 'compute', 'action'] as const;

export interface BouncedBody {
  /** What is returned of the body of the message: its first 256 bits, its root, or the whole. */
  readonly returned: Slice;
  readonly bounce: TonBounce | null;
}

/**
 * Reads the body of a bounced message. Since version 12:
 * `new_bounce_body#fffffffe original_body:^Cell original_info:^[value:CurrencyCollection created_lt:uint64
 * created_at:uint32] bounced_by_phase:uint8 exit_code:int32 compute_phase:(Maybe [gas_used:uint32 vm_steps:uint32])`.
 * Null for anything else.
 */
export function bouncedBody(body: Cell): BouncedBody | null {
  if (body.isExotic || body.bits.length < 32) return null;
  const slice = body.beginParse();
  const marker = slice.loadUint(32);
  if (marker === LEGACY) return { returned: slice, bounce: null };
  if (marker !== SINCE_VERSION_12) return null;
  try {
    const original = slice.loadRef();
    if (original.isExotic) return null;
    const info = slice.loadRef().beginParse();
    const value = info.loadCoins().toString();
    info.loadMaybeRef(); // extra currencies
    const createdLt = info.loadUintBig(64).toString();
    const createdAt = info.loadUint(32);
    const phase = PHASES[slice.loadUint(8)] ?? 'unknown';
    const exitCode = slice.loadInt(32);
    return { returned: original.beginParse(), bounce: { phase, exitCode, value, createdLt, createdAt } };
  } catch {
    return null;
  }
}
