import { once } from 'node:events';
import pino from 'pino';
import type { Clients } from '../../contracts/observation/observation';
import { workObservations } from '../../indexers/observations/worker';
import { createSourceLimits } from '../../indexers/observations/source-limits';
import { PUBLIC_WEB } from '../../indexers/ton/observations/public-web';
import { tokenDocumentObservation } from '../../indexers/ton/observations/token-document';
import { requestObservation } from '../../services/observations/reader';
import { openRecordedJobs } from '../doubles/jobs';
import { InMemoryLog } from '../doubles/log';
import { webOf } from '../doubles/public-web';
import { until } from '../until';

const HONEST = '198.51.100.7';
const stranger = (n: number): string => `192.0.2.${n + 1}`;

/** A worker that reads documents, of which those that a stranger named do not answer until the test says so. */
function fixture() {
  const jobs = openRecordedJobs();
  const log = new InMemoryLog();
  const stop = new AbortController();
  const stalled: { readonly uri: string; readonly end: () => void }[] = [];
  let now = 1;
  const web = webOf({ 'https://honest.com/token.json': '{"name":"Honest"}' });
  const clients: Partial<Clients> = {
    web: {
      ...web,
      async get(uri, request) {
        if (uri.startsWith('https://honest.com')) return web.get(uri, request);
        const ended = new Promise<void>(resolve => void stalled.push({ uri, end: resolve }));
        await Promise.race([ended, once(request.signal!, 'abort')]);
        throw new Error('timed out');
      },
    },
  };
  const ask = (caller: string, uri: string) =>
    requestObservation(jobs, tokenDocumentObservation, uri, { caller });
  const working = (): Promise<void> =>
    workObservations(
      {
        last: async () => null,
        observations: [tokenDocumentObservation],
        clients: clients as Clients,
        jobs,
        log,
        now: Date.now,
        logger: pino({ level: 'silent' }),
        limits: createSourceLimits(() => now),
      },
      stop.signal,
    );
  let work = Promise.resolve();
  return {
    jobs,
    ask,
    stalled,
    work: () => void (work = working()),
    /** All that hang reach their time limit. */
    timeOut(count = Infinity) {
      now += 5_000;
      for (const { end } of stalled.splice(0, count)) end();
    },
    reads: web.reads,
    published: () => log.stored.all.map(({ value }) => JSON.parse(value.toString()) as { subject: string }),
    async end() {
      stop.abort();
      await work;
      await jobs.close();
    },
  };
}

let documents: ReturnType<typeof fixture>;
beforeEach(() => (documents = fixture()));
afterEach(() => documents.end());

const isHonestRead = (): boolean =>
  documents
    .published()
    .some(({ subject }) => subject === encodeURIComponent('https://honest.com/token.json'));
const askHonestly = (): Promise<void> => documents.ask(HONEST, 'https://honest.com/token.json');

it.each([
  ['one site', (n: number) => `https://stalling.com/${n}`],
  ['hosts of one domain', (n: number) => `https://host${n}.stalling.com/`],
  ['many sites', (n: number) => `https://stalling${n}.com/`],
  ['contents of IPFS that nobody has', (n: number) => `ipfs://bafymadeup${n}/token.json`],
])('a document is read beside hundreds that a stranger asks for, which stall: %s', async (_, uriOf) => {
  for (let n = 0; n < 480; n++) await documents.ask(stranger(0), uriOf(n));
  await askHonestly();
  documents.work();
  await until(isHonestRead);
  expect(documents.stalled).toHaveLength(4);
});

it('a document is read with the turn of who asks for it also when a stranger has asked for it behind hundreds', async () => {
  for (let n = 0; n < 480; n++) await documents.ask(stranger(0), `https://stalling${n}.com/`);
  await documents.ask(stranger(0), 'https://honest.com/token.json');
  await askHonestly();
  documents.work();
  await until(isHonestRead);
});

it('a document that several ask for is read once', async () => {
  for (let n = 0; n < 8; n++) await documents.ask(stranger(0), `https://stalling${n}.com/`);
  await documents.ask(stranger(0), 'https://honest.com/token.json');
  await askHonestly();
  documents.work();
  await until(isHonestRead);
  await until(async () => {
    documents.timeOut();
    const { waiting, running } = await documents.jobs.counts('observe-public-web');
    return waiting + running === 0;
  });
  expect(documents.reads).toHaveLength(1);
});

it('a document is read beside those of a site that stalls, however many ask for them', async () => {
  for (let n = 0; n < 200; n++) await documents.ask(stranger(n), `https://stalling.com/${n}`);
  await askHonestly();
  documents.work();
  await until(isHonestRead);
});

it('a document is read after one of each stranger, when each asks for sites of its own', async () => {
  for (let n = 0; n < 480; n++) await documents.ask(stranger(n % 8), `https://stalling${n}.com/`);
  await askHonestly();
  documents.work();
  await until(() => documents.stalled.length === 16);
  for (let n = 0; n < 9; n++) {
    const { uri } = documents.stalled[0]!;
    documents.timeOut(1);
    await until(
      () =>
        isHonestRead() || documents.published().some(({ subject }) => subject === encodeURIComponent(uri)),
    );
  }
  await until(isHonestRead);
});

it('once sites have stalled, however many, they have a quarter of the reads together', async () => {
  for (let n = 0; n < 16; n++) await documents.ask(stranger(n), `https://stalling${n}.com/`);
  documents.work();
  await until(() => documents.stalled.length === 16);
  documents.timeOut();
  await until(() => documents.published().length === 16);
  for (let n = 0; n < 16; n++) await documents.ask(stranger(n), `https://stalling${n}.com/again`);
  await askHonestly();
  await until(isHonestRead);
  expect(documents.stalled).toHaveLength(4);
});

it('a document at a URL that is longer than ids of jobs may be is read, once for all who ask for it', async () => {
  const url = `https://honest.com/token.json?${'ü'.repeat(900)}`;
  await documents.ask(HONEST, url);
  await documents.ask(stranger(0), url);
  documents.work();
  await until(() => documents.published().length > 0);
  expect(documents.reads).toEqual([url]);
});

it('does not say in a job who has asked', async () => {
  await documents.ask(HONEST, 'https://honest.com/token.json');
  await documents.ask(HONEST, 'https://honest.com/other.json');
  await documents.ask(stranger(0), 'https://honest.com/third.json');
  const [first, second, third] = documents.jobs.added.map(({ data }) => data['caller']);
  expect(first).toBe(second);
  expect(first).not.toBe(third);
  expect(JSON.stringify(documents.jobs.added)).not.toContain(HONEST);
});

it('takes what one address of a gateway has for contents of their own', () => {
  const siteOf = (uri: string) => PUBLIC_WEB.siteOf!(uri);
  expect(siteOf('ipfs://ipfs/bafy1/1.json')).toBe(siteOf('https://ipfs.io/ipfs/bafy1/2.json'));
  expect(siteOf('ipfs://bafy1/1.json')).not.toBe(siteOf('ipfs://bafy2/1.json'));
  expect(siteOf('https://a.example.co.uk/1')).toBe(siteOf('http://b.example.co.uk/2'));
  expect(() => siteOf('no URI')).not.toThrow();
});
