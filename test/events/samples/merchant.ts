import type { JsonObject } from '../../../contracts/json/json';
import type { Samples } from '../sample';

export const MERCHANT = {
  MerchantNamed: {
    merchant_id: 'm-1',
    name: 'Espresso & Co',
    slug: 'espresso',
    at: '2026-11-20T12:00:00.000Z',
    by: 'ann',
  },
} satisfies Record<string, JsonObject>;

export const MERCHANT_SAMPLES: Samples = {
  MerchantNamed: [{ v: 1, data: MERCHANT.MerchantNamed }],
  MerchantSlugTaken: [{ v: 1, data: { slug: 'espresso', merchant_id: 'm-1' } }],
};
