import { refuse, type CommandMetadata, type Decider } from '../../../contracts/decider';
import { merchantEvents, type MerchantEvent } from '../../../contracts/events/merchant';
import type { NamedMerchant } from '../../../contracts/http/billing/merchants';
import type { StreamKind } from '../../commands/stream-kind';

export interface Merchant {
  readonly merchant_id: string;
  readonly name: string;
  readonly slug: string;
  /** RFC 3339 instant, and actor, of the last change. */
  readonly at: string;
  readonly by: string;
}

/** As it is returned. */
export function shownMerchant({ merchant_id, name, slug, at, by }: Merchant): NamedMerchant {
  return { merchantId: merchant_id, name, slug, setAt: at, setBy: by };
}

/** Omitted members stay as they are. */
export interface NameMerchant {
  readonly type: 'name';
  readonly merchantId: string;
  readonly name?: string | undefined;
  readonly slug?: string | undefined;
  readonly metadata: CommandMetadata;
}

/** The last name counts; nothing recorded under an earlier name changes. */
export const merchantDecider: Decider<Merchant | null, NameMerchant, MerchantEvent> = {
  initial: () => null,

  evolve: (_state, { data }) => data,

  decide(state, { merchantId, metadata, ...named }) {
    const name = named.name ?? state?.name;
    const slug = named.slug ?? state?.slug;
    if (name === undefined || slug === undefined)
      return refuse('merchant_not_found', `Merchant ${merchantId} is new: it needs a name and a slug.`);
    if (name === state?.name && slug === state.slug) return [];
    const { now: at, actor: by } = metadata;
    return [{ type: 'MerchantNamed', data: { merchant_id: merchantId, name, slug, at, by } }];
  },
};

export const merchantKind: StreamKind<Merchant | null, NameMerchant, MerchantEvent> = {
  decider: merchantDecider,
  events: merchantEvents,
};
