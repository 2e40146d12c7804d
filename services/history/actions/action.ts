import type { TonAction, TonActionKind, TonActionPart } from '../../../contracts/chain/ton-action';
import { finalStatus, isBounce, type FinalStatus } from '../../../contracts/chain/ton-outcome';
import { stakeRequest } from '../../../contracts/chain/ton-stake-request';
import type { TonMessage, UnsentMessage } from '../../../contracts/chain/ton-transaction';
import {
  arrived,
  coinsBeside,
  currenciesOf,
  isInternal,
  NOTHING,
  requested,
  type InternalMessage,
  type OwnTransaction,
} from './message-meaning';
import {
  completed,
  resultOf,
  sameAsset,
  type Complete,
  type Result,
  type TracedTransaction,
} from './message-result';
import { arrivedStake, requestedStake } from './stake-meaning';
import { completedStake } from './stake-result';
import { retained, memberFees, ownFees } from './trace-flows';

function sentPart(
  message: TonMessage & InternalMessage,
  traced: TracedTransaction,
): { message: InternalMessage; part: TonActionPart; result: Result | null } {
  const { transaction, trace } = traced;
  const result = resultOf(trace, message.hash);
  const stake = stakeRequest(message, transaction);
  const part = stake ? requestedStake(stake, message) : requested(transaction, message);
  // A pool that refuses coins may keep them.
  const failed = result?.failed || (stake !== null && result?.message.transaction?.success === false);
  const isDone = trace?.state === 'complete' && result !== null && !failed;
  const complete: Complete = !isDone
    ? { ...part, received: null, forwarded: coinsBeside(part, message) }
    : stake
      ? completedStake(part, stake, transaction.account, result)
      : completed(part, result, traced);
  const status: FinalStatus = failed
    ? 'failed'
    : finalStatus({ ...transaction, outMessages: [message] }, trace && { state: trace.state, failed: false });
  return { message, part: { ...complete, status, sender: transaction.account }, result };
}

function unsentPart(transaction: OwnTransaction, message: UnsentMessage & InternalMessage): TonActionPart {
  const stake = stakeRequest(message, transaction);
  const part = stake ? requestedStake(stake, message) : requested(transaction, message);
  const forwarded = coinsBeside(part, message);
  return { ...part, status: 'failed', sender: transaction.account, received: null, forwarded };
}

/** A part, and one for each extra currency of its message that it does not tell of. */
function withCurrencies(part: TonActionPart, message: InternalMessage): TonActionPart[] {
  const { bounced, src, dest } = message.info;
  const [sender, receiver] = bounced ? [dest, src] : [src, dest];
  const others = currenciesOf(message).filter(({ asset }) => !sameAsset(part.asset, asset));
  return [
    part,
    ...others.map(({ asset, amount }): TonActionPart => ({
      ...part,
      kind: 'extra_currency_transfer',
      sender,
      receiver,
      asset,
      amount,
      received: null,
      forwarded: '0',
    })),
  ];
}

/** A transaction that sent nothing: it changed, or deployed, the contract of the account itself. */
function withoutMessages({
  account,
  success,
  statusBefore,
  statusAfter,
  inMessage,
}: OwnTransaction): TonActionPart {
  const deployed = statusBefore !== 'active' && statusAfter === 'active';
  const kind = deployed ? 'contract_deploy' : inMessage ? 'call_contract' : 'unknown';
  const status = success ? 'success' : 'failed';
  return { ...NOTHING, kind, status, sender: account, receiver: account, received: null, forwarded: '0' };
}

