import { refuse, type CommandMetadata, type Refusal } from '../../../contracts/decider';
import { gaslessBudgetEvents, type GaslessBudgetEvent } from '../../../contracts/events/gasless-budget';
import type { TonNetwork } from '../../../contracts/network/network';
import type { StreamKind } from '../../commands/stream-kind';

type State = GaslessBudgetEvent['data'];

/** Nanotons. */
export interface BudgetLimits {
  readonly perMinute: bigint;
  readonly perDay: bigint;
}

export type BudgetCommand = {
  readonly metadata: CommandMetadata;
  readonly network: TonNetwork;
  readonly subject: string;
  /** Of the request that it is about, hex. */
  readonly bodyHash: string;
} & (
  | { readonly type: 'reserve'; readonly nanotons: bigint; readonly limits: BudgetLimits }
  | { readonly type: 'countBounce' | 'retractBounce' }
);

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** After the first bounce; each further one doubles it. */
const COOLDOWN_MS = 60_000;
const MAX_DOUBLINGS = 10;
/** So many are known one by one: by then who causes them waits for most of a day. */
const MAX_BOUNCED = 32;

/**
 * What a relayer may lose for somebody: reserved before a request is accepted, at most so much in a minute and in a day. A
 * request that its wallet refuses has cost something, and who causes such waits, each time twice as long.
 */
export const gaslessBudgetKind: StreamKind<State | null, BudgetCommand, GaslessBudgetEvent> = {
  events: gaslessBudgetEvents,
  lastEventIsState: true,
  decider: {
    initial: () => null,
    evolve: (_, { data }) => data,
    decide(state, command) {
      switch (command.type) {
        case 'reserve':
          return reserve(state, command);
        case 'countBounce':
          return countBounce(state, command);
        case 'retractBounce':
          return retractBounce(state, command);
      }
    },
  },
};

function reserve(
  before: State | null,
  command: Extract<BudgetCommand, { type: 'reserve' }>,
): readonly GaslessBudgetEvent[] | Refusal {
  const { nanotons, limits, bodyHash, metadata } = command;
  const state = currentState(before, command);
  if (state.cooldownUntil && Date.parse(metadata.now) < Date.parse(state.cooldownUntil))
    return refuse('gasless_cooldown', 'A wallet has refused requests of this kind before.');
  // Another process has been posted the same, which is accepted once.
  if (before?.last === bodyHash) return [];
  const [inMinute, inDay] = [BigInt(state.inMinute) + nanotons, BigInt(state.inDay) + nanotons];
  if (inMinute > limits.perMinute || inDay > limits.perDay)
    return refuse('gasless_budget_exhausted', 'The relayer sends no more for now.');
  const spent = { inMinute: inMinute.toString(), inDay: inDay.toString() };
  return [{ type: 'GaslessBudgetReserved', data: { ...state, ...spent, last: bodyHash } }];
}

function countBounce(before: State | null, command: BudgetCommand): readonly GaslessBudgetEvent[] {
  const { bodyHash, metadata } = command;
  const state = currentState(before, command);
  if (state.bounced.includes(bodyHash)) return [];
  const bounces = state.bounces + 1;
  const cooldownUntil = new Date(Date.parse(metadata.now) + waitMs(bounces)).toISOString();
  const bounced = [...state.bounced, bodyHash].slice(-MAX_BOUNCED);
  const data = { ...state, bounces, bounced, cooldownUntil, last: bodyHash };
  return [{ type: 'GaslessBounceCounted', data }];
}

/** What is counted beside it has begun no later than the last: the wait is what it would be if that one had been the last. */
function retractBounce(before: State | null, command: BudgetCommand): readonly GaslessBudgetEvent[] {
  const { bodyHash } = command;
  const state = currentState(before, command);
  if (!state.bounced.includes(bodyHash) || !state.cooldownUntil) return [];
  const bounces = state.bounces - 1;
  const since = Date.parse(state.cooldownUntil) - waitMs(state.bounces);
  const cooldownUntil = bounces === 0 ? null : new Date(since + waitMs(bounces)).toISOString();
  const bounced = state.bounced.filter(each => each !== bodyHash);
  return [{ type: 'GaslessBounceRetracted', data: { ...state, bounces, bounced, cooldownUntil } }];
}

const waitMs = (bounces: number): number => COOLDOWN_MS * 2 ** Math.min(bounces - 1, MAX_DOUBLINGS);

/**
 * With what was reserved in this minute and day alone. A minute that has begun by the clock of one process has begun for all, or
 * those that still are in the last one would have each other's reservations forgotten. A day without a bounce forgets those before.
 */
function currentState(
  before: State | null,
  { network, subject, bodyHash, metadata }: BudgetCommand,
): State & { readonly bounced: string[] } {
  const { now } = metadata;
  const minute = later(before?.minute, beginningOf(MINUTE_MS, now));
  const day = later(before?.day, beginningOf(DAY_MS, now));
  const isForgotten = !before?.cooldownUntil || Date.parse(now) >= Date.parse(before.cooldownUntil) + DAY_MS;
  return {
    network,
    subject,
    minute,
    day,
    last: bodyHash,
    at: now,
    inMinute: before?.minute === minute ? before.inMinute : '0',
    inDay: before?.day === day ? before.inDay : '0',
    bounces: isForgotten ? 0 : before.bounces,
    bounced: isForgotten ? [] : (before.bounced ?? []),
    cooldownUntil: isForgotten ? null : before.cooldownUntil,
  };
}

/** Nanotons that are reserved in the minute and the day (UTC) of now. @param now RFC 3339 instant */
export function reservedAt(
  state: State | null,
  now: string,
): { readonly inMinute: bigint; readonly inDay: bigint } {
  const isOf = (beginning: string | undefined, periodMs: number): boolean =>
    beginning !== undefined && beginning >= beginningOf(periodMs, now);
  return {
    inMinute: isOf(state?.minute, MINUTE_MS) ? BigInt(state!.inMinute) : 0n,
    inDay: isOf(state?.day, DAY_MS) ? BigInt(state!.inDay) : 0n,
  };
}

/** Of two instants as `beginningOf` writes them. */
function later(one: string | undefined, other: string): string {
  return one !== undefined && one > other ? one : other;
}

function beginningOf(periodMs: number, now: string): string {
  return new Date(Math.floor(Date.parse(now) / periodMs) * periodMs).toISOString();
}
