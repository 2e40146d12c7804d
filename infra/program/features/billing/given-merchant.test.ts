import type { MerchantBucket } from '../../../../projections/billing/revenue-buckets';
import type { Views } from '../../../../projections/views';
import { givenMerchantId, givenMerchantSlug } from './given-merchant';

/** Of fees with these ids and slugs of merchants. */
function viewsOf(...names: readonly (readonly [id: string, slug: string])[]): Views {
  const buckets = names.map(([merchant_id, merchant_slug]) => ({ merchant_id, merchant_slug }));
  async function* scan(_: string, { filter }: { readonly filter: Partial<MerchantBucket> }) {
    const { merchant_id: id, merchant_slug: slug } = filter;
    yield buckets.filter(
      each =>
        (id ?? each.merchant_id) === each.merchant_id && (slug ?? each.merchant_slug) === each.merchant_slug,
    );
  }
  return { scan } as unknown as Views;
}

const views = viewsOf(
  ['m1', 'ann'],
  ['m2', 'bob'],
  ['m2', 'robert'],
  ['m3', 'shared'],
  ['m4', 'shared'],
  ['ann', 'other'],
  ['eve', 'eve'],
  ['eve', 'eva'],
);

it.each([
  ['an id', 'm1', 'm1', 'ann'],
  ['a slug', 'bob', 'm2', 'bob'],
  ['an id that is the slug of another merchant', 'ann', 'ann', 'other'],
  ['an id that is its own slug, beside another one', 'eve', 'eve', 'eve'],
  ['what no fee has', 'nobody', 'nobody', 'nobody'],
])('%s', async (_, text, id, slug) => {
  const found = await givenMerchantSlug(views, text);
  expect([await givenMerchantId(views, text), found.slug]).toEqual([id, slug]);
  expect(found.others).toEqual(text === 'eve' ? ['eva'] : []);
});

it('refuses what may be meant in several ways', async () => {
  await expect(givenMerchantId(views, 'shared')).rejects.toThrow(
    /^shared is the slug of several merchants.*, of m3, m4$/,
  );
  await expect(givenMerchantSlug(views, 'm2')).rejects.toThrow(
    /^the fees of m2 have several slugs.*, of bob, robert$/,
  );
});
