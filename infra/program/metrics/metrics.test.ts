import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { serveOperators } from '../operators';
import { createMetrics, metricsRouter } from './metrics';

it('refuses a page of a browser on the machine whose name was made to lead there', async () => {
  const page = metricsRouter(createMetrics(), async () => undefined);
  const settings = { host: 'METRICS_HOST', port: 'METRICS_PORT' };
  const statusesAt = async (host: string): Promise<number[]> => {
    const served = await serveOperators([page], { host, port: 0, settings });
    const url = `http://127.0.0.1:${new URL(served.url).port}/metrics`;
    const statuses = await Promise.all(
      (
        [{ host: 'evil.example' }, { origin: 'https://evil.example' }, { host: 'localhost' }, {}] as const
      ).map(async headers => {
        const { statusCode, body } = await request(url, { headers });
        await body.dump();
        return statusCode;
      }),
    );
    await served.close();
    return statuses;
  };
  expect(await statusesAt('127.0.0.1')).toEqual([403, 403, 200, 200]);
  // Scrapers reach it by whatever name it has in their network.
  expect(await statusesAt('0.0.0.0')).toEqual([200, 200, 200, 200]);
});

it('serves its metrics at an address of their own, compressed for who asks for it', async () => {
  const page = metricsRouter(createMetrics(), async () => undefined);
  const served = await serveOperators([page], {
    host: '127.0.0.1',
    port: 0,
    settings: { host: 'METRICS_HOST', port: 'METRICS_PORT' },
  });
  const url = `${served.url}/metrics`;
  const plain = await request(url);
  expect(plain.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(await plain.body.text()).toContain('tidemark_http_request_duration_seconds');
  const compressed = await request(url, { headers: { 'accept-encoding': 'gzip' } });
  expect(compressed.headers['content-encoding']).toBe('gzip');
  const text = gunzipSync(Buffer.from(await compressed.body.arrayBuffer())).toString();
  expect(text).toContain('tidemark_http_request_duration_seconds');
  await served.close();
});
