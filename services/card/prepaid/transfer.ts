import { IssuerRefused, IssuerUnavailable, type CardIssuer } from '../../../contracts/card-issuer/issuer';
import type { CardTransfer } from '../../../contracts/events/card-account';
import type { Position } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem/problem';
import type { CardAccountDocument } from '../../../projections/card/accounts';
import type { CardState } from '../../../projections/card/card-state';
import { moveAccount, type CardMoneyDeps } from '../account/commands';
import { expectMayBuy } from '../card/order';
import type { CardDeps } from '../deps';
import type { AskIssuer } from '../issuer/ask-issuer';
import { expectAccount, expectCard } from '../list/holdings';
import type { CallingHolder } from '../tokens/caller';

export interface PrepaidDeps extends CardMoneyDeps, Pick<CardDeps, 'store' | 'views' | 'handle' | 'clock'> {
  readonly askIssuer: AskIssuer;
  /** Fires when the program stops. */
  readonly signal: AbortSignal;
}

export interface PrepaidOrder {
  /** Of the card. */
  readonly id: string;
  readonly accountId: string;
  /** In the smallest unit of the card's currency. */
  readonly amount: string;
  /** The same one moves nothing again. */
  readonly key: string;
}

const RETRY_S = 5;

/**
 * Moves money between an account of a caller and a prepaid card of its own, at the rate of the issuer. What the account gives is rounded
 * up and what it gets rounded down, so that no rounding makes money. Sent is the decision: what a crash keeps from being received
 * a job receives.
 * @returns the position of the last event
 * @throws Problem 403 `card_user_suspended`, 404 `card_not_found`, `card_account_not_found`, 409 `card_step_missing`, `card_state`,
 * `card_account_state`, `card_funds_insufficient`, 503 `card_issuer_unavailable`
 */
export async function transferPrepaid(
  deps: PrepaidDeps,
  caller: CallingHolder,
  direction: 'load' | 'unload',
  { id, accountId, amount, key }: PrepaidOrder,
): Promise<Position> {
  expectMayBuy(caller);
  const card = await expectCard(deps, caller, id);
  if (card.type !== 'PREPAID') throw new Problem('card_state', 'The card is not prepaid.');
  const isLoad = direction === 'load';
  if (isLoad && (card.progress !== 'issued' || card.usage !== 'active'))
    throw new Problem('card_state', 'Only a card that may be used is loaded.');
  const account = await expectAccount(deps, caller, accountId);
  if (account.state !== 'ACTIVE')
    throw new Problem('card_account_state', `An account that is ${account.state} takes part in no transfer.`);
  const transactionId = `prepaid/${id}/${direction}/${key}`;
  const from = isLoad ? accountId : card.accountId;
  const transfer = await termsOf(deps, caller, card, account, { isLoad, amount });
  const metadata = { now: deps.clock().toISOString(), actor: caller.userId };
  const outcome = await moveAccount(deps, from, {
    type: 'sendTransfer',
    transactionId,
    entryId: transactionId,
    cardId: transfer.from.cardId,
    transfer,
    occurredAt: metadata.now,
    metadata,
  });
  if (outcome.refusal) throw Problem.of(outcome.refusal);
  const isSent = outcome.events.some(({ type }) => type === 'CardTransferSent');
  // With a key that was used before nothing is sent, and what was is received by its job.
  return isSent ? receiveTransfer(deps, transactionId, transfer) : outcome.position;
}

/** Both sides, at the rate of the issuer now. */
async function termsOf(
  deps: PrepaidDeps,
  caller: CallingHolder,
  card: CardState,
  account: CardAccountDocument,
  { isLoad, amount }: { readonly isLoad: boolean; readonly amount: string },
): Promise<CardTransfer> {
  const { ticker, decimals } = account.currency;
  const { fiatCurrency } = card;
  const of = { accountCurrency: { ticker, decimals }, fiatCurrency };
  const rate = await rateNow(deps, caller, of);
  const exact = BigInt(amount) * BigInt(rate.units);
  const roundUp = isLoad ? BigInt(rate.per) - 1n : 0n;
  const units = (exact + roundUp) / BigInt(rate.per);
  if (units === 0n)
    throw new Problem('card_funds_insufficient', 'That is less than the smallest unit of the account.');
  const ofAccount = {
    accountId: account.accountId,
    cardId: null,
    amount: units.toString(),
    currency: ticker,
  };
  const ofCard = { accountId: card.accountId, cardId: card.cardId, amount, currency: fiatCurrency };
  return isLoad ? { from: ofAccount, to: ofCard, rate } : { from: ofCard, to: ofAccount, rate };
}

async function rateNow(
  { askIssuer, signal }: PrepaidDeps,
  caller: CallingHolder,
  of: Parameters<CardIssuer['rate']>[0],
): Promise<CardTransfer['rate']> {
  try {
    return await askIssuer(caller, issuer => issuer.rate(of, { signal }), signal);
  } catch (error) {
    if (error instanceof IssuerRefused || error instanceof IssuerUnavailable)
      throw new Problem('card_issuer_unavailable', 'The issuer does not say its rate.', {
        retryAfter: RETRY_S,
      });
    throw error;
  }
}

/** What was sent is received on the other side, once. @throws Error for an account that does not exist */
export async function receiveTransfer(
  deps: CardMoneyDeps & Pick<PrepaidDeps, 'clock'>,
  transactionId: string,
  transfer: CardTransfer,
): Promise<Position> {
  const metadata = { now: deps.clock().toISOString(), actor: 'card-transfers' };
  const { accountId, cardId } = transfer.to;
  const outcome = await moveAccount(deps, accountId, {
    type: 'receiveTransfer',
    transactionId,
    entryId: transactionId,
    cardId,
    transfer,
    occurredAt: metadata.now,
    metadata,
  });
  if (outcome.refusal) throw new Error(`account ${accountId}: ${outcome.refusal.detail}`);
  return outcome.position;
}
