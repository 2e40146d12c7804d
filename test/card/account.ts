import { isRefusal, type Refusal } from '../../contracts/decider';
import type { CardAccountEvent, CardAmounts } from '../../contracts/events/card-account';
import type { CardAccountCommand, CardAccountOpening } from '../../services/card/account/command';
import { cardAccountKind } from '../../services/card/account/decider';
import type { CardAccount } from '../../services/card/account/state';

const { initial, evolve, decide } = cardAccountKind.decider;

export type { CardAccountCommand };

export const NOON = '2026-11-23T12:00:00.000Z';
const metadata = { now: NOON, actor: 'issuer' };

/** An account in euro cents, or with another currency of its cards and rate. */
export const OPENING: CardAccountOpening = {
  accountId: 'account-1',
  network: 'testnet',
  userId: 'user-1',
  kind: 'crypto',
  accountIndex: 0,
  name: null,
  owner: { chain: 'ton', network: 'testnet', address: `0:${'1'.repeat(64)}` },
  deposit: { chain: 'ton', network: 'testnet', address: `0:${'2'.repeat(64)}` },
  currency: { ticker: 'TON', decimals: 9, tokenContract: null },
  fiatCurrency: 'EUR',
  tzOffset: 0,
  state: 'ACTIVE',
  sandbox: true,
  limits: { onetime: '1000000', daily: '1000000', monthly: '1000000' },
};

export function amountsOf(fiat: number | bigint, rate = { units: '1', per: '1' }): CardAmounts {
  const amount = fiat.toString();
  return { merchant: { amount, currency: 'EUR' }, fiat: { amount, currency: 'EUR' }, rate };
}

type Loose = { readonly type: CardAccountCommand['type'] } & Record<string, unknown>;

/** A command about one purchase, unless told otherwise. */
export function command(type: CardAccountCommand['type'], rest: Record<string, unknown> = {}) {
  const ids = { transactionId: 'purchase-1', entryId: type, cardId: 'card-1' };
  return {
    type,
    ...ids,
    occurredAt: NOON,
    archived: [],
    amounts: amountsOf(0),
    merchant: null,
    metadata,
    ...rest,
  } as Loose as unknown as CardAccountCommand;
}

export function opened(rest: Partial<CardAccountOpening> = {}): CardAccountCommand {
  return { type: 'open', account: { ...OPENING, ...rest }, metadata };
}

export function toppedUp(amount: number): CardAccountCommand {
  return command('topUp', {
    transactionId: 'top-up/1',
    entryId: 'top-up/1',
    cardId: null,
    amount: String(amount),
    chain: { account: OPENING.deposit, hash: '1', lt: '1' },
  });
}

export interface Run {
  readonly state: CardAccount;
  readonly events: readonly CardAccountEvent[];
  readonly refusals: readonly Refusal[];
}

/** What commands come to, one after the other; as the store does it, what is not recorded is not kept. */
export function after(...commands: readonly CardAccountCommand[]): Run {
  let state: CardAccount | null = initial();
  const events: CardAccountEvent[] = [];
  const refusals: Refusal[] = [];
  for (const next of commands) {
    const decision = decide(state, next);
    if (isRefusal(decision)) {
      refusals.push(decision);
      continue;
    }
    const stored = JSON.parse(JSON.stringify(decision)) as CardAccountEvent[];
    for (const event of stored) cardAccountKind.events.write(event, 'id', {});
    events.push(...stored);
    state = stored.reduce(evolve, state);
  }
  return { state: state!, events, refusals };
}
