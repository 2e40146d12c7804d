import { CARD_PROOF_CATEGORY } from '../../../contracts/events/card-proof';
import type { Retention } from '../../retention/retention';

/** A proof is accepted for minutes. */
export const CARD_PROOF_RETENTION: Retention = {
  name: 'card_proof',
  of: 'which signatures have enrolled wallets with the card service',
  category: CARD_PROOF_CATEGORY,
  days: 1,
  hasNoDocument: () => true,
};
