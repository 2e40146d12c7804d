import { refuse, type CommandMetadata, type Refusal } from '../../../contracts/decider';
import { gaslessBudgetEvents, type GaslessBudgetEvent } from '../../../contracts/events/gasless-budget';
import type { TonNetwork } from '../../../contracts/network/network';
import type { StreamKind } from '../../handle';

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
  | { readonly type: 'countBounce' }
);

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** After the first bounce; each further one doubles it. */
const COOLDOWN_MS = 60_000;
const MAX_DOUBLINGS = 10;

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
    decide: (state, command) =>
      command.type === 'reserve' ? reserve(state, command) : countBounce(state, command),
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
  const [inMinute, inDay] = [BigInt(state.inMinute) + nanotons, BigInt(state.inDay) + nanotons];
  if (inMinute > limits.perMinute || inDay > limits.perDay)
    return refuse('gasless_budget_exhausted', 'The relayer sends no more for now.');
  const spent = { inMinute: inMinute.toString(), inDay: inDay.toString() };
  return [{ type: 'GaslessBudgetReserved', data: { ...state, ...spent, last: bodyHash } }];
}

function countBounce(
  before: State | null,
  command: Extract<BudgetCommand, { type: 'countBounce' }>,
): readonly GaslessBudgetEvent[] {
  const state = currentState(before, command);
  const bounces = state.bounces + 1;
  const waitMs = COOLDOWN_MS * 2 ** Math.min(bounces - 1, MAX_DOUBLINGS);
  const cooldownUntil = new Date(Date.parse(command.metadata.now) + waitMs).toISOString();
  return [
    { type: 'GaslessBounceCounted', data: { ...state, bounces, cooldownUntil, last: command.bodyHash } },
  ];
}

/** With what was reserved in this minute and day alone. A day without a bounce forgets those before. */
function currentState(before: State | null, { network, subject, bodyHash, metadata }: BudgetCommand): State {
  const { now } = metadata;
  const [minute, day] = [beginningOf(MINUTE_MS, now), beginningOf(DAY_MS, now)];
  const isForgotten = !before?.cooldownUntil || Date.parse(now) >= Date.parse(before.cooldownUntil) + DAY_MS;
  return {
    ...{ network, subject, minute, day, last: bodyHash, at: now },
    inMinute: before?.minute === minute ? before.inMinute : '0',
    inDay: before?.day === day ? before.inDay : '0',
    bounces: isForgotten ? 0 : before.bounces,
    cooldownUntil: isForgotten ? null : before.cooldownUntil,
  };
}

/** Nanotons that are reserved in the minute and the day (UTC) of now. @param now RFC 3339 instant */
export function reservedAt(
  state: State | null,
  now: string,
): { readonly inMinute: bigint; readonly inDay: bigint } {
  const isOf = (beginning: string | undefined, periodMs: number): boolean =>
    beginning === beginningOf(periodMs, now);
  return {
    inMinute: isOf(state?.minute, MINUTE_MS) ? BigInt(state!.inMinute) : 0n,
    inDay: isOf(state?.day, DAY_MS) ? BigInt(state!.inDay) : 0n,
  };
}

function beginningOf(periodMs: number, now: string): string {
  return new Date(Math.floor(Date.parse(now) / periodMs) * periodMs).toISOString();
}
