import { isSolanaAddress, parseTonAddress } from '../../../contracts/account/address';
import type { ExchangeTarget } from '../../../contracts/http/exchange/fields';
import type { AccountRef } from '../../../contracts/network/network';
import { Problem } from '../../../contracts/problem/problem';
import { tonAccount } from '../../../contracts/account/ton-account';

/** Targets that a wallet of Solana receives. */
const SOLANA_TARGETS: readonly ExchangeTarget[] = ['sol', 'usdcsol'];

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

/** The wallet that receives a currency. @throws Problem 400 for an address of another chain or network */
export function receiverOf(target: ExchangeTarget, address: string, pointer: string): AccountRef {
  const onSolana = SOLANA_TARGETS.includes(target);
  if (onSolana !== isSolanaAddress(address))
    throw Problem.invalid(pointer, `${target} needs ${onSolana ? 'a Solana' : 'a TON'} address`);
  return onSolana ? solanaWallet(address) : tonWallet(address, pointer);
}
