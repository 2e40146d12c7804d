import { refuse, type CommandMetadata, type Decider } from '../../../contracts/decider';
import { merchantEvents, type MerchantEvent } from '../../../contracts/events/merchant';
import type { StreamKind } from '../../handle';

export interface Merchant {
  readonly merchant_id: string;
  readonly name: string;
  readonly slug: string;
  /** RFC 3339 instant, and who it was. */
  readonly at: string;
  readonly by: string;
}

/** What is left out stays as it is. */
export interface NameMerchant {
  readonly type: 'name';
  readonly merchantId: string;
  readonly name?: string | undefined;
  readonly slug?: string | undefined;
  readonly metadata: CommandMetadata;
}

/** A merchant is called what it was named last; nothing that was recorded under an earlier name changes. */
export const merchantDecider: Decider<Merchant | null, NameMerchant, MerchantEvent> = {
  initial: () => null,

  evolve: (_state, { data }) => data,

  decide(state, { merchantId, metadata, ...named }) {
    const name = named.name ?? state?.name;
    const slug = named.slug ?? state?.slug;
    if (name === undefined || slug === undefined)
      return refuse(422, 'merchant_unknown', `Merchant ${merchantId} is new: it needs a name and a slug.`);
    if (name === state?.name && slug === state.slug) return [];
    const { now: at, actor: by } = metadata;
    return [{ type: 'MerchantNamed', data: { merchant_id: merchantId, name, slug, at, by } }];
  },
};

export const merchantKind: StreamKind<Merchant | null, NameMerchant, MerchantEvent> = {
  decider: merchantDecider,
  events: merchantEvents,
};
