import { Account } from 'litesvm/dist/internal';
import type { StoredAccount } from './account';
import { isTokenProgram } from './programs';

const EMPTY = Buffer.alloc(0);

/**
 * A copy of an account of the engine.
 * @param needsData false for an account that is only read: its data is omitted unless it is a token account
 */
export function fromNative(account: Account | null, needsData = true): StoredAccount | null {
  if (!account) return null;
  const owner = Buffer.from(account.owner());
  const data = needsData || isTokenProgram(owner) ? Buffer.from(account.data()) : EMPTY;
  return { lamports: account.lamports(), owner, executable: account.executable(), data };
}

/** The engine removes an account that is set to this. */
const NOTHING: StoredAccount = { lamports: 0n, owner: Buffer.alloc(32), executable: false, data: EMPTY };

export function toNative(account: StoredAccount | null): Account {
  const { lamports, owner, executable, data } = account ?? NOTHING;
  return new Account(lamports, data, owner, executable, 0n);
}
