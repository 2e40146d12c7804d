import { refuse, type CommandMetadata, type Decider } from '../../../contracts/decider';
import { merchantSlugEvents, type MerchantSlugEvent } from '../../../contracts/events/merchant-slug';
import type { StreamKind } from '../../commands/stream-kind';

/** Id of the merchant with the slug; null when it is free. */
type SlugOwner = string | null;

interface TakeSlug {
  readonly type: 'take';
  readonly slug: string;
  readonly merchantId: string;
  readonly metadata: CommandMetadata;
}

/**
 * A slug belongs to the merchant that took it first, also after that merchant took another one: rows are found by the slug
 * they were recorded with, which must identify one merchant. A merchant may return to an earlier slug.
 */
export const merchantSlugDecider: Decider<SlugOwner, TakeSlug, MerchantSlugEvent> = {
  initial: () => null,

  evolve: (_owner, { data }) => data.merchant_id,

  decide(owner, { slug, merchantId }) {
    if (owner === null) return [{ type: 'MerchantSlugTaken', data: { slug, merchant_id: merchantId } }];
    if (owner === merchantId) return [];
    return refuse('merchant_slug_taken', `The slug ${slug} belongs to merchant ${owner}.`, {
      merchantId: owner,
    });
  },
};

export const merchantSlugKind: StreamKind<SlugOwner, TakeSlug, MerchantSlugEvent> = {
  decider: merchantSlugDecider,
  events: merchantSlugEvents,
};
