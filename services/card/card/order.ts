import type { z } from 'zod';
import { cardIdOf, cardStream } from '../../../contracts/events/card';
import type { orderCard } from '../../../contracts/http/card/own-cards';
import type { Position } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem/problem';
import { findCardsOf, findCardsOfAccount } from '../../../projections/card/cards';
import { cardUserState } from '../../../projections/card/fold-user';
import { expectAccount } from '../list/holdings';
import type { CardMoneyRoutesDeps } from '../money-deps';
import type { CardCaller } from '../tokens/caller';
import { load } from '../../commands/load';
import { openPrepaidAccount, prepaidAccountId } from '../prepaid/account';
import { changeCard } from './commands';
import { cardKind, type CardOrdering } from './decider';

type Order = z.output<NonNullable<typeof orderCard.body>>;

/**
 * Orders a card for an account of the caller; with the same key it is the same card.
 * @throws Problem 403 `card_user_suspended`, 404 `card_account_not_found`, 409 `card_step_missing`, `card_account_state`, `too_many_cards`
 */
export async function order(
  deps: CardMoneyRoutesDeps,
  caller: CardCaller,
  { accountId, key, type, schema, design, delivery }: Order,
): Promise<{ readonly cardId: string; readonly position: Position | null }> {
  const { store, views, texts, clock } = deps;
  expectMayBuy(caller);
  const account = await expectAccount(deps, caller, accountId);
  if (account.state !== 'ACTIVE')
    throw new Problem('card_account_state', `An account that is ${account.state} has no further cards.`);
  const cardId = cardIdOf(accountId, key);
  if (await load(store, cardKind, cardStream(cardId))) return { cardId, position: null };
  const { userId, network } = caller;
  const { countryCode, ...to } = delivery ?? {};
  const isPrepaid = type === 'PREPAID';
  const card: CardOrdering = {
    cardId,
    network,
    userId,
    type,
    schema,
    design: design ?? null,
    accountId: isPrepaid ? prepaidAccountId(userId, cardId) : accountId,
    fiatCurrency: account.fiatCurrency,
    productId: delivery ? 'plastic' : 'virtual',
    personalizationCode: 'standard',
    // It is loaded later: there is nothing yet to pay a fee from.
    fee: isPrepaid ? '0' : deps.priceOf(account.owner.startsWith('ton:') ? 'ton' : 'solana'),
    delivery: delivery
      ? { countryCode: countryCode!, details: await texts.encrypt(userId, JSON.stringify(to)) }
      : null,
    replaces: null,
    sandbox: deps.isSandbox(network),
  };
  const cards = isPrepaid
    ? (await findCardsOf(views, userId)).filter(each => each.type === 'PREPAID')
    : await findCardsOfAccount(views, accountId);
  const open = cards.filter(({ usage }) => usage !== 'closed').length;
  const metadata = { now: clock().toISOString(), actor: userId };
  // First the account, so that no card is without one.
  if (isPrepaid) await openPrepaidAccount(deps, account, card, metadata);
  const outcome = await changeCard(deps, cardId, { type: 'order', card, all: cards.length, open, metadata });
  if (outcome.refusal) throw Problem.of(outcome.refusal);
  return { cardId, position: outcome.position };
}

/** @throws Problem 403 `card_user_suspended`, 409 `card_step_missing` */
export function expectMayBuy({ user }: Pick<CardCaller, 'user'>): void {
  if (user.suspended) throw new Problem('card_user_suspended', 'The card holder is suspended.');
  const state = cardUserState(user);
  if (state !== 'ok') throw new Problem('card_step_missing', `The card holder is ${state}.`);
}
