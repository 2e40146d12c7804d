import {
  blockCard,
  changeCardLimits,
  closeCard,
  closeCardAccount,
  freezeCard,
  orderCard,
  payForCard as payEndpoint,
  unfreezeCard,
} from '../../../contracts/http/card/own-cards';
import type { CardAccountView } from '../../../contracts/http/card/fields';
import type { WithoutMetadata } from '../../../contracts/decider';
import { Problem } from '../../../contracts/problem/problem';
import { CARD_ACCOUNTS } from '../../../projections/card/accounts';
import { findCardsOfAccount } from '../../../projections/card/cards';
import { bind, type Binding } from '../../http/binding';
import { changeAccount } from '../account/commands';
import type { CommandOf } from '../account/command';
import { accountView } from '../list/account-view';
import { answerWithCard } from '../list/card-answer';
import { deliveriesOf } from '../list/card-view';
import { expectAccount, expectCard } from '../list/holdings';
import type { CardMoneyRoutesDeps } from '../money-deps';
import { cardCaller, type CardCaller } from '../tokens/caller';
import { changeCard, payForCard } from './commands';
import { expectMayBuy, order } from './order';

/** Orders and changes of cards and accounts by their holders: these endpoints are ours. */
export function ownCardRoutes(deps: CardMoneyRoutesDeps): Binding[] {
  const { views, texts, clock, waitMs } = deps;
  const metadataOf = ({ userId }: CardCaller) => ({ now: clock().toISOString(), actor: userId });

  const changing = (
    endpoint: typeof freezeCard | typeof unfreezeCard | typeof blockCard | typeof closeCard,
    type: 'freeze' | 'unfreeze' | 'block' | 'close',
  ): Binding =>
    bind(endpoint, async call => {
      const caller = await cardCaller(deps, call, call.body.token);
      const { id } = call.body;
      await expectCard(deps, caller, id);
      const metadata = metadataOf(caller);
      const change = { by: 'holder', reason: 'by its holder', occurredAt: metadata.now, metadata } as const;
      const outcome = await changeCard(deps, id, { type, ...change });
      if (outcome.refusal) throw Problem.of(outcome.refusal);
      return answerWithCard(deps, caller, id, outcome.position);
    });

  const changed = async (
    caller: CardCaller,
    accountId: string,
    command: WithoutMetadata<CommandOf<'changeState' | 'changeLimits'>>,
  ): Promise<{ ok: true; account: CardAccountView }> => {
    const before = await expectAccount(deps, caller, accountId);
    const outcome = await changeAccount(deps, accountId, { ...command, metadata: metadataOf(caller) });
    if (outcome.refusal) throw Problem.of(outcome.refusal);
    await views.waitForPosition(CARD_ACCOUNTS.name, outcome.position, waitMs);
    const { state, limits, nextLimits, balance } = outcome.state!;
    const account = { ...before, state, limits, nextLimits, balance };
    const cards = await findCardsOfAccount(views, accountId);
    const deliveries = await deliveriesOf(texts, cards);
    const listed = cards.map((card, index) => [card, deliveries[index] ?? null] as const);
    return { ok: true as const, account: accountView(account, listed, clock().toISOString()) };
  };

  return [
    bind(orderCard, async call => {
      const caller = await cardCaller(deps, call, call.body.token);
      const { cardId, position } = await order(deps, caller, call.body);
      return answerWithCard(deps, caller, cardId, position);
    }),
    bind(payEndpoint, async call => {
      const caller = await cardCaller(deps, call, call.body.token);
      await expectCard(deps, caller, call.body.id);
      expectMayBuy(caller);
      const outcome = await payForCard(deps, call.body.id, metadataOf(caller));
      if (outcome.refusal) throw Problem.of(outcome.refusal);
      return answerWithCard(deps, caller, call.body.id, outcome.position);
    }),
    changing(freezeCard, 'freeze'),
    changing(unfreezeCard, 'unfreeze'),
    changing(blockCard, 'block'),
    changing(closeCard, 'close'),
    bind(changeCardLimits, async call => {
      const caller = await cardCaller(deps, call, call.body.token);
      const { id, limits } = call.body;
      return changed(caller, id, { type: 'changeLimits', limits, by: 'holder' });
    }),
    bind(closeCardAccount, async call => {
      const caller = await cardCaller(deps, call, call.body.token);
      return changed(caller, call.body.id, { type: 'changeState', to: 'MANUALLY_CLOSED', by: 'holder' });
    }),
  ];
}
