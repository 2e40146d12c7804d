import { parseTonAddress } from '../../contracts/address';
import type { AccountRef } from '../../contracts/network';
import { tonAccount } from '../ton-account';

/** Orders are of the main networks. */
const NETWORK = 'mainnet';

export function solanaWallet(address: string): AccountRef {
  return { chain: 'solana', network: NETWORK, address };
}

/** @throws Problem 400 `network_mismatch` for a test-only address */
export function tonWallet(address: string, pointer: string): AccountRef {
  return tonAccount(address, NETWORK, pointer);
}

/** The wallet of an address of either chain. @throws Problem 400 `network_mismatch` for a test-only address */
export function anyWallet(address: string, pointer: string): AccountRef {
  return parseTonAddress(address) ? tonWallet(address, pointer) : solanaWallet(address);
}
