import { isCommand, otherMerchantField, type AdminRequest } from '../../../contracts/http/billing/actions';
import { merchantStream } from '../../../contracts/events/merchant';
import { merchantSlugStream } from '../../../contracts/events/merchant-slug';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { Position } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem/problem';
import { merchantNames, REVENUE_BY_MERCHANT } from '../../../projections/billing/revenue-buckets';
import type { Views } from '../../../projections/views';
import { load } from '../../commands/load';
import { waitUntilFolded } from '../../commands/wait-until-folded';
import { merchantKind } from './decider';
import { merchantSlugKind } from './slug';

interface NamedDeps {
  readonly store: Pick<EventStore, 'readStream' | 'head'>;
  readonly views: Views;
  readonly waitMs: number;
}

/**
 * The request with its merchant in the field by which the action finds it: fees by the slug that they were recorded with, all
 * else by the id.
 * @param minPosition that the names include at least; for a command all that is recorded
 * @throws Problem 422 `merchant_not_found`, 400 where it has both fields, or several merchants or slugs may be meant, 503
 */
export async function withMerchantFound<Request extends AdminRequest>(
  request: Request,
  deps: NamedDeps,
  minPosition: Position | null,
): Promise<Request> {
  const named = otherMerchantField(request);
  if (!named) return request;
  const { foundBy, other: field, value } = named;
  if (foundBy in request) throw Problem.invalid('/body/merchantSlug', 'must not be beside merchantId');
  const position = isCommand(request) ? await deps.store.head() : minPosition;
  await waitUntilFolded(deps.views, [REVENUE_BY_MERCHANT.name], position, deps.waitMs);
  const found = await (foundBy === 'merchantId' ? idsOf : slugsOf)(deps, value);
  const [only, ...others] = [...new Set(found)].sort();
  const what = field === 'merchantId' ? 'id' : 'slug';
  if (only === undefined)
    throw new Problem('merchant_not_found', `There is no merchant with the ${what} ${value}.`);
  if (others.length > 0) throw Problem.invalid(`/body/${field}`, ambiguous[foundBy]([only, ...others]));
  const rest = Object.entries(request).filter(([name]) => name !== field);
  return { ...Object.fromEntries(rest), [foundBy]: only } as Request;
}

const ambiguous = {
  merchantId: (ids: readonly string[]) =>
    `the slug of several merchants: name one by its merchantId, of ${ids.join(', ')}`,
  merchantSlug: (slugs: readonly string[]) =>
    `the fees of this merchant have several slugs: name one by merchantSlug, of ${slugs.join(', ')}`,
};

/** Of the merchants whose fees have the slug, or that it was set for. */
async function idsOf({ views, store }: NamedDeps, slug: string): Promise<string[]> {
  const names = await merchantNames(views, { merchant_slug: slug });
  if (names.length > 0) return names.map(({ merchant_id }) => merchant_id);
  const owner = await load(store, merchantSlugKind, merchantSlugStream(slug));
  return owner === null ? [] : [owner];
}

/** Of the fees of the merchant, or the one that was set for it. */
async function slugsOf({ views, store }: NamedDeps, id: string): Promise<string[]> {
  const names = await merchantNames(views, { merchant_id: id });
  if (names.length > 0) return names.map(({ merchant_slug }) => merchant_slug);
  const merchant = await load(store, merchantKind, merchantStream(id));
  return merchant === null ? [] : [merchant.slug];
}
