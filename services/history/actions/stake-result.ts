import type { AssetAmount, TonActionPart } from '../../../contracts/chain/ton-action';
import type { StakeRequest } from '../../../contracts/chain/ton-stake-request';
import type { TraceMessage } from '../../../contracts/chain/ton-trace';
import { WITHDRAW_RESPONSE_OP } from '../../../contracts/chain/ton-transaction';
import { usdeContractsOf } from '../../../contracts/chain/ton-known-contracts';
import { TON, type Described } from './message-meaning';
import { forwarded, type Complete, type Result } from './message-result';
import { jettonOf } from './stake-meaning';
import { retained } from './trace-flows';

const sum = (messages: readonly TraceMessage[]): bigint =>
  messages.reduce((total, { value }) => total + BigInt(value), 0n);

/** What came back to the account in coins beyond what it sent; below 0 when it sent more. */
const gained = ({ message, messages }: Result): bigint => -retained(message, messages);

/** Payments of a pool: what it says it pays of a stake, with what is left of the coins in nominator pools. */
const payments = ({ message, messages }: Result, pool: string): TraceMessage[] =>
  messages.filter(
    // Traces of a decoder before version 2 have no staking operations.
    ({ src, dest, op }) => src === pool && dest === message.src && op === WITHDRAW_RESPONSE_OP,
  );

/** Jettons that their master gave for a stake. */
function shares({ messages }: Result, master: string): AssetAmount | null {
  for (const { src, jetton } of messages)
    if (src === master && jetton?.type === 'internal_transfer')
      return { asset: jettonOf(master), amount: jetton.amount };
  return null;
}

/** Nanotons. What a pool kept is more, with its fee, which is not known when it does not say it, or has changed it since. */
function coinsStaked(pool: string, result: Result): bigint {
  const kept = -gained(result);
  const value = BigInt(result.message.value);
  const fees = result.depositFees[pool];
  const isKnown = fees !== undefined && value - kept <= BigInt(fees.receipt);
  const stake = isKnown ? value - BigInt(fees.fee) - BigInt(fees.receipt) : kept;
  return stake > 0n ? stake : 0n;
}

function staked(
  part: Described,
  { contract, jetton, amount }: StakeRequest,
  account: string,
  result: Result,
): Complete {
  if (jetton !== null) {
    const received = shares(result, usdeContractsOf(contract)?.stakedUsde ?? contract);
    // Without shares nothing is staked: the vault has the jettons.
    if (received) return { ...part, received, forwarded: '0' };
    const sent = { ...part, kind: 'jetton_transfer' } as const;
    return { ...sent, received, forwarded: forwarded(account, sent, result) };
  }
  const stake = amount ?? String(coinsStaked(contract, result));
  return { ...part, amount: stake, received: shares(result, contract), forwarded: '0' };
}

/** Of a nominator pool, which pays at once what it has not staked. */
function withdrawn(part: Described, { contract, amount }: StakeRequest, result: Result): Complete {
  const coins = gained(result);
  if (coins <= 0n) return { ...part, received: null, forwarded: '0' };
  // Of a part it says whether it pays all of that.
  const isPaid = amount !== null && payments(result, contract).length > 0;
  const paid = isPaid ? amount : String(coins);
  return { ...part, kind: 'stake_withdrawal', amount: paid, received: null, forwarded: '0' };
}

/** What a contract says that it owes: TON for the jettons of a liquid pool, or USDe that is locked. */
function owedBy(contract: string, { messages }: Result): TonActionPart['owed'] {
  for (const { src, staking } of messages) {
    if (src !== contract) continue;
    if (staking?.type === 'liquid_owed') return { asset: TON, amount: staking.amount, payableAt: null };
    const usde = usdeContractsOf(contract)?.usde;
    if (staking?.type === 'usde_lock' && usde)
      return { asset: jettonOf(usde), amount: staking.amount, payableAt: staking.unlockAt };
  }
  return undefined;
}

function unstaked(part: Described, request: StakeRequest, result: Result): Complete {
  const { contract, jetton, amount } = request;
  if (jetton === null) return withdrawn(part, request, result);
  const burnt = result.messages.find(
    each => each.dest === contract && each.jetton?.type === 'burn_notification',
  )?.jetton;
  const given = burnt?.type === 'burn_notification' ? burnt.amount : amount;
  const paid = payments(result, contract);
  const known = { ...part, amount: given, forwarded: '0' };
  if (paid.length > 0)
    return { ...known, kind: 'stake_withdrawal', received: { asset: TON, amount: String(sum(paid)) } };
  const owed = owedBy(contract, result);
  return { ...known, received: null, ...(owed && { owed }) };
}

/** As `completed`, of what was asked of a staking contract. */
export function completedStake(
  part: Described,
  request: StakeRequest,
  account: string,
  result: Result,
): Complete {
  switch (request.type) {
    case 'stake':
      return staked(part, request, account, result);
    case 'unstake':
      return unstaked(part, request, result);
    case 'claim': {
      const amount = request.amount ?? String(sum(payments(result, request.contract)));
      return { ...part, amount, received: null, forwarded: '0' };
    }
  }
}
