import type { Bound } from '../../../../contracts/bound';
import { MAX_STREAMS_OF_HOLDER } from '../../../../services/card/user/updates';

const file = 'test/card/places.test.ts';

const USERS: Bound = {
  of: 'card holders',
  owner: 'the owner of the key',
  max: '`MAX_CARD_USERS`, for good',
  share: 'in a day, a quarter of what the others leave',
  beyond: '429 `too_many_card_users` for new ones; card holders enrol again as before',
  attack: {
    file,
    test: 'a stranger with any number of keys leaves places for others, and who is enrolled enrols again',
  },
};

const TOKENS: Bound = {
  of: 'tokens of card holders',
  owner: 'the card holder',
  max: '`MAX_CARD_TOKENS`, each for 90 days',
  share: 'in a day, a quarter of what the others leave',
  beyond: '429 `too_many_card_tokens`; those that were issued stay valid',
  attack: {
    file,
    test: 'a stranger who enrols again and again leaves tokens for others, and theirs stay valid',
  },
};

const CODES: Bound = {
  of: 'codes that a card holder asks for within a day, and wrong guesses of each',
  owner: 'the card holder',
  max: '10, and 5 of each',
  share: 'all of it',
  beyond: '429 `too_many_card_codes`, and 409 `card_code_expired`',
  attack: {
    file,
    test: 'who guesses codes with the token of a holder has few guesses, and another holder confirms its own code',
  },
};

const CONTACT_CODES: Bound = {
  of: 'codes to one phone number or e-mail address',
  owner: 'who has the phone or the mailbox',
  max: '`RATE_LIMIT_CARD_CONTACT_CODES_PER_DAY` in a day, of all card holders',
  share: 'a quarter of what the others leave',
  beyond: '429 `rate_limited` until the day is over',
  note: 'Addresses that differ in case, dots or what follows a `+` are one.',
  attack: {
    file,
    test: 'strangers have few codes sent to a number or mailbox, and its owner gets one (%s)',
  },
};

const STREAMS: Bound = {
  of: 'streams of updates of a card holder, within those of all callers',
  owner: 'the card holder',
  max: String(MAX_STREAMS_OF_HOLDER),
  share: 'all of it',
  beyond: 'the oldest is closed with 1013 `too_many_connections`',
  attack: {
    file: 'test/card/updates.test.ts',
    test: 'have a bound: the oldest is closed, and those of others stay and are notified',
  },
};

export const CARD_BOUNDS: readonly Bound[] = [USERS, TOKENS, CODES, CONTACT_CODES, STREAMS];
