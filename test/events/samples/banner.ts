import type { Samples } from '../sample';

const data = { place: 'browser', id: '7', at: '2026-03-01T12:00:00.000Z', by: 'cli:ann' };

export const BANNER_SAMPLES: Samples = {
  BannerPublished: [
    { v: 1, data: { ...data, content: { id: 7, product_url: 'https://a.example', enabled: true } } },
    { v: 1, data: { ...data, place: 'advertisement', id: 'winter', content: { id: 'winter', weight: 1 } } },
  ],
  BannerRetired: [{ v: 1, data }],
};
