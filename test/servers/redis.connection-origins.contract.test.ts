import { randomUUID } from 'node:crypto';
import { openRedisOrigins } from '../../infra/engines/connection-origins/redis';
import { until } from '../until';
import { describeConnectionOrigins } from '../contracts/connection-origins';
import { sharedRedis } from './shared-redis';

const url = sharedRedis();

describeConnectionOrigins('Redis', async settings => {
  const prefix = randomUUID();
  const [near, far] = [1, 2].map(() => openRedisOrigins({ url: url(), prefix, ...settings })) as [
    ReturnType<typeof openRedisOrigins>,
    ReturnType<typeof openRedisOrigins>,
  ];
  for (const each of [near, far]) await until(() => each.of('ready').then(() => true));
  return { near, far };
});

test('what could not be stored is stored as soon as Redis answers', async () => {
  const origins = openRedisOrigins({ url: url(), prefix: randomUUID() });
  // Not connected yet.
  origins.opened(['ann'], { origin: 'https://app.example', network: '1.1.1.1' });
  await until(async () => (await origins.of('ann')).origins.length === 1);
  await origins.close();
});
