import fc from 'fast-check';
import { appDomain, appSubject } from '../../contracts/chain/app-metadata';
import type { Clients } from '../../contracts/observation/observation';
import { webOf } from '../../test/doubles/public-web';
import { runs } from '../../test/random';
import { appObservation } from './observation';

const { signal } = new AbortController();
const read = async (documents: Readonly<Record<string, string>>) =>
  (
    await appObservation.read(
      { web: webOf(documents) } as Partial<Clients> as Clients,
      'https://app.example.com',
      signal,
    )
  ).data;

it('observes that an application cannot be read, which takes back nothing', async () => {
  const known = await read({ 'https://app.example.com': '<title>App</title>' });
  expect(known).toMatchObject({ title: 'App' });
  const failed = await read({});
  expect(failed).toBeNull();
  const [older, newer] = [known, failed].map(data => ({ height: null, data }));
  expect(appObservation.merge!(older!, newer!)).toEqual(known);
  expect(appObservation.merge!(newer!, older!)).toEqual(known);
});

it('writes a subject that it reads back, under its registrable domain', () => {
  expect(appSubject.format('https://a.app.example.co.uk/x')).toMatch(/^example\.co\.uk\/https%3A/);
  fc.assert(
    fc.property(fc.webUrl({ validSchemes: ['https'], withFragments: true }), text => {
      const subject = appSubject.format(text);
      expect(appSubject.parse(subject)).toBe(text);
      expect(subject.split('/')).toEqual([appDomain(text), encodeURIComponent(text)]);
    }),
    runs(100),
  );
});
