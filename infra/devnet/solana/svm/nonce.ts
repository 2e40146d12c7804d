import type { StoredAccount } from './account';
import { base58 } from './base58';
import { SYSTEM } from './programs';
import type { Message } from './wire';

const ADVANCE_NONCE = 4;
/** Offset in `nonce::state::Versions`: after the version, the state and the authority. */
const NONCE_AT = 40;

/**
 * Whether a message uses a durable nonce instead of a recent blockhash: its first instruction advances the nonce account.
 * @see https://solana.com/docs/core/transactions/durable-nonce
 */
export function usesNonce(
  { instructions, keys, blockhash }: Message,
  account: (address: string) => StoredAccount | null,
): boolean {
  const first = instructions[0];
  if (!first || !keys[first.programIdIndex]!.equals(SYSTEM.bytes)) return false;
  if (first.data.length < 4 || first.data.readUInt32LE(0) !== ADVANCE_NONCE) return false;
  const key = keys[first.accounts[0] ?? -1];
  const state = key && account(base58(key));
  return (
    state?.owner.equals(SYSTEM.bytes) === true &&
    base58(state.data.subarray(NONCE_AT, NONCE_AT + 32)) === blockhash
  );
}
