import { Address } from '@ton/core';
import type { TonNetwork } from './network';

/** A TON address as it came in: the raw form is what everything inside uses. */
export interface ParsedTonAddress {
  /** `workchain:64 lower-case hex digits`. */
  readonly raw: string;
  /** Set when the friendly form carries the test-only flag; raw addresses do not say. */
  readonly testOnly: boolean | null;
}

/** Parses a friendly (either base64 alphabet) or raw address, checksum included. Null when it is neither. */
export function parseTonAddress(text: string): ParsedTonAddress | null {
  try {
    if (Address.isFriendly(text)) {
      const { address, isTestOnly } = Address.parseFriendly(text);
      return { raw: address.toRawString(), testOnly: isTestOnly };
    }
    return { raw: Address.parseRaw(text).toRawString(), testOnly: null };
  } catch {
    return null;
  }
}

/** The friendly, URL-safe, bounceable form that the wallet shows; test-only on testnet. */
export const friendlyTonAddress = (raw: string, network: TonNetwork, bounceable = true): string =>
  Address.parseRaw(raw).toString({ testOnly: network === 'testnet', bounceable });

const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** True for base58 text of exactly 32 bytes; on the curve or not (token accounts are not). */
export function isSolanaAddress(text: string): boolean {
  if (!BASE58.test(text)) return false;
  let value = 0n;
  for (const char of text) value = value * 58n + BigInt(ALPHABET.indexOf(char));
  const leadingZeros = /^1*/.exec(text)![0].length;
  const bytes = leadingZeros + Math.ceil(value.toString(16).length / 2) - (value === 0n ? 1 : 0);
  return bytes === 32;
}
