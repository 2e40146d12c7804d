import { Address } from '@ton/core';
import { LRUCache } from 'lru-cache';
import { decodeBase58 } from '../encoding/base58';
import { atMost } from '../engine/cache-bounds';
import type { TonNetwork } from '../network/network';

/** A TON address as a client gave it. The raw form is used everywhere inside. */
export interface ParsedTonAddress {
  /** `workchain:64 lower-case hex digits`. */
  readonly raw: string;
  /** Whether a user-friendly address has the test-only flag; null for a raw one, which has no flags. */
  readonly testOnly: boolean | null;
}

/** `Address.parseRaw` also takes what only begins with an address. */
const RAW = /^-?\d{1,3}:[0-9a-fA-F]{64}$/;

/** A request is checked before it is handled, and wallets name the same dozen contracts: parsing takes six microseconds. */
const parsed = new LRUCache<string, ParsedTonAddress>(atMost(2_000));

/** Parses a user-friendly address (TEP-2, either base64 alphabet, checksum included) or a raw one. Null when it is neither. */
export function parseTonAddress(text: string): ParsedTonAddress | null {
  const known = parsed.get(text);
  if (known) return known;
  const address = parse(text);
  if (address) parsed.set(text, Object.freeze(address));
  return address;
}

function parse(text: string): ParsedTonAddress | null {
  try {
    if (Address.isFriendly(text)) {
      const { address, isTestOnly } = Address.parseFriendly(text);
      return { raw: address.toRawString(), testOnly: isTestOnly };
    }
    if (!RAW.test(text)) return null;
    const address = Address.parseRaw(text);
    const isWorkchain = address.workChain >= -128 && address.workChain <= 127;
    return isWorkchain ? { raw: address.toRawString(), testOnly: null } : null;
  } catch {
    return null;
  }
}

/** The user-friendly, URL-safe form (TEP-2); test-only on testnet. */
export function formatTonAddress(raw: string, network: TonNetwork, bounceable = true): string {
  return Address.parseRaw(raw).toString({ testOnly: network === 'testnet', bounceable });
}

/** True for base58 text of exactly 32 bytes; on the curve or not (token accounts are not). */
export function isSolanaAddress(text: string): boolean {
  return text.length >= 32 && text.length <= 44 && decodeBase58(text)?.length === 32;
}
