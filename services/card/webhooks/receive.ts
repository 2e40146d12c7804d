import {
  ISSUER_WEBHOOK_TYPES,
  issuerWebhook,
  type IssuerWebhook,
} from '../../../contracts/card-issuer/webhooks';
import { cardStream } from '../../../contracts/events/card';
import { cardUserStream } from '../../../contracts/events/card-user';
import { cardWebhookStream } from '../../../contracts/events/card-webhook';
import { readJson } from '../../../contracts/json/read-json';
import { load } from '../../commands/load';
import { cardKind } from '../card/decider';
import { decideKyc } from '../user/commands';
import { cardUserKind } from '../user/decider';
import { receiveCardChange } from './card-change';
import { receiveChallenge } from './challenge';
import type { CardWebhookDeps, WebhookRef } from './deps';
import { receivePurchase } from './purchase';
import { RECORDED, setAside, type WebhookResult } from './result';
import { cardWebhookKind } from './set-aside-decider';

/**
 * Does what a webhook says, once, whenever it is repeated. What can never be used is set aside, so that the issuer does not repeat it
 * for ever.
 * @param body as it was sent, by the issuer
 */
export async function receiveWebhook(
  deps: CardWebhookDeps,
  ref: WebhookRef,
  body: string,
): Promise<WebhookResult> {
  const { type, read } = readWebhook(body);
  const result = 'webhook' in read ? await receive(deps, ref, read.webhook) : read;
  if (result.result === 'set_aside') {
    const { reason, detail } = result;
    const webhook = { ...ref, type: type.slice(0, MAX_TEXT), reason, detail: detail.slice(0, MAX_TEXT) };
    await deps.handle(cardWebhookKind, cardWebhookStream(ref.network, ref.webhookId), {
      type: 'set_aside',
      webhook,
      metadata: { now: deps.clock().toISOString(), actor: 'card issuer' },
    });
  }
  deps.onWebhook({ type: ISSUER_WEBHOOK_TYPES.includes(type) ? type : 'unknown', result: result.result });
  return result;
}

const MAX_TEXT = 300;

interface Read {
  /** Empty when it has none. */
  readonly type: string;
  readonly read: { readonly webhook: IssuerWebhook } | WebhookResult;
}

function readWebhook(body: string): Read {
  let json: unknown;
  try {
    json = readJson(body);
  } catch {
    return { type: '', read: setAside('unreadable', 'no JSON') };
  }
  const named = Object(json) as { readonly type?: unknown };
  const type = typeof named.type === 'string' ? named.type : '';
  if (!ISSUER_WEBHOOK_TYPES.includes(type)) return { type, read: setAside('unknown_type', type) };
  const parsed = issuerWebhook.safeParse(json);
  if (parsed.success) return { type, read: { webhook: parsed.data } };
  // Where it is wrong, not what it says.
  const [issue] = parsed.error.issues;
  return { type, read: setAside('unreadable', `${issue!.path.join('.')}: ${issue!.code}`) };
}

async function receive(
  deps: CardWebhookDeps,
  ref: WebhookRef,
  webhook: IssuerWebhook,
): Promise<WebhookResult> {
  if (webhook.type === 'kyc.decided') {
    const { userId, ...decision } = webhook.data;
    const user = await load(deps.store, cardUserKind, cardUserStream(userId));
    if (user?.network !== ref.network) return setAside('unknown_user', userId);
    await decideKyc(deps, userId, decision);
    return RECORDED;
  }
  const { cardId } = webhook.data;
  const card = await load(deps.store, cardKind, cardStream(cardId));
  if (card?.network !== ref.network) return setAside('unknown_card', cardId);
  switch (webhook.type) {
    case 'challenge.requested':
    case 'challenge.ended':
      return receiveChallenge(deps, webhook, card);
    case 'card.issued':
    case 'card.not_issued':
    case 'card.shipment':
    case 'card.changed':
    case 'card.replaced':
    case 'card.verification':
      return receiveCardChange(deps, webhook, card);
    default:
      return receivePurchase(deps, webhook, card, ref);
  }
}
