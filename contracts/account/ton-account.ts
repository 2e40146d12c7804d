import { parseTonAddress } from './address';
import type { AccountRef, TonNetwork } from '../network/network';
import { Problem } from '../problem/problem';

export type TonAccount = Extract<AccountRef, { chain: 'ton' }>;

/**
 * The account of an address. The test-only flag of a user-friendly address means testnet (TEP-2); without it the given
 * network counts, and mainnet where none is given.
 * @param pointer JSON pointer to the field of the network
 * @throws Problem 400 `network_mismatch` when a test-only address comes with `mainnet`
 */
export function tonAccount(text: string, network: TonNetwork | undefined, pointer: string): TonAccount {
  const { raw, testOnly } = parseTonAddress(text)!;
  if (testOnly && network === 'mainnet') {
    const message = 'the address is of testnet only';
    throw Problem.invalid(pointer, message, 'network_mismatch', 'network_mismatch');
  }
  return { chain: 'ton', network: network ?? (testOnly ? 'testnet' : 'mainnet'), address: raw };
}

/** The network that a request names with `isTestnet`; undefined when it does not. */
export function networkOf(isTestnet: boolean | 'true' | 'false' | undefined): TonNetwork | undefined {
  if (isTestnet === undefined) return undefined;
  return String(isTestnet) === 'true' ? 'testnet' : 'mainnet';
}

/**
 * Two accounts of one network: of both addresses the test-only flag counts.
 * @param pointer JSON pointer to the field of the network
 * @throws Problem 400 `network_mismatch`
 */
export function accountsOfOneNetwork(
  texts: readonly [string, string],
  given: TonNetwork | undefined,
  pointer: string,
): readonly [TonAccount, TonAccount] {
  const [first, second] = [tonAccount(texts[0], given, pointer), tonAccount(texts[1], given, pointer)];
  const network = first.network === 'testnet' ? first.network : second.network;
  return [
    { ...first, network },
    { ...second, network },
  ];
}

/** The owner and the master of a jetton. @throws Problem 400 `network_mismatch` */
export function ownedJetton(
  address: string,
  masterAddress: string,
  given: TonNetwork | undefined,
  pointer: string,
): { readonly owner: TonAccount; readonly master: TonAccount; readonly network: TonNetwork } {
  const [owner, master] = accountsOfOneNetwork([address, masterAddress], given, pointer);
  return { owner, master, network: owner.network };
}
