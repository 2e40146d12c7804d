import type { Bound } from '../../../../contracts/bound';

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
    file: 'services/card/user/decider.test.ts',
    test: 'that was guessed wrong five times is dead, whatever the next guess is',
  },
};

export const CARD_BOUNDS: readonly Bound[] = [USERS, TOKENS, CODES];
