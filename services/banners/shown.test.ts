import fc from 'fast-check';
import { advertisement, type AdViewer } from '../../contracts/http/catalog/banners';
import { runs } from '../../test/random';
import { adOfDay, whyNotFor, whyNotNow } from './shown';

const DAY = 86_400_000;
const ad = (id: string, more: object = {}) =>
  advertisement.parse({
    id,
    image: 'https://img.example/a.png',
    title: 'A',
    description: 'An app',
    url: 'https://a.example',
    start_date: 0,
    expiration_date: DAY,
    ...more,
  });
const viewer: AdViewer = { version: '2.3', platform: 'ios', language: 'zh-Hant' };

it.each([
  ['before it starts', 99, 'starts at 1970-01-01T00:00:00.100Z'],
  ['when it starts', 100, null],
  ['just before it ends', 199, null],
  ['when it ends', 200, 'ended at 1970-01-01T00:00:00.200Z'],
])('%s', (_when, now, why) => {
  expect(whyNotNow({ start_date: 100, expiration_date: 200 }, now)).toBe(why);
});

it('shows nothing that is disabled', () => {
  expect(whyNotNow({ start_date: 0, expiration_date: 2, enabled: false }, 1)).toBe('disabled');
});

it.each([
  ['everybody', {}, null],
  ['another platform', { platforms: ['android'] }, 'for android'],
  ['the platform', { platforms: ['android', 'ios'] }, null],
  ['the language of the wallet, whatever its region', { languages: ['zh'] }, null],
  ['another language', { languages: ['en', 'de'] }, 'in en, de'],
  ['versions from its own', { min_version: '2.3.0' }, null],
  ['later versions', { min_version: '2.3.1' }, 'from version 2.3.1'],
  ['versions up to its own', { max_version: '2.3' }, null],
  ['earlier versions', { max_version: '2.2.9' }, 'up to version 2.2.9'],
])('an advertisement for %s', (_who, more, why) => {
  expect(whyNotFor(ad('a', more), viewer)).toBe(why);
});

it('shows one advertisement all day, and each on a share of days as its weight', () => {
  const ads = [ad('a', { weight: 1 }), ad('b', { weight: 3 }), ad('c', { weight: 6 })];
  const days = [...Array(5_000).keys()].map(day => adOfDay(ads, day * DAY)!.id);
  const share = (id: string): number => days.filter(each => each === id).length / days.length;
  expect(share('a')).toBeCloseTo(0.1, 1);
  expect(share('b')).toBeCloseTo(0.3, 1);
  expect(share('c')).toBeCloseTo(0.6, 1);
  expect(adOfDay(ads, 7 * DAY + 1)).toBe(adOfDay([...ads].reverse(), 8 * DAY - 1));
});

it('chooses the same among others when one is removed that was not chosen', () => {
  const ids = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 2, maxLength: 8 });
  fc.assert(
    fc.property(ids, fc.nat(20_000), (each, day) => {
      const ads = each.map((id, i) => ad(id, { weight: 1 + i }));
      const chosen = adOfDay(ads, day * DAY)!;
      for (const removed of ads.filter(ad => ad !== chosen))
        expect(
          adOfDay(
            ads.filter(ad => ad !== removed),
            day * DAY,
          ),
        ).toBe(chosen);
    }),
    runs(100),
  );
});

it('is null when there is none', () => {
  expect(adOfDay([], 0)).toBeNull();
});
