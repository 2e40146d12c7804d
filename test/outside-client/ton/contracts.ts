import { beginCell, contractAddress, type Address, type Cell } from '@ton/core';

/** A contract of the tests, deployed or not. */
export interface TestContract {
  readonly address: Address;
  readonly init: { readonly code: Cell; readonly data: Cell };
}

const contractOf = (code: string, salt = ''): TestContract => {
  const init = {
    code: beginCell().storeBuffer(Buffer.from(code, 'hex')).endCell(),
    data: beginCell().storeStringTail(salt).endCell(),
  };
  return { address: contractAddress(0, init), init };
};

/** Accepts everything, and does nothing. */
export function vault(salt = ''): TestContract {
  return contractOf('', salt);
}

/**
 * Sends each message that a received one has in its references, with what it has of coins: DROP; while there are references,
 * LDREF SWAP 3 PUSHINT SENDRAWMSG.
 */
export const relay = contractOf('309320d74a95d40173fb00e8');

/** As `relay`, but it returns what it received when it cannot send: mode 17. */
export const strictRelay = contractOf('309320d74a96d4018011fb00e8');

/** ACCEPT 42 THROW, of external messages too. */
export const thrower = contractOf('f800f22a');

/** The doubles of pools. They are named in the settings of the program, which believes no other contract. */
export const POOLS: readonly TestContract[] = [vault(), thrower, relay];

/** Nobody deploys it. */
export const nowhere = contractOf('00', 'never deployed');
