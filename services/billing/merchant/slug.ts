import { refuse, type CommandMetadata, type Decider } from '../../../contracts/decider';
import { merchantSlugEvents, type MerchantSlugEvent } from '../../../contracts/events/merchant-slug';
import type { StreamKind } from '../../handle';

/** Whose a slug is; null when nobody has taken it. */
type SlugOwner = string | null;

interface TakeSlug {
  readonly type: 'take';
  readonly slug: string;
  readonly merchantId: string;
  readonly metadata: CommandMetadata;
}

/**
 * A slug belongs to the merchant that took it first, also after the merchant has gone on to another: the rows recorded
 * under it are found by it, and must not become those of two merchants. A merchant may go back to a slug of its own.
 */
export const merchantSlugDecider: Decider<SlugOwner, TakeSlug, MerchantSlugEvent> = {
  initial: () => null,

  evolve: (_owner, { data }) => data.merchant_id,

  decide(owner, { slug, merchantId }) {
    if (owner === null) return [{ type: 'MerchantSlugTaken', data: { slug, merchant_id: merchantId } }];
    if (owner === merchantId) return [];
    return refuse(409, 'merchant_slug_taken', `The slug ${slug} belongs to merchant ${owner}.`, {
      merchantId: owner,
    });
  },
};

export const merchantSlugKind: StreamKind<SlugOwner, TakeSlug, MerchantSlugEvent> = {
  decider: merchantSlugDecider,
  events: merchantSlugEvents,
};
