import {
  USDE_CONTRACTS,
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
  const { seqno: height } = await client.getLastBlock();
  const { stakedUsde } = USDE_CONTRACTS[network];
  const wallet = await knownWalletOf(client, { master: stakedUsde, owner });
  if (wallet === null) return { height, data: null };
  const { value: shares } = await askWalletData(client, height, wallet);
  if (shares?.owner !== owner || shares.master !== stakedUsde || !isCoins(shares.balance))
    return { height, data: null };
  const { value: lock } = await askContract(client, height, wallet, 'get_timelock_data', [], stack => ({
    locked: stack.readBigNumber(),
    unlockAt: stack.readNumber(),
  }));
  const isLock = lock !== null && isCoins(lock.locked) && lock.unlockAt >= 0 && lock.unlockAt <= MAX_TIME;
  const { locked, unlockAt } = isLock ? lock : NO_LOCK;
  return { height, data: { balance: String(shares.balance), locked: String(locked), unlockAt } };
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
  ttlMs: 5_000,
  servesStale: 'on-failure',
  maxEntries: 10_000,
  read: readMember,
});
