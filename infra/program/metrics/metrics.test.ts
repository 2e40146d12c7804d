import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { serveOperators } from '../operators';
import { createMetrics, metricsRouter } from './metrics';

it('serves its metrics at an address of their own, compressed for who asks for it', async () => {
  const page = metricsRouter(createMetrics(), async () => undefined);
  const served = await serveOperators([page], {
    ...{ host: '127.0.0.1', port: 0 },
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
