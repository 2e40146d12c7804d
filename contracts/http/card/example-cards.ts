import { cardIdOf } from '../../events/card';
import { cardAccountId } from '../../events/card-account';
import { cardVestingId } from '../../events/card-vesting';
import { cardUserId } from '../../events/card-user';
import { LOCAL } from '../local-accounts';

const alice = cardUserId('mainnet', LOCAL.aliceKey);

/** Accounts of Alice on the local networks: the first is used, the other is there to be closed. */
export const EXAMPLE_CARD_ACCOUNTS = {
  used: cardAccountId(alice, 'ton'),
  unused: cardAccountId(alice, 'solana'),
} as const;

/** Cards that were ordered for the account that is used, by the keys with which they are ordered: each example changes another one. */
export const EXAMPLE_CARD_KEYS = [
  ...(['used', 'unpaid', 'frozen', 'to-freeze', 'to-block', 'to-close', 'prepaid'] as const),
] as const;
export type ExampleCardKey = (typeof EXAMPLE_CARD_KEYS)[number];

export function exampleCard(key: ExampleCardKey): string {
  return cardIdOf(EXAMPLE_CARD_ACCOUNTS.used, key);
}

export const EXAMPLE_VESTING_KEY = 'local';
/** A vesting account of Alice. */
export const EXAMPLE_CARD_VESTING = cardVestingId(EXAMPLE_CARD_ACCOUNTS.used, EXAMPLE_VESTING_KEY);
