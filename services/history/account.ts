import { parseTonAddress } from '../../contracts/address';
import type { AccountRef, TonNetwork } from '../../contracts/network';
import { Problem } from '../../contracts/problem';

export type TonAccount = Extract<AccountRef, { chain: 'ton' }>;

/**
 * The account that an address and, where there is one, a network name. The test-only flag of a friendly address
 * means testnet (TEP-2); without it the network counts, and mainnet where none is named.
 * @throws Problem 400 when a test-only address comes with `mainnet`; `pointer` names the network's field.
 */
export function tonAccount(text: string, network: TonNetwork | undefined, pointer: string): TonAccount {
  const { raw, testOnly } = parseTonAddress(text)!;
  if (testOnly && network === 'mainnet') {
    const message = 'the address is of testnet only';
    throw new Problem(400, 'network_mismatch', `${pointer}: ${message}`, {
      errors: [{ pointer, code: 'network_mismatch', message }],
    });
  }
  return { chain: 'ton', network: network ?? (testOnly ? 'testnet' : 'mainnet'), address: raw };
}
