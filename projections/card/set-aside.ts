import {
  CARD_WEBHOOK_CATEGORY,
  cardWebhookEvents,
  type CardWebhookEvent,
} from '../../contracts/events/card-webhook';
import type { CollectionSpec, Document } from '../../contracts/ports/documents';
import type { EventProjection } from '../projection';
import type { Views } from '../views';

/** A webhook of the issuer that could not be used. The id is its network and its own. */
export type SetAsideWebhook = Document & Extract<CardWebhookEvent, { type: 'CardWebhookSetAside' }>['data'];

const SET_ASIDE_WEBHOOKS: CollectionSpec = {
  name: 'card_webhooks_set_aside',
  indexes: [{ fields: [['at', 'desc']] }],
};

export const cardSetAsideProjection: EventProjection = {
  name: 'card-webhooks-set-aside',
  version: 1,
  categories: [CARD_WEBHOOK_CATEGORY],
  collections: [SET_ASIDE_WEBHOOKS],
  touches(recorded) {
    const { network, webhookId } = cardWebhookEvents.read(recorded).data;
    return [{ collection: SET_ASIDE_WEBHOOKS.name, id: `${network}:${webhookId}` }];
  },
  fold(_document, recorded, { id }) {
    const { type, data } = cardWebhookEvents.read(recorded);
    return type === 'CardWebhookRemoved' ? null : ({ ...data, _id: id } as SetAsideWebhook);
  },
};

/** The newest first. */
export async function findSetAsideWebhooks(
  views: Pick<Views, 'find'>,
  limit: number,
): Promise<readonly SetAsideWebhook[]> {
  const query = { order: [['at', 'desc']], limit } as const;
  return (await views.find<SetAsideWebhook>(SET_ASIDE_WEBHOOKS.name, query)).documents;
}
