import type { PoolParties } from '../../../contracts/chain/ton-staking';
import type { TonTrace } from '../../../contracts/chain/ton-trace';
import type { StakeTransaction } from '../../../projections/ton/stakes/queries';
import type { StakeAnswer, StakeRequest, StakeTrigger } from '../../../projections/ton/stakes/stake-messages';

/** What a member has put into a pool, or was paid by it. */
export interface Movement {
  readonly type: 'deposit' | 'withdraw';
  /** Nanotons, without fees. */
  readonly amount: bigint;
  readonly trigger: StakeTrigger;
  /** Logical time of the pool's transaction, and its time in Unix seconds. */
  readonly poolLt: bigint;
  readonly time: number;
}

/** A request of which it is not known what the pool has done. */
export interface OpenRequest {
  /** Logical time of the member's transaction, and its time in Unix seconds. */
  readonly lt: bigint;
  readonly time: number;
}

export interface Movements {
  /** In the order in which the pool made them. */
  readonly movements: readonly Movement[];
  readonly open: readonly OpenRequest[];
}

/** The trace of a transaction of the member; null while it is not known, or where none begins. */
export type TraceOf = (lt: string) => TonTrace | null;

/** What a pool takes of a deposit, and what it sends with each receipt. */
export type PoolFees = Pick<PoolParties, 'depositFee' | 'receiptPrice'>;

interface SentRequest extends StakeRequest {
  readonly sentLt: bigint;
  readonly sentAt: number;
}

/**
 * What has come of the requests of a member. The trace of each says whether the pool took it, and which message is its receipt;
 * where no trace begins, as in transactions of contracts, a receipt belongs to the first request of its kind and query. A request
 * that came back, or that the pool refused, is nothing, no matter who has the money.
 * @param transactions of a member with one pool, oldest first
 * @param present fees, where the trace does not name those of then: the owner of a pool may change them
 */
export function movementsOf(
  transactions: readonly StakeTransaction[],
  traceOf: TraceOf,
  present: PoolFees,
): Movements {
  const requests = transactions.flatMap(({ lt, time, requests: sent }) =>
    sent.map((request): SentRequest => ({ ...request, sentLt: BigInt(lt), sentAt: time })),
  );
  const answers = new Map(
    transactions.flatMap(({ answer }) => (answer ? [[answer.message, answer] as const] : [])),
  );
  const movements: Movement[] = [];
  const untraced: SentRequest[] = [];
  const open: OpenRequest[] = [];

  const settle = (request: SentRequest, answer: StakeAnswer): void => {
    answers.delete(answer.message);
    const fees = feesIn(traceOf(String(request.sentLt)), request.pool) ?? present;
    const movement = answer.refused ? null : movementOf(request, answer, fees);
    if (movement) movements.push(movement);
  };
  for (const request of requests) {
    const outcome = tracedOutcome(traceOf(String(request.sentLt)), request);
    if (outcome === null) untraced.push(request);
    else if (outcome.answers.length > 0) {
      const answer = outcome.answers.map(hash => answers.get(hash)).find(each => each !== undefined);
      if (answer) settle(request, answer);
      // It is on its way to the member.
      else if (outcome.isTaken) open.push({ lt: request.sentLt, time: request.sentAt });
    }
  }
  const next = nextAnswers([...answers.values()]);
  for (const request of untraced) {
    const answer = next(request);
    if (answer) settle(request, answer);
    else open.push({ lt: request.sentLt, time: request.sentAt });
  }
  for (const answer of answers.values()) if (answer.type === 'kick') movements.push(kickOf(answer));
  return { movements: movements.sort((a, b) => (a.poolLt < b.poolLt ? -1 : 1)), open };
}

/** Of answers, oldest first, the next one to a request that is younger than those before: each is the answer to one. */
function nextAnswers(answers: readonly StakeAnswer[]): (request: SentRequest) => StakeAnswer | null {
  const keyOf = ({ type, queryId }: Pick<StakeAnswer, 'type' | 'queryId'>): string => `${type} ${queryId}`;
  const youngestFirst = new Map<string, StakeAnswer[]>();
  for (const answer of [...answers].reverse()) {
    const waiting = youngestFirst.get(keyOf(answer));
    if (waiting) waiting.push(answer);
    else youngestFirst.set(keyOf(answer), [answer]);
  }
  return request => {
    const waiting = youngestFirst.get(keyOf(request)) ?? [];
    for (let answer = waiting.pop(); answer; answer = waiting.pop())
      if (BigInt(answer.createdLt) > request.sentLt) return answer;
    return null;
  };
}

/** Null where the trace does not say it; without answers where the pool did nothing, or kept what it was sent. */
function tracedOutcome(
  trace: TonTrace | null,
  { pool, message }: StakeRequest,
): { readonly isTaken: boolean; readonly answers: readonly string[] } | null {
  const place = trace?.messages.findIndex(({ parent, hash }) => parent === null && hash === message) ?? -1;
  const taken = trace?.messages[place]?.transaction;
  if (!trace || !taken) return null;
  const answers = trace.messages.filter(({ parent, src }) => parent === place && src === pool);
  return { isTaken: taken.success, answers: answers.map(({ hash }) => hash) };
}

/** Null where the trace does not name them. */
function feesIn(trace: TonTrace | null, pool: string): PoolFees | null {
  const fees = trace?.depositFees?.[pool];
  return fees ? { depositFee: fees.fee, receiptPrice: fees.receipt } : null;
}

/** Null where nothing was paid: a withdrawal that is pending has a receipt too. */
function movementOf(
  { type, trigger, value }: SentRequest,
  answer: StakeAnswer,
  fees: PoolFees,
): Movement | null {
  const [depositFee, receiptPrice] = [BigInt(fees.depositFee), BigInt(fees.receiptPrice)];
  const amount =
    type === 'deposit'
      ? BigInt(value) - receiptPrice - depositFee
      : BigInt(answer.value) + wholeForwardFee(BigInt(answer.fwdFee)) - receiptPrice;
  if (amount <= 0n) return null;
  return { type, amount, trigger, poolLt: poolLtOf(answer), time: answer.createdAt };
}

/** What the owner attaches to it arrives with what is paid. */
const kickOf = (answer: StakeAnswer): Movement => ({
  type: 'withdraw',
  amount: BigInt(answer.value),
  trigger: 'payload',
  poolLt: poolLtOf(answer),
  time: answer.createdAt,
});

/** A pool answers with one message, the first one of its transaction. */
const poolLtOf = ({ createdLt }: StakeAnswer): bigint => BigInt(createdLt) - 1n;

/** The validators of the sender take 21845 65536ths of the fee of a message, rounded down; the message carries the rest. */
const FIRST_PART = 21_845n;
const WHOLE = 65_536n;
/** The prices of a message, of its cells and of its bits have been multiples of so many nanotons on all networks. */
const PRICE_STEP = 100n;

/**
 * The fee of a message, which was taken off its value, from the rest of it that the message carries. By rounding two fees may have
 * the same rest: the one that prices make is meant.
 */
export function wholeForwardFee(rest: bigint): bigint {
  const about = (rest * WHOLE) / (WHOLE - FIRST_PART);
  const possible = [about - 1n, about, about + 1n, about + 2n].filter(
    fee => fee >= 0n && fee - (fee * FIRST_PART) / WHOLE === rest,
  );
  return possible.find(fee => fee % PRICE_STEP === 0n) ?? possible.at(-1) ?? rest;
}
