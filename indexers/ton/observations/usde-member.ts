import {
  USDE_CONTRACTS,
  UNREAD_USDE_MEMBER_MS,
  usdeMemberObserved,
  type UsdeMemberObserved,
} from '../../../contracts/chain/ton-usde';
import type { TonContractSubject } from '../../../contracts/chain/ton-contract';
import { defineObservation, type Clients, type Reading } from '../../../contracts/observation/observation';
import { isCoins } from '../coins';
import { askContract } from '../get-method';
import { askWalletData, knownWalletOf } from '../jetton-wallets';
import { contractSubject, TON_SOURCE } from './source';

const MAX_TIME = 0xffff_ffff;
const NO_LOCK = { locked: 0n, unlockAt: 0 };

/** A wallet that says what no wallet can is as one that does not exist. */
async function readMember(
  { ton }: Clients,
  { network, address: owner }: TonContractSubject,
): Promise<Reading<UsdeMemberObserved>> {
  const client = ton(network);
  const { stakedUsde } = USDE_CONTRACTS[network];
  // Together, as far as they can be: a wallet waits for it, and nodes may be far away.
  const [{ seqno: height }, wallet] = await Promise.all([
    client.getLastBlock(),
    knownWalletOf(client, { master: stakedUsde, owner }),
  ]);
  if (wallet === null) return { height, data: null };
  const [{ value: shares }, { value: lock }] = await Promise.all([
    askWalletData(client, height, wallet),
    askContract(client, height, wallet, 'get_timelock_data', [], stack => ({
      locked: stack.readBigNumber(),
      unlockAt: stack.readNumber(),
    })),
  ]);
  if (shares?.owner !== owner || shares.master !== stakedUsde || !isCoins(shares.balance))
    return { height, data: null };
  const isLock = lock !== null && isCoins(lock.locked) && lock.unlockAt >= 0 && lock.unlockAt <= MAX_TIME;
  const { locked, unlockAt } = isLock ? lock : NO_LOCK;
  return { height, data: { wallet, balance: String(shares.balance), locked: String(locked), unlockAt } };
}

/** What an account has staked of USDe, as its wallet of shares says. While that says nothing it is what it said last. */
export const usdeMemberObservation = defineObservation({
  kind: 'ton.usde.member',
  subject: contractSubject,
  schema: usdeMemberObserved,
  source: TON_SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 5_000,
  ages: true,
  changedBy: { field: 'wallet' },
  read: readMember,
  merge: (older, newer) => newer.data ?? older.data,
});

/** The same of an account that is not known to have a wallet; nothing is stored of it: anyone can think of any number. */
export const unreadUsdeMember = defineObservation({
  kind: 'ton.unread.usde.member',
  recorded: false,
  subject: contractSubject,
  schema: usdeMemberObserved,
  source: { ...TON_SOURCE, name: 'ton-unread-usde-members' },
  ttlMs: UNREAD_USDE_MEMBER_MS,
  maxEntries: 10_000,
  read: readMember,
});
