import { createMemoryOrigins } from './memory';

const [app, other] = [
  { origin: 'https://app.example', ip: '1.1.1.1' },
  { origin: 'https://other.example', ip: '2.2.2.2' },
];

test('each connection is remembered for five minutes', async () => {
  let now = 1;
  const origins = createMemoryOrigins(() => now);
  origins.add(['ann', 'bob'], app);
  now += 200_000;
  origins.add(['ann'], other);
  expect(await origins.of('ann')).toEqual([app, other]);
  now += 100_000;
  expect(await origins.of('ann')).toEqual([other]);
  expect(await origins.of('bob')).toEqual([]);
});

test('of one client the last four origins are remembered, each once', async () => {
  const origins = createMemoryOrigins();
  const from = (n: number) => ({ ...app, ip: `1.1.1.${n}` });
  for (let n = 0; n < 20; n += 1) origins.add(['ann'], from(n));
  for (let n = 0; n < 20; n += 1) origins.add(['ann'], from(19));
  expect(await origins.of('ann')).toEqual([16, 17, 18, 19].map(from));
});
