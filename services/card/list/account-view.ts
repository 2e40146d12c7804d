import { formatTonAddress } from '../../../contracts/account/address';
import { accountOfKey } from '../../../contracts/network/network';
import { availableOf, spentIn } from '../account/balance';
import { limitsAt } from '../account/state';
import { deadlinesOf, windowsOf } from '../account/windows';
import type { CardAccountView, CardVestingView } from '../../../contracts/http/card/fields';
import type { CardAccountDocument } from '../../../projections/card/accounts';
import type { CardDocument } from '../../../projections/card/cards';
import { debitCardView, type DecryptedDelivery } from './card-view';

/** A name of our own: another one would claim that apps know the contract. */
export const CONTRACT = 'tidemark.wallet';

/** An account as wallets list it, with its cards. @param now RFC 3339 UTC instant @param vestingAccounts those that pay to it */
export function accountView(
  account: CardAccountDocument,
  cards: readonly (readonly [CardDocument, DecryptedDelivery | null])[],
  now: string,
  vestingAccounts: readonly CardVestingView[] = [],
): CardAccountView {
  const { balance, currency, tzOffset, network } = account;
  const available = availableOf(balance);
  const debt = -BigInt(balance.posted);
  const [chain] = account.owner.split(':');
  const address = addressOf(account.deposit);
  return {
    id: account.accountId,
    type: 'crypto',
    accountIndex: account.accountIndex,
    seed: null,
    contract: CONTRACT,
    ownerAddress: addressOf(account.owner)!,
    state: account.state,
    balance: (available > 0n ? available : 0n).toString(),
    network: chain === 'ton' ? `ton-${network}` : 'solana',
    cryptoCurrency: {
      decimals: currency.decimals,
      ticker: currency.ticker,
      ...(currency.tokenContract !== null && { tokenContract: currency.tokenContract }),
    },
    createdAt: account.createdAt,
    ...(address !== null && { address, contractAddress: address }),
    ...(account.name !== null && { name: account.name }),
    hasBeenDepositedOnce: account.hasBeenDepositedOnce,
    tzOffset,
    prepaidOnly: false,
    partner: 'tidemark',
    isLatestContract: true,
    totalDebtCryptoAmountNano: (debt > 0n ? debt : 0n).toString(),
    brand: 'TONHUB',
    limits: limitsView(account, now),
    invoices: [],
    ...(vestingAccounts.length > 0 && { vestingAccounts: [...vestingAccounts] }),
    cards: cards.map(([card, delivery]) => debitCardView(card, delivery)),
  };
}

function limitsView(account: CardAccountDocument, now: string): CardAccountView['limits'] {
  const { balance, tzOffset } = account;
  const limits = limitsAt(account, now);
  const spent = spentIn(balance, windowsOf(now, tzOffset));
  const deadlines = deadlinesOf(now, tzOffset);
  return {
    tzOffset,
    onetime: limits.onetime,
    daily: limits.daily,
    monthly: limits.monthly,
    dailyDeadline: deadlines.day,
    dailySpent: spent.day,
    monthlyDeadline: deadlines.month,
    monthlySpent: spent.month,
  };
}

/** As wallets show it. @param key of an account of a chain: `ton:testnet:0:ab…` */
export function addressOf(key: string | null): string | null {
  if (key === null) return null;
  const { chain, network, address } = accountOfKey(key);
  return chain === 'ton' ? formatTonAddress(address, network, false) : address;
}
