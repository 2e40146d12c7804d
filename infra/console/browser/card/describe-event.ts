import type { CardEventView } from '../../../../contracts/http/card/accounts';
import { wholeUnits } from './units';

/** What amounts are written with. */
interface Account {
  readonly id: string;
  readonly cards?: readonly { readonly id: string }[];
  readonly cryptoCurrency: { readonly decimals: number; readonly ticker: string };
}

/** An event in words. Amounts are in the currency of the account that it concerns. */
export function describeEvent({ type, data, cardId }: CardEventView, accounts: readonly Account[]): string {
  const written = (units: string, account: Account | undefined): string => {
    if (!account) return `${units} units`;
    const { decimals, ticker } = account.cryptoCurrency;
    return `${wholeUnits(units, decimals)} ${ticker}`;
  };
  const amount = (units: string, accountId: string): string =>
    written(
      units,
      accounts.find(({ id }) => id === accountId),
    );
  switch (type) {
    case 'charge':
    case 'charge_failed':
    case 'charge_back': {
      const merchant = data.merchantInfo?.cleanName ?? data.merchantInfo?.dirtyName;
      return [
        `${data.txnCurrencyAmount} ${data.txnCurrency}`,
        merchant && `at ${merchant}`,
        `(${data.currencyAmount} ${data.currency}, ${amount(data.amount, data.accountId)})`,
        'reason' in data && `refused: ${[data.reason.type, data.reason.limit].filter(Boolean).join(', ')}`,
        'action' in data && data.action,
      ]
        .filter(Boolean)
        .join(' ');
    }
    case 'deposit':
    case 'crypto_account_withdraw':
      return amount(data.amount, data.accountId);
    case 'prepaid_topup':
      return `${data.amount} ${data.currency} for ${written(
        data.cryptoAmount,
        accounts.find(({ cryptoCurrency }) => cryptoCurrency.ticker === data.cryptoCurrency),
      )}`;
    case 'card_withdraw':
      return data.amount;
    case 'card_paid':
      return written(
        data.amount,
        accounts.find(({ cards = [] }) => cards.some(({ id }) => id === cardId)),
      );
    case 'limits_change': {
      const { onetime, daily, monthly } = data.limits;
      const limit = (units: string): string => amount(units, data.accountId);
      return `${limit(onetime)} at once, ${limit(daily)} a day, ${limit(monthly)} a month${data.pending ? ', pending' : ''}`;
    }
    case 'card_freeze':
    case 'card_block':
      return data.reason;
    case 'card_unfreeze':
      return data.byUser ? 'by the holder' : 'by the issuer';
    case 'card_ready':
    case 'contract_closed':
      return '';
  }
}
