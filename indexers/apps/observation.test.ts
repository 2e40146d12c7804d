import fc from 'fast-check';
import { appDomain, appSubject } from '../../contracts/chain/app-metadata';
import type { Clients } from '../../contracts/observation/observation';
import { webOf } from '../../test/doubles/public-web';
import { runs } from '../../test/random';
import { appObservation, unreadApp } from './observation';

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

it('knows nothing of a new application whose host was asked too often, and reads a known one later', async () => {
  const web = webOf({});
  const asked = new Set<string>();
  web.read = async (url, { admit }) => {
    await admit?.(new URL(url));
    asked.add(url);
    throw new Error('down');
  };
  const clients = { web } as Partial<Clients> as Clients;
  const urlOf = (n: number): string => `https://a${n}.busy-example.com`;
  for (let n = 0; n < 40; n++) expect((await unreadApp.read(clients, urlOf(n), signal)).data).toBeNull();
  expect(asked.size).toBe(60);
  await expect(appObservation.read(clients, urlOf(40), signal)).rejects.toThrow('60 times within a minute');
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
