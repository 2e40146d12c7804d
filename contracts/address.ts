import { Address } from '@ton/core';
import { decodeBase58 } from './base58';
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
export function friendlyTonAddress(raw: string, network: TonNetwork, bounceable = true): string {
  return Address.parseRaw(raw).toString({ testOnly: network === 'testnet', bounceable });
}

/** True for base58 text of exactly 32 bytes; on the curve or not (token accounts are not). */
export function isSolanaAddress(text: string): boolean {
  return text.length >= 32 && text.length <= 44 && decodeBase58(text)?.length === 32;
}
