import { MERCHANT_CATEGORY, merchantEvents } from '../../contracts/events/merchant';
import type { CollectionSpec, Document } from '../../contracts/ports/documents';
import type { EventProjection } from '../projection';
import type { Views } from '../views';

/** A merchant with the name set last; its fees may have other names. */
export type MerchantDocument = Document & {
  readonly name: string;
  readonly slug: string;
  readonly at: string;
  readonly by: string;
  /** Position of the event that set it. */
  readonly position: number;
};

export const MERCHANTS: CollectionSpec = { name: 'merchants', indexes: [] };

/** Named merchants in the order of their ids. @param after the id that they follow; without it, from the first one */
export async function listNamedMerchants(
  views: Views,
  after: string | undefined,
  limit: number,
): Promise<readonly MerchantDocument[]> {
  const filter = after === undefined ? {} : { _id: { gt: after } };
  return (await views.find<MerchantDocument>(MERCHANTS.name, { filter, limit })).documents;
}

export const merchantsProjection: EventProjection = {
  name: 'merchants',
  version: 1,
  categories: [MERCHANT_CATEGORY],
  collections: [MERCHANTS],
  touches: recorded => [{ collection: MERCHANTS.name, id: merchantEvents.read(recorded).data.merchant_id }],
  fold(_document, recorded) {
    const { data, position } = merchantEvents.read(recorded);
    const { merchant_id, name, slug, at, by } = data;
    return { _id: merchant_id, name, slug, at, by, position } satisfies MerchantDocument;
  },
};
