import { describeConnectionOrigins } from '../../../test/contracts/connection-origins';
import { createMemoryOrigins } from './memory';

describeConnectionOrigins('memory', async settings => {
  const origins = createMemoryOrigins(settings);
  return { near: origins, far: origins };
});

test('of a client that had to make room for others nothing is certain, until nothing of it would be remembered', async () => {
  let now = 1;
  const origins = createMemoryOrigins({ clock: () => now, maxClients: 10 });
  const app = { origin: 'https://app.example', ip: '1.1.1.1' };
  const evil = { origin: 'https://evil.example', ip: '6.6.6.6' };
  origins.opened(['ann'], app)();
  for (let n = 0; n < 10; n += 1) origins.opened([`other ${n}`], { ...evil, ip: `6.6.6.${n}` })();
  expect(await origins.of('other 9')).toEqual({ origins: [{ ...evil, ip: '6.6.6.9' }], mayBeMore: false });
  origins.opened(['ann'], evil)();
  expect(await origins.of('ann')).toEqual({ origins: [evil], mayBeMore: true });
  now += 300_001;
  origins.opened(['ann'], evil)();
  expect(await origins.of('ann')).toEqual({ origins: [evil], mayBeMore: false });
  await origins.close();
});

test('of a source that names very many clients its own are forgotten, and those of others are not', async () => {
  const origins = createMemoryOrigins({ maxClients: 40 });
  const app = { origin: 'https://app.example', ip: '1.1.1.1' };
  const flood = { origin: 'https://evil.example', ip: '6.6.6.6' };
  origins.opened(['ann'], app)();
  for (let n = 0; n < 400; n += 1) origins.opened([`made up ${n}`], flood)();
  expect(await origins.of('ann')).toEqual({ origins: [app], mayBeMore: false });
  expect((await origins.of('made up 389')).origins).toEqual([]);
  expect((await origins.of('made up 390')).origins).toEqual([flood]);
  await origins.close();
});
