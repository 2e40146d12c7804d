import { appVerificationStream } from '../../contracts/events/app-verification';
import type { PublicWeb } from '../../contracts/ports/public-web';
import { appVerificationKind } from '../../services/apps/verification/decider';
import { startAppsProgram, type AppsProgram } from './program';

const HONEST = '198.51.100.7';
const stranger = (n: number): string => `192.0.2.${n + 1}`;

/** A double of the web: hosts named `app` have a title, those named `stall…` never answer, all others cannot be read. */
function startWeb() {
  let stalled = 0;
  const web: PublicWeb = {
    async read(url, { admit }) {
      const { hostname } = new URL(url);
      await admit?.(new URL(url));
      if (hostname.startsWith('stall')) {
        stalled += 1;
        return new Promise<never>(() => undefined);
      }
      if (!hostname.startsWith('app.') || new URL(url).pathname !== '/') throw new Error('404');
      return { bytes: Buffer.from(`<title>The ${hostname}</title>`), url, contentType: 'text/html' };
    },
    get: async () => Promise.reject(new Error('unused')),
  };
  return { web, stalled: () => stalled };
}

let web: ReturnType<typeof startWeb>;
let program: AppsProgram;
beforeEach(async () => {
  web = startWeb();
  program = await startAppsProgram({ clients: { web: web.web } });
});
afterEach(() => program.stop());

const read = async (from: string, url: string): Promise<string> =>
  (await program.call(from, `/apps/metadata?url=${encodeURIComponent(url)}`)).body.title;
/** Nobody waits for the answers. */
const attack = (count: number, urlOf: (n: number) => string, fromOf = (_n: number) => stranger(0)): void => {
  for (let n = 0; n < count; n++) read(fromOf(n), urlOf(n)).catch(() => undefined);
};
const verify = (url: string) =>
  program.deps.handle(appVerificationKind, appVerificationStream(url), {
    type: 'verify',
    url,
    reason: null,
    metadata: { now: new Date().toISOString(), actor: 'test' },
  });

it('an application is read beside 34 made-up hosts of its domain', async () => {
  for (let n = 0; n < 34; n++) await read(stranger(0), `https://a${n}.one-domain.com`);
  expect(await read(HONEST, 'https://app.one-domain.com')).toBe('The app.one-domain.com');
});

it('an application that operators have verified is read whatever strangers ask its domain for', async () => {
  const url = 'https://app.other-domain.com';
  await verify(url);
  for (let n = 0; n < 90; n++) await read(stranger(n % 9), `https://a${n}.other-domain.com`);
  expect(await read(HONEST, url)).toBe('The app.other-domain.com');
});

it('an application is read beside made-up addresses at its host, of several strangers', async () => {
  const url = 'https://app.eighth-domain.com';
  for (let n = 0; n < 36; n++) await read(stranger(n % 3), `${url}/${n}`);
  expect(await read(HONEST, url)).toBe('The app.eighth-domain.com');
});

it('an application that operators have verified is read whatever strangers ask its host for', async () => {
  const url = 'https://app.ninth-domain.com';
  await verify(url);
  for (let n = 0; n < 60; n++) await read(stranger(n % 9), `${url}/${n}`);
  expect(await read(HONEST, url)).toBe('The app.ninth-domain.com');
});

it('an application is read beside 26 hosts of a stranger that do not answer', async () => {
  attack(26, n => `https://stall.stranger${n}.com`);
  expect(await read(HONEST, 'https://app.third-domain.com')).toBe('The app.third-domain.com');
});

it('an application is read for its caller also when a stranger has asked for it behind such hosts', async () => {
  const url = 'https://app.fourth-domain.com';
  attack(26, n => (n === 20 ? url : `https://stall.stranger${n}.com`));
  expect(await read(HONEST, url)).toBe('The app.fourth-domain.com');
});

it('a host that does not answer takes the share of one caller, however many ask for it', async () => {
  attack(30, n => `https://stall.fifth-domain.com/${n}`, stranger);
  expect(await read(HONEST, 'https://app.sixth-domain.com')).toBe('The app.sixth-domain.com');
});

it('an application that operators have verified does not wait behind those of many strangers', async () => {
  const url = 'https://app.seventh-domain.com';
  await verify(url);
  attack(60, n => `https://stall.stranger${n}.com`, stranger);
  expect(await read(HONEST, url)).toBe('The app.seventh-domain.com');
});
