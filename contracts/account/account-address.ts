import { isSolanaAddress, parseTonAddress } from './address';
import type { AccountRef } from '../network/network';

/**
 * The account of an address of any chain that names no network: mainnet, but for a test-only address of TON. Null for what is
 * an address of neither chain.
 */
export function parseAccountAddress(text: string): AccountRef | null {
  const ton = parseTonAddress(text);
  if (ton) return { chain: 'ton', network: ton.testOnly ? 'testnet' : 'mainnet', address: ton.raw };
  return isSolanaAddress(text) ? { chain: 'solana', network: 'mainnet', address: text } : null;
}
