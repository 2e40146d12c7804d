import { CARD_TOKEN_CATEGORY } from '../../../contracts/events/card-token';
import { removeByDecider, type Retention } from '../../retention/retention';
import { cardTokenKind, TOKEN_VALID_DAYS } from './decider';

/** Once it has expired. A shorter age ends tokens before that. */
export const CARD_TOKEN_RETENTION: Retention = {
  name: 'card_token',
  of: 'tokens of card holders',
  category: CARD_TOKEN_CATEGORY,
  days: TOKEN_VALID_DAYS + 1,
  hasNoDocument: ({ type }) => type === 'CardTokenRemoved',
  remove: removeByDecider(cardTokenKind),
};
