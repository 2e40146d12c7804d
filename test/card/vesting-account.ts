import { isRefusal } from '../../contracts/decider';
import type { CardVestingEvent } from '../../contracts/events/card-vesting';
import type { CardVesting } from '../../projections/card/vesting-state';
import {
  cardVestingKind,
  type CardVestingCommand,
  type CardVestingOpening,
} from '../../services/card/vesting/decider';

const { initial, evolve, decide } = cardVestingKind.decider;

const START = Date.parse('2026-11-23T12:00:00.000Z');
export const DAY_S = 86_400;

/** So many days after the first period begins. */
export function atDay(days: number): string {
  return new Date(START + days * DAY_S * 1_000).toISOString();
}
const metadata = (days: number) => ({ now: atDay(days), actor: 'test' });

const owner = { chain: 'ton', network: 'testnet', address: `0:${'1'.repeat(64)}` } as const;

/** It pays 100 each day. */
const VESTING: CardVestingOpening = {
  vestingId: 'vesting-1',
  network: 'testnet',
  userId: 'user-1',
  creatorAccountId: 'account-1',
  owner,
  beneficiary: {
    accountId: 'account-2',
    userId: 'user-2',
    owner,
    name: { subject: 'user-1', ciphertext: 'v2.key.text' },
  },
  currency: { ticker: 'TON', decimals: 9, tokenContract: null },
  unlockAmountPerPeriod: '100',
  unlockPeriodSeconds: DAY_S,
  startPaymentsAt: atDay(0),
  sandbox: true,
};

export function open(rest: Partial<CardVestingOpening> = {}, all = 0, hasPlace = true): CardVestingCommand {
  return { type: 'open', vesting: { ...VESTING, ...rest }, all, hasPlace, metadata: metadata(0) };
}

export function deposit(amount: number, days: number, transactionId = `at ${days}`): CardVestingCommand {
  return { type: 'deposit', amount: String(amount), transactionId, metadata: metadata(days) };
}

export function payOut(days: number): CardVestingCommand {
  return { type: 'payOut', metadata: metadata(days) };
}

export interface Vested {
  readonly state: CardVesting;
  readonly events: readonly CardVestingEvent[];
  readonly refusals: readonly string[];
}

/** What commands come to, one after the other. @param onEach told of the state after each */
export function vested(
  commands: readonly CardVestingCommand[],
  onEach: (state: CardVesting) => void = () => undefined,
): Vested {
  let state: CardVesting | null = initial();
  const events: CardVestingEvent[] = [];
  const refusals: string[] = [];
  for (const command of commands) {
    const decision = decide(state, command);
    if (isRefusal(decision)) {
      refusals.push(decision.code);
      continue;
    }
    for (const event of decision) cardVestingKind.events.write(event, 'id', {});
    events.push(...decision);
    state = decision.reduce(evolve, state);
    if (state) onEach(state);
  }
  return { state: state!, events, refusals };
}

export function payoutsOf({ events }: Pick<Vested, 'events'>) {
  return events.flatMap(({ type, data }) => (type === 'CardVestingPaidOut' ? [data] : []));
}
