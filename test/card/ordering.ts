import type { CardOrdering } from '../../services/card/card/decider';

/** A virtual card, as its holder has ordered it. */
export const CARD_ORDERING: CardOrdering = {
  cardId: 'card-1',
  accountId: 'account-1',
  network: 'testnet',
  userId: 'user-1',
  type: 'DEBIT',
  schema: 'visa',
  design: null,
  fiatCurrency: 'EUR',
  productId: 'virtual',
  personalizationCode: 'standard',
  fee: '0',
  delivery: null,
  replaces: null,
  sandbox: true,
};
