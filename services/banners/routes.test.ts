import request from 'supertest';
import type { BannerDocument } from '../../projections/banners/banners';
import { createTestApp } from '../../test/app';
import { bannerRoutes } from './routes';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const listing = (id: number, more: object = {}) => ({
  id,
  product_url: 'https://a.example',
  start_date: NOW - 1,
  expiration_date: NOW + 1,
  enabled: true,
  ...more,
});
const ad = (id: string, more: object = {}) => ({
  id,
  image: 'https://img.example/a.png',
  title: 'A',
  description: 'An app',
  url: 'https://a.example',
  start_date: NOW - 1,
  expiration_date: NOW + 1,
  weight: 1,
  ...more,
});
const at = (place: BannerDocument['place'], content: { readonly id: number | string }): BannerDocument => ({
  _id: `${place}:${content.id}`,
  place,
  content: content as BannerDocument['content'],
});
const VIEWER = 'version=2.3&buildNumber=231&platform=ios&language=en-GB';

/** The answer while these banners are published. */
async function get(path: string, ...banners: readonly BannerDocument[]) {
  const bindings = bannerRoutes({
    clock: () => new Date(NOW),
    views: {
      cached: (_query, compute) => compute(),
      async *scan<D>() {
        yield banners as readonly unknown[] as readonly D[];
      },
    },
  });
  const app = createTestApp(bindings);
  return (await request(app).get(path)).body as unknown;
}

it.each([
  ['browser', '/wallet/banners'],
  ['browser', '/tonhub/banners'],
  ['card', '/wallet/card-service/banners'],
  ['card', '/tonhub/holders/banners'],
] as const)('lists the banners of the %s that are shown now at %s', async (place, path) => {
  const shown = listing(1, { category: '{"id":"games"}', is_test: true });
  const others = [
    listing(2, { enabled: false }),
    listing(3, { start_date: NOW + 1, expiration_date: NOW + 2 }),
    listing(4, { expiration_date: NOW }),
  ];
  const elsewhere = at(place === 'card' ? 'browser' : 'card', listing(5));
  expect(await get(path, ...[shown, ...others].map(each => at(place, each)), elsewhere)).toEqual({
    banners: [shown],
  });
});

it('has the advertisement that is for the wallet, without what only operators need', async () => {
  const ads = [ad('old', { expiration_date: NOW }), ad('german', { languages: ['de'] }), ad('shown')];
  expect(await get(`/ads/banners?${VIEWER}`, ...ads.map(each => at('advertisement', each)))).toEqual({
    product: {
      id: 'shown',
      image: 'https://img.example/a.png',
      title: 'A',
      description: 'An app',
      url: 'https://a.example',
    },
  });
  expect(await get(`/ads/banners?${VIEWER}`, at('browser', listing(1)))).toEqual({ product: null });
});

it.each([
  ['version', 'version=latest&platform=ios&language=en'],
  ['platform', 'version=2.3&platform=windows&language=en'],
  ['language', 'version=2.3&platform=ios&language=%00'],
])('refuses a wrong %s', async (field, query) => {
  expect(await get(`/ads/banners?${query}`)).toMatchObject({
    code: 'invalid_request',
    errors: [{ pointer: `/query/${field}` }],
  });
});
