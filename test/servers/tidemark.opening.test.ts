import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Kafka, logLevel } from 'kafkajs';
import { Redis } from 'ioredis';
import { TON_TRANSACTIONS } from '../../contracts/chain/ton';
import { tidemark, type Settings } from '../e2e/tidemark';
import { freePorts } from './program';
import { startSecuredDouble } from './tidemark/secured-double';
import { startDedicatedServers, type DedicatedServers } from './tidemark/dedicated-servers';

const SECRET = 's3cret-passw0rd';

let servers: DedicatedServers;
let nowhere: string;
beforeAll(async () => {
  servers = await startDedicatedServers();
  const [port] = await freePorts(1);
  nowhere = `127.0.0.1:${port}`;
});
afterAll(() => servers?.stop());

/** The output of `tidemark run api` that cannot start, which must not contain stack traces or secrets. */
async function startupError(settings: Settings, lines = 1): Promise<string> {
  const { code, stdout, stderr } = await tidemark(['run', 'api'], {
    ...servers.settings,
    LOCAL_NETWORK_PORT: '4100',
    LOG_LEVEL: 'info',
    ...settings,
  });
  expect(code).toBe(1);
  const output = `${stdout}${stderr}`;
  expect(output).not.toMatch(/^\s+at /m);
  expect(output).not.toContain(SECRET);
  expect(stderr.trim().split('\n')).toHaveLength(lines);
  expect(stderr).toMatch(/^error: /);
  return stderr.trim().slice('error: '.length);
}

test.each([
  ['EVENTSTORE_URL', () => `esdb://admin:${SECRET}@${nowhere}?tls=false`],
  ['KAFKA_BROKERS', () => nowhere],
  ['MONGODB_URL', () => `mongodb://admin:${SECRET}@${nowhere}/?directConnection=true`],
  ['REDIS_URL', () => `redis://:${SECRET}@${nowhere}`],
])('%s: nothing listens there', async (setting, url) => {
  expect(await startupError({ [setting]: url() })).toMatch(
    new RegExp(`^${setting}: .*nothing listens (there|at)`),
  );
});

test('nothing listens at any of the four: all are named', async () => {
  const output = await startupError(
    {
      EVENTSTORE_URL: `esdb://${nowhere}?tls=false`,
      KAFKA_BROKERS: nowhere,
      MONGODB_URL: `mongodb://${nowhere}/`,
      REDIS_URL: `redis://${nowhere}`,
    },
    4,
  );
  const named = output.split('\n').map(line => /^(\w+): .*nothing listens (there|at)/.exec(line)?.[1]);
  expect(named.sort()).toEqual(['EVENTSTORE_URL', 'KAFKA_BROKERS', 'MONGODB_URL', 'REDIS_URL']);
});

test('two servers never answer: both are named', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  try {
    const output = await startupError(
      { KAFKA_BROKERS: `127.0.0.1:${port}`, MONGODB_URL: `mongodb://127.0.0.1:${port}/` },
      2,
    );
    expect(output).toMatch(/^KAFKA_BROKERS: .*\nMONGODB_URL: no writable server answered in time$/);
  } finally {
    silent.close();
  }
});

test('REDIS_URL: its memory is full', async () => {
  const admin = new Redis(servers.running.redis.url);
  await admin.config('SET', 'maxmemory', '1');
  try {
    expect(await startupError({})).toMatch(/^REDIS_URL: the memory of the Redis at .* is full/);
  } finally {
    await admin.config('SET', 'maxmemory', '0');
    await admin.quit();
  }
});

test('REDIS_URL: a password that is refused', async () => {
  const { url } = servers.running.redis;
  const admin = new Redis(url);
  await admin.config('SET', 'requirepass', 'right');
  try {
    const wrong = url.replace('//', `//default:${SECRET}@`);
    expect(await startupError({ REDIS_URL: wrong })).toMatch(
      /^REDIS_URL: .*rejects the user or the password/,
    );
    expect(await startupError({})).toMatch(/^REDIS_URL: .*requires a password/);
  } finally {
    await admin.config('SET', 'requirepass', '');
    await admin.quit();
  }
});

test('EVENTSTORE_URL: a password that is refused', async () => {
  const { urlFor, stop } = await startSecuredDouble('admin:right');
  try {
    expect(await startupError({ EVENTSTORE_URL: urlFor(`admin:${SECRET}`) })).toMatch(
      /^EVENTSTORE_URL: the server rejected the credentials/,
    );
  } finally {
    await stop();
  }
});

test('KAFKA_BROKERS: a topic with another number of partitions', async () => {
  const admin = new Kafka({
    brokers: [servers.running.kafka.url],
    logLevel: logLevel.NOTHING,
  }).admin();
  await admin.connect();
  const topic = TON_TRANSACTIONS.name;
  const numPartitions = TON_TRANSACTIONS.partitions + 1;
  await admin.createTopics({ topics: [{ topic, numPartitions }], waitForLeaders: true });
  await admin.disconnect();
  expect(await startupError({})).toMatch(
    new RegExp(`^KAFKA_BROKERS: topic ${topic} has ${numPartitions} partitions`),
  );
});
