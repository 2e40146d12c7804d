import { CARD_CHALLENGE_CATEGORY } from '../../../contracts/events/card-challenge';
import { CARD_WEBHOOK_CATEGORY } from '../../../contracts/events/card-webhook';
import { removeByDecider, type Retention } from '../../retention/retention';
import { cardChallengeKind } from '../challenge/decider';
import { cardWebhookKind } from './set-aside-decider';

/** A challenge is answered within minutes. */
export const CARD_CHALLENGE_RETENTION: Retention = {
  name: 'card_challenge',
  of: 'what the issuer of cards has asked card holders',
  category: CARD_CHALLENGE_CATEGORY,
  days: 30,
  hasNoDocument: ({ type }) => type === 'CardChallengeRemoved',
  remove: removeByDecider(cardChallengeKind),
};

export const CARD_WEBHOOK_RETENTION: Retention = {
  name: 'card_webhook',
  of: 'webhooks of the issuer of cards that could not be used',
  category: CARD_WEBHOOK_CATEGORY,
  days: 30,
  hasNoDocument: ({ type }) => type === 'CardWebhookRemoved',
  remove: removeByDecider(cardWebhookKind),
};
