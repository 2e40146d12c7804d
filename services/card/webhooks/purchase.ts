import type { IssuerWebhook, IssuerWebhookOf } from '../../../contracts/card-issuer/webhooks';
import { cardAccountStream } from '../../../contracts/events/card-account';
import type { CardState } from '../../../projections/card/card-state';
import { archivedEntries } from '../account/archive';
import { authorise, moveAccount, type CardMovement } from '../account/commands';
import { cardAccountKind } from '../account/decider';
import type { CardAccount } from '../account/state';
import type { CardWebhookDeps, WebhookRef } from './deps';
import { RECORDED, resultOf, setAside, type WebhookResult } from './result';

type PurchaseWebhook = Extract<IssuerWebhook, { readonly data: { readonly cardAmount: unknown } }>;
type Decided = IssuerWebhookOf<'authorisation.decided' | 'increment.decided'>;
type Requested = IssuerWebhookOf<'authorisation.requested' | 'increment.requested'>;

/** A message about a purchase with a card: what the issuer asks is decided, what it says is recorded, in any order. */
export async function receivePurchase(
  deps: CardWebhookDeps,
  webhook: PurchaseWebhook | IssuerWebhookOf<'authorisation.voided' | 'authorisation.expired'>,
  card: CardState,
  { webhookId }: WebhookRef,
): Promise<WebhookResult> {
  const { type, data } = webhook;
  if (type === 'authorisation.voided' || type === 'authorisation.expired') {
    return resultOf(
      await moveAccount(deps, card.accountId, {
        type: type === 'authorisation.voided' ? 'recordVoided' : 'recordExpired',
        transactionId: data.transactionId,
        occurredAt: data.occurredAt,
        entryId: webhookId,
        cardId: card.cardId,
        metadata: metadataOf(deps),
      }),
    );
  }
  const { currency } = data.cardAmount;
  if (currency !== card.fiatCurrency)
    return setAside('other_currency', `${currency} of a card in ${card.fiatCurrency}`);
  switch (type) {
    case 'authorisation.requested':
    case 'increment.requested':
      return decide(deps, webhook, card, webhookId);
    case 'authorisation.decided':
    case 'increment.decided':
      return recordDecision(deps, webhook, card, webhookId);
    default:
      return resultOf(await moveAccount(deps, card.accountId, movementOf(deps, webhook, webhookId)));
  }
}

/** The answer is durable before it is given. */
async function decide(
  deps: CardWebhookDeps,
  webhook: Requested,
  card: CardState,
  webhookId: string,
): Promise<WebhookResult> {
  const isIncrement = webhook.type === 'increment.requested';
  const answer = await authorise(deps, card, { ...purchaseOf(deps, webhook, webhookId), isIncrement });
  if ('refusal' in answer) return resultOf(answer);
  return answer.approved ? { result: 'approved' } : { result: 'declined', reason: answer.reason };
}

/**
 * The issuer has decided itself, as no answer to a request had arrived in time; the request may still arrive, and may have been
 * decided otherwise here. It is recorded under the id of the request, so that this is decided once; where it was decided otherwise,
 * what has become of it at the issuer is recorded beside it.
 */
async function recordDecision(
  deps: CardWebhookDeps,
  webhook: Decided,
  { accountId }: CardState,
  webhookId: string,
): Promise<WebhookResult> {
  const { approved, requestId, transactionId } = webhook.data;
  const isIncrement = webhook.type === 'increment.decided';
  const request = purchaseOf(deps, webhook, requestId);
  const again = { ...request, entryId: webhookId };
  const approval = isIncrement ? 'recordIncremented' : 'recordAuthorised';
  const archived = await archivedEntries(deps.store, accountId, transactionId);
  const first = approved
    ? await moveAccount(deps, accountId, { ...request, type: approval })
    : await deps.handle(cardAccountKind, cardAccountStream(accountId), {
        ...request,
        type: 'authorise',
        isIncrement,
        blocked: 'issuer_declined',
        archived,
      });
  if (first.refusal) return resultOf(first);
  const entries = (first.state as CardAccount).transactions[transactionId]?.entries ?? archived;
  const here = isIncrement
    ? entries.find(({ id }) => id === requestId)
    : (entries.find(({ kind }) => kind === 'authorised') ?? entries.find(({ id }) => id === requestId));
  const isHeld = here?.kind === 'authorised' || here?.kind === 'incremented';
  if (isHeld === approved) return RECORDED;
  const movement: CardMovement = approved
    ? { ...again, type: approval }
    : isIncrement
      ? { ...again, type: 'recordReversed' }
      : { ...again, type: 'recordVoided' };
  return resultOf(await moveAccount(deps, accountId, movement));
}

function movementOf(
  deps: CardWebhookDeps,
  webhook: Exclude<PurchaseWebhook, Requested | Decided>,
  webhookId: string,
): CardMovement {
  const purchase = purchaseOf(deps, webhook, webhookId);
  switch (webhook.type) {
    case 'authorisation.reversed':
      return { ...purchase, type: 'recordReversed' };
    case 'purchase.cleared': {
      const { ofAuthorisation, final, forced, interchange } = webhook.data;
      return { ...purchase, type: 'recordCleared', ofAuthorisation, final, forced, interchange };
    }
    case 'purchase.refunded':
    case 'purchase.charged_back': {
      const { purchaseId, full } = webhook.data;
      const type = webhook.type === 'purchase.refunded' ? 'recordRefunded' : 'recordChargedBack';
      return { ...purchase, type, full, purchaseId };
    }
    case 'chargeback.reversed':
      return { ...purchase, type: 'recordChargebackReversed', purchaseId: webhook.data.purchaseId };
  }
}

function purchaseOf(deps: CardWebhookDeps, { data }: PurchaseWebhook, entryId: string) {
  const { transactionId, cardId, occurredAt, merchantAmount, cardAmount, rate, merchant } = data;
  return {
    transactionId,
    cardId,
    occurredAt,
    merchant,
    entryId,
    amounts: { merchant: merchantAmount, fiat: cardAmount, rate },
    metadata: metadataOf(deps),
  };
}

function metadataOf({ clock }: CardWebhookDeps) {
  return { now: clock().toISOString(), actor: 'card issuer' };
}
