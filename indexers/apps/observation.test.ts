import fc from 'fast-check';
import { appDomain, appSubject } from '../../contracts/chain/app-metadata';
import type { Clients } from '../../contracts/observation/observation';
import { webOf } from '../../test/doubles/public-web';
import { runs } from '../../test/random';
import { TooManyWaiting } from '../../contracts/fair-semaphore';
import type { PublicWeb } from '../../contracts/ports/public-web';
import { appHosts, appObservation, REQUESTS_PER_MINUTE } from './observation';

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

it('says nothing of an application whose host was asked too often', async () => {
  for (let n = 0; n < REQUESTS_PER_MINUTE; n++)
    await appHosts.admit('busy.example', { caller: null, isKnown: true }).catch(() => undefined);
  const web: Pick<PublicWeb, 'read'> = {
    async read(url, { admit }) {
      await admit?.(new URL(url));
      throw new Error('asked too often');
    },
  };
  const reading = appObservation.read({ web } as unknown as Clients, 'https://busy.example', signal);
  await expect(reading).rejects.toThrow(TooManyWaiting);
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
