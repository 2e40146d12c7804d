import { Address, beginCell, type Cell } from '@ton/core';
import { OBSERVATIONS_TOPIC } from '../../../contracts/observation/observation';
import { NOMINATOR_POOLS } from '../../../contracts/chain/ton-verified-contracts';
import { TON_TRANSACTIONS } from '../../../contracts/chain/ton';
import type { TransactionRef } from '../../../contracts/chain/ton-transaction';
import type { Log, NewMessage } from '../../../contracts/ports/log';
import { nominatorObservation } from '../../../indexers/ton/observations/nominators';
import { stakingMemberObservation } from '../../../indexers/ton/observations/staking';
import { poolPartiesObservation } from '../../../indexers/ton/observations/staking-rounds';
import { freshObservation } from './observations';
import {
  fillTonHistory,
  internalMessage,
  tonTransaction,
  walletRequest,
  type TransactionMessages,
} from './ton-history';

const NETWORK = 'mainnet';
/** Those that a member has stakes in; it has moved something with the first one. */
export const STAKING_POOLS = NOMINATOR_POOLS[NETWORK].slice(0, 10);
const [POOL] = STAKING_POOLS.map(raw => Address.parseRaw(raw)) as [Address];
const OWNER = `0:${'6'.repeat(64)}`;
const proxyOf = (pool: number): Address => Address.parseRaw(`-1:${pool.toString(16).padStart(64, '7')}`);
export const FIRST_PROXY = proxyOf(0);

export const STAKING_MEMBER = Address.parseRaw(`0:${'8'.repeat(64)}`);
const SUBJECT = { network: NETWORK, member: STAKING_MEMBER.toRawString() } as const;

/** Later than all that the pool does. */
const LAST_LT = String(10n ** 15n);
const [DEPOSIT, DEPOSIT_RECEIPT] = [0x7bcd1fef, 0xc641e932];
const FEE = 100_000_000n;
const RECEIPT = FEE;

const body = (op: number, queryId: number): Cell =>
  beginCell().storeUint(op, 32).storeUint(queryId, 64).storeCoins(100_000n).endCell();

/** Deposits, and the receipt of each in the next transaction. */
function depositOf(n: number, member: Address): TransactionMessages {
  const query = Math.ceil(n / 2);
  const value = 10_000_000_000n + BigInt(n) * 1_000_000n + FEE + RECEIPT;
  const sent = { src: member, dest: POOL, value };
  const receipt = { src: POOL, dest: member, value: RECEIPT };
  return n % 2 === 1
    ? { received: walletRequest(member), sent: [internalMessage(n, sent, body(DEPOSIT, query))] }
    : { received: internalMessage(n, receipt, body(DEPOSIT_RECEIPT, query)), sent: [] };
}

/** What the member has in one of the pools, as it is observed after a number of changes. */
export function stakeIn(pool: string, changes: number): NewMessage {
  const stake = { ...NO_PENDING, balance: String(10n ** 13n + BigInt(changes)) };
  const subject = stakingMemberObservation.subject.format({ ...SUBJECT, pool });
  return freshObservation(stakingMemberObservation, subject, stake, changes);
}

const NO_PENDING = { pendingDeposit: '0', pendingWithdraw: '0', withdraw: '0' };

/** The same of the first pool, for its profits. */
export function nominatorAfter(changes: number): NewMessage {
  const subject = nominatorObservation.subject.format({ ...SUBJECT, pool: POOL.toRawString() });
  const balance = String(3n * 10n ** 16n + BigInt(changes));
  const data = { ...NO_PENDING, balance, poolLt: LAST_LT, memberLt: '0' };
  return freshObservation(nominatorObservation, subject, data, changes);
}

/** One more deposit with its receipt. @param n of its first transaction @param prev the one before */
export function nextDeposit(
  n: number,
  prev: TransactionRef,
): { readonly ref: TransactionRef; readonly messages: readonly NewMessage[] } {
  const sent = tonTransaction(n, STAKING_MEMBER, depositOf(n, STAKING_MEMBER), prev);
  const receipt = tonTransaction(n + 1, STAKING_MEMBER, depositOf(n + 1, STAKING_MEMBER), sent.ref);
  return { ref: receipt.ref, messages: [sent.message, receipt.message] };
}

/** A member with a stake in ten pools, in one of which it has made so many deposits. @returns its newest transaction */
export async function fillTonStakes(log: Pick<Log, 'publish'>, deposits: number): Promise<TransactionRef> {
  const newest = await fillTonHistory(log, STAKING_MEMBER, 2 * deposits, depositOf);
  const observed = [nominatorAfter(0)];
  for (const [place, pool] of STAKING_POOLS.entries()) {
    const proxy = proxyOf(place);
    const parties = {
      owner: OWNER,
      proxy: proxy.toRawString(),
      depositFee: String(FEE),
      receiptPrice: String(RECEIPT),
    };
    const subject = poolPartiesObservation.subject.format({ network: NETWORK, address: pool });
    observed.push(stakeIn(pool, 0), freshObservation(poolPartiesObservation, subject, parties));
    // Nobody has staked yet.
    await fillTonHistory(log, proxy, 0, depositOf);
  }
  await log.publish(OBSERVATIONS_TOPIC.name, observed);
  return newest;
}

/** Publishes a further deposit. */
export async function publishDeposit(
  log: Pick<Log, 'publish'>,
  n: number,
  prev: TransactionRef,
): Promise<TransactionRef> {
  const { ref, messages } = nextDeposit(n, prev);
  await log.publish(TON_TRANSACTIONS.name, messages);
  return ref;
}
