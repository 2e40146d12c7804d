import type { CommandMetadata } from '../../../contracts/decider';
import { cardAccountId, type CardLimits } from '../../../contracts/events/card-account';
import { fiatDecimals } from '../../../contracts/money/fiat-decimals';
import { accountOfKey } from '../../../contracts/network/network';
import type { CardAccountDocument } from '../../../projections/card/accounts';
import { changeAccount, type CardMoneyDeps } from '../account/commands';
import type { CardOrdering } from '../card/decider';

/** What a prepaid card was loaded with is its limit. */
const NO_LIMIT = (10n ** 18n).toString();
const LIMITS: CardLimits = { onetime: NO_LIMIT, daily: NO_LIMIT, monthly: NO_LIMIT };

/** After the accounts of chains: prepaid cards are in a list of their own. */
const ACCOUNT_INDEX = 2;

/** The account of a prepaid card. */
export function prepaidAccountId(userId: string, cardId: string): string {
  return cardAccountId(userId, `prepaid/${cardId}`);
}

/** Opens the account of a prepaid card in the currency of the card, once. @param from the account that the card is ordered for */
export async function openPrepaidAccount(
  { handle }: Pick<CardMoneyDeps, 'handle'>,
  from: Pick<CardAccountDocument, 'owner' | 'tzOffset'>,
  { accountId, network, userId, fiatCurrency, sandbox }: CardOrdering,
  metadata: CommandMetadata,
): Promise<void> {
  await changeAccount({ handle }, accountId, {
    type: 'open',
    account: {
      accountId,
      network,
      userId,
      kind: 'prepaid',
      accountIndex: ACCOUNT_INDEX,
      name: null,
      owner: accountOfKey(from.owner),
      deposit: null,
      tzOffset: from.tzOffset,
      currency: { ticker: fiatCurrency, decimals: fiatDecimals(fiatCurrency), tokenContract: null },
      fiatCurrency,
      limits: LIMITS,
      state: 'ACTIVE',
      sandbox,
    },
    metadata,
  });
}