/** Several parts as one. */
function together(parts: readonly TonActionPart[]): TonActionPart {
  const [first, ...rest] = parts as readonly [TonActionPart, ...TonActionPart[]];
  if (rest.length === 0) return first;
  const common = <T>(of: (part: TonActionPart) => T, otherwise: T): T =>
    rest.every(part => JSON.stringify(of(part)) === JSON.stringify(of(first))) ? of(first) : otherwise;
  const status = (['failed', 'pending'] as const).find(each => parts.some(part => part.status === each));
  const asset = common(part => part.asset, null);
  const total = parts.reduce((sum, { amount }) => sum + BigInt(amount ?? 0), 0n);
  return {
    kind: common(part => part.kind, 'batch'),
    status: status ?? 'success',
    sender: first.sender,
    receiver: common(part => part.receiver, null),
    asset,
    amount: asset && parts.every(({ amount }) => amount !== null) ? String(total) : null,
    received: null,
    comment: common(part => part.comment, null),
    forwarded: String(parts.reduce((sum, { forwarded }) => sum + BigInt(forwarded), 0n)),
  };
}

const WITHDRAWALS: readonly TonActionKind[] = ['stake_withdrawal', 'stake_withdrawal_request'];

/** Kinds whose amount is the value of the message itself. */
const movesValue = ({ kind, asset }: TonActionPart): boolean =>
  asset?.type === 'ton' && !WITHDRAWALS.includes(kind);

/** What the contracts that a message reached kept of its value, and is neither an amount nor forwarded. */
function lost(account: string, part: TonActionPart, { message, messages }: Result): bigint {
  const rest = retained(message, messages);
  const gained = part.received?.asset.type === 'ton' ? BigInt(part.received.amount) : 0n;
  if (part.status === 'failed') {
    // A value that did not come back has arrived, whatever the contract has done with it.
    const cameBack = messages.some(({ dest, transaction }) => dest === account && transaction);
    return cameBack || !movesValue(part) ? rest : 0n;
  }
  if (part.kind === 'stake_withdrawal' && part.received === null)
    return part.asset?.type === 'ton' ? rest + BigInt(part.amount ?? 0) : rest;
  const isPaid = movesValue(part) && message.dest !== account;
  const moved = isPaid ? BigInt(part.amount ?? 0) : 0n;
  return rest + gained - moved - BigInt(part.forwarded);
}

function begun(traced: TracedTransaction): { parts: TonActionPart[]; lost: bigint } {
  const { transaction } = traced;
  const sent = transaction.outMessages
    .filter((message): message is TonMessage & InternalMessage => isInternal(message))
    .map(message => sentPart(message, traced));
  const unsent = transaction.unsent
    .filter((message): message is UnsentMessage & InternalMessage => isInternal(message))
    .flatMap(message => withCurrencies(unsentPart(transaction, message), message));
  const parts = [...sent.flatMap(({ part, message }) => withCurrencies(part, message)), ...unsent];
  return {
    parts: parts.length > 0 ? parts : [withoutMessages(transaction)],
    lost: sent.reduce(
      (total, { part, result }) => total + (result ? lost(transaction.account, part, result) : 0n),
      0n,
    ),
  };
}

function caused(transaction: OwnTransaction, message: InternalMessage): TonActionPart {
  // Of what came back the action is what was sent.
  const status = isBounce(transaction) ? 'failed' : finalStatus(transaction, null);
  const stake = isBounce(transaction) ? null : arrivedStake(transaction, message);
  const part = stake ?? arrived(transaction, message);
  return { ...part, status, received: null, forwarded: coinsBeside(part, message) };
}

/** What a transaction of an account means to its owner. */
export function tonAction(traced: TracedTransaction): TonAction {
  const { transaction, trace } = traced;
  const { account, lt, hash, time, direction, inMessage } = transaction;
  const isCaused = direction === 'in' && inMessage !== null && isInternal(inMessage);
  const { parts, lost: taken } = isCaused
    ? { parts: withCurrencies(caused(transaction, inMessage), inMessage), lost: 0n }
    : begun(traced);
  const members = (trace?.messages ?? []).flatMap(({ dest, transaction: member }) =>
    dest === account && member ? [{ lt: member.lt, hash: member.hash }] : [],
  );
  const fees = ownFees(transaction) + (trace ? memberFees(account, trace) : 0n);
  const fee = trace?.state === 'complete' ? fees + taken : fees;
  return { ...together(parts), lt, hash, time, fee: String(fee), parts, members };
}
