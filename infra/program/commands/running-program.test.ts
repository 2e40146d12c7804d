import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { temporaryFolder } from '../../../test/temporary-folder';
import { claimDataDir } from '../../engines/data-dir-claim';
import { readConfig } from '../settings/config';
import { publishRunning, type RunningProgram } from '../running-file';
import { askProgram } from './running-program';

const report = { status: 'degraded', checks: { program: 'ok', ton_mainnet_sources: 'refused' } };

let server: Server | null = null;
afterEach(() => new Promise(resolve => (server ? server.close(resolve) : resolve(undefined))));

/** Answers everything with a body. @returns its port */
async function answering(status: number, body: string): Promise<number> {
  const listening = createServer((_request, response) => response.writeHead(status).end(body));
  server = listening;
  await new Promise<void>(resolve => listening.listen(0, '127.0.0.1', resolve));
  return (listening.address() as AddressInfo).port;
}

const configOf = (more: Record<string, string> = {}) =>
  readConfig({
    DATA_DIR: temporaryFolder(),
    PORT: '1',
    METRICS_PORT: '1',
    ...more,
  });

const distributed = (more: Record<string, string> = {}) =>
  configOf({
    EVENTSTORE_URL: 'esdb://127.0.0.1:1',
    KAFKA_BROKERS: '127.0.0.1:1',
    MONGODB_URL: 'mongodb://127.0.0.1:1',
    REDIS_URL: 'redis://127.0.0.1:1',
    ERASURE_MASTER_KEY: Buffer.alloc(32).toString('base64'),
    ...more,
  });

/** As a program that runs on the folder. @returns ends it */
function publish(dataDir: string, program: RunningProgram): () => void {
  const release = claimDataDir(dataDir);
  const withdraw = publishRunning(dataDir, program);
  return () => {
    withdraw();
    release();
  };
}

describe('what the running program says of itself', () => {
  it('is asked where operators see the reasons, and at the API where nobody answers there', async () => {
    const port = await answering(503, JSON.stringify(report));
    const [url, unreachable] = [`http://127.0.0.1:${port}`, 'http://127.0.0.1:1'];
    const config = configOf();
    const startedAt = '2026-01-02T03:04:05.678Z';
    for (const [api, operatorsUrl] of [
      [unreachable, url],
      [url, unreachable],
    ] as const) {
      const end = publish(config.DATA_DIR, { pid: 7, url: api, operatorsUrl, startedAt });
      expect(await askProgram(config)).toMatchObject({ running: true, url: api, ...report });
      end();
    }
    expect(await askProgram(distributed({ METRICS_PORT: String(port) }))).toMatchObject({
      running: true,
      url: 'http://127.0.0.1:1',
      ...report,
    });
  });

  it('is its status alone where only the API answers', async () => {
    const port = String(await answering(200, '{"status":"ready"}'));
    expect(await askProgram(distributed({ PORT: port }))).toMatchObject({ status: 'ready', checks: {} });
  });

  it('is asked at the address that it has published, not at the one of the settings', async () => {
    const config = configOf();
    const url = `http://127.0.0.1:${await answering(503, JSON.stringify(report))}`;
    const startedAt = '2026-01-02T03:04:05.678Z';
    const operatorsUrl = url;
    const end = publish(config.DATA_DIR, { pid: process.pid, url, operatorsUrl, startedAt });
    expect(await askProgram(config)).toEqual({ running: true, url, pid: process.pid, startedAt, ...report });
    end();
    expect(await askProgram(config)).toMatchObject({ running: false, url: null, killed: null });
  });

  it('is nothing of a folder on which no program runs, although one answers at the address of the settings', async () => {
    const config = configOf({ PORT: String(await answering(200, '{"status":"ready"}')) });
    const reason = `no tidemark runs on ${config.DATA_DIR}`;
    expect(await askProgram(config)).toEqual({
      running: false,
      url: null,
      starting: false,
      killed: null,
      reason,
    });
  });

  it('that was killed is named, and what answers at its address by now is not taken for it', async () => {
    const config = configOf();
    const url = `http://127.0.0.1:${await answering(200, JSON.stringify(report))}`;
    const killed = { pid: 7, startedAt: '2026-01-02T03:04:05.678Z' };
    publishRunning(config.DATA_DIR, { ...killed, url, operatorsUrl: url });
    expect(await askProgram(config)).toMatchObject({
      running: false,
      url: null,
      starting: false,
      killed,
    });
  });

  it('is asked at HOST and PORT where the engines are servers, and at the address that is named', async () => {
    const port = String(await answering(200, JSON.stringify({ ...report, status: 'ready' })));
    const unknown = { pid: null, startedAt: null };
    expect(await askProgram(distributed({ PORT: port }))).toMatchObject({ running: true, ...unknown });
    // A program that listens on every address is asked on this machine's own.
    expect(await askProgram(distributed({ HOST: '0.0.0.0', PORT: port }))).toMatchObject({ status: 'ready' });
    expect(await askProgram(configOf(), `http://127.0.0.1:${port}/`)).toMatchObject({
      ...unknown,
      status: 'ready',
    });
  });

  it('is that it does not run, or only starts', async () => {
    expect(await askProgram(distributed())).toMatchObject({
      running: false,
      starting: false,
      reason: expect.stringMatching(/bad port|ECONNREFUSED/) as string,
    });
    const config = configOf();
    const release = claimDataDir(config.DATA_DIR);
    expect(await askProgram(config)).toMatchObject({ running: false, starting: true });
    release();
  });

  it.each([
    [200, '{"status":"fine"}'],
    [200, '<html>'],
  ])('is not believed of another program at that port (%i %s)', async (status, body) => {
    const config = distributed({ PORT: String(await answering(status, body)) });
    expect(await askProgram(config)).toMatchObject({
      running: false,
      starting: false,
      reason: 'what answers is not tidemark (HTTP 200)',
    });
  });

  it('is not found in words that name the fault', async () => {
    const port = await answering(200, '');
    await new Promise(resolve => server!.close(resolve));
    server = null;
    for (const [url, reason] of [
      [`http://127.0.0.1:${port}`, 'nothing listens there'],
      ['http://tidemark.invalid:3000', 'there is no host tidemark.invalid'],
    ] as const)
      expect(await askProgram(configOf(), url)).toMatchObject({ running: false, reason });
  });
});
