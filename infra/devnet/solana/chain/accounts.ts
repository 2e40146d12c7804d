import type { StoredAccount } from '../svm/account';
import { base58 } from '../svm/base58';
import type { Chain } from './chain';
import type { Engine } from '../svm/engine';
import type { Commitment } from './ledger';
import type { AccountIndex, AddressedAccount } from './queries';
import { readHolding } from '../svm/token-state';
import { overlayAt } from './unfinalized';

/** Accounts at a commitment. */
export interface Accounts {
  at(address: string, commitment: Commitment): StoredAccount | null;
  /** All accounts of a program (`owner`), or all token accounts of an owner (`holder`) or of a mint. */
  by(index: AccountIndex, address: string, commitment: Commitment): AddressedAccount[];
}

const indexed = (index: AccountIndex, account: StoredAccount): string | null => {
  if (index === 'owner') return base58(account.owner);
  const holding = readHolding(account);
  return holding && base58(index === 'holder' ? holding.owner : holding.mint);
};

export function createAccounts(chain: Chain, engine: Engine): Accounts {
  return {
    at: (address, commitment) => {
      const before = overlayAt(chain.unfinalized, commitment).get(address);
      return before === undefined ? engine.account(address) : before;
    },
    by: (index, address, commitment) => {
      chain.flush();
      const overlay = overlayAt(chain.unfinalized, commitment);
      const unchanged = chain.queries.accounts(index, address).filter(each => !overlay.has(each.address));
      const changed = [...overlay].flatMap(([key, account]) =>
        account && indexed(index, account) === address ? [{ address: key, account }] : [],
      );
      return [...unchanged, ...changed];
    },
  };
}
