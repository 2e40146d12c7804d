import { once as emitted } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { openKafkaLog } from '../../../infra/engines/log/kafka/kafka-log';
import { createLogger } from '../../../infra/config/logger';
import { openRedisWakeUps } from '../../../infra/engines/wake-ups/redis';
import { run } from '../child';
import { figure, once, quantile, type Figure } from '../figure';
import { tonMessages } from '../fill/ton-messages';
import { openBareConsumer, openBareProducer } from '../floors/bare-kafka';
import { interleave } from '../interleave';
import type { Row } from '../row';

/** Milliseconds between two samples, plus jitter. */
const SPACING = 10;
const NAME = 'bench';

type Sample = () => Promise<number>;

async function compared(what: string, samples: number, ours: Sample, floor: Sample): Promise<Figure[]> {
  const spaced =
    (sample: Sample) =>
    async (round: number): Promise<number> => {
      await sleep(SPACING + (round % 7));
      return sample();
    };
  // Warm-up.
  await interleave(20, { ours: spaced(ours), floor: spaced(floor) });
  const taken = await interleave(samples, { ours: spaced(ours), floor: spaced(floor) });
  return [0.5, 0.99].map(q =>
    figure(
      { what: `${what}: p${q * 100}`, unit: 'ms' },
      once(quantile(taken.ours, q), quantile(taken.floor, q)),
    ),
  );
}

/** From a notification until a waiter in another process wakes; the floor is pub/sub of Redis without the port. */
async function wakeUps(url: string, samples: number): Promise<Figure[]> {
  const port = await openRedisWakeUps({ url });
  const publisher = new Redis(url);
  await emitted(publisher, 'ready');
  const sleepers = {
    ours: run('programs/wake-up', ['port', url, NAME]),
    floor: run('programs/wake-up', ['bare', url, NAME]),
  };
  for (const sleeper of Object.values(sleepers)) await sleeper.next();
  const sample =
    (who: keyof typeof sleepers, announce: () => unknown): Sample =>
    async () => {
      const awake = sleepers[who].next<string>();
      const began = process.hrtime.bigint();
      announce();
      return Number(BigInt(await awake) - began) / 1e6;
    };
  const figures = await compared(
    'wake-up in another process',
    samples,
    sample('ours', () => port.notify([NAME])),
    sample('floor', () => publisher.publish(NAME, NAME)),
  );
  await Promise.all(Object.values(sleepers).map(sleeper => sleeper.stop()));
  await publisher.quit();
  await port.close();
  return figures;
}

/** From publishing a message until its handler is called, one at a time; the floor is kafkajs without the port. */
async function handled(broker: string, samples: number): Promise<Figure[]> {
  const log = await openKafkaLog({ brokers: [broker], logger: createLogger('fatal') });
  await log.declare(
    ['latency-ours', 'latency-floor'].map(name => ({ name, partitions: 8, cleanup: 'delete' })),
  );
  const messages = await tonMessages(1_000);
  const waiting: Record<'ours' | 'floor', () => void> = { ours: () => undefined, floor: () => undefined };
  const stop = new AbortController();
  const { signal } = stop;
  const consuming = log.consume({ group: 'latency', topics: ['latency-ours'], signal }, async () =>
    waiting.ours(),
  );
  const producer = await openBareProducer(broker);
  const consumer = await openBareConsumer(broker, 'latency-floor', 'latency-floor', () => waiting.floor());

  let n = 0;
  const sample =
    (who: keyof typeof waiting, publish: typeof log.publish): Sample =>
    async () => {
      const seen = new Promise<void>(resolve => (waiting[who] = resolve));
      const began = performance.now();
      const published = publish(`latency-${who}`, [messages[n++ % messages.length]!]);
      await seen;
      const took = performance.now() - began;
      await published;
      return took;
    };
  const figures = await compared(
    'published until handled',
    samples,
    sample('ours', log.publish),
    sample('floor', producer.send),
  );
  stop.abort();
  await Promise.all([consuming, consumer.close(), producer.close()]);
  await log.close();
  return figures;
}

export const row: Row = async ({ sized, say }) => {
  const samples = sized({ full: 1_000, quick: 150, smallest: 10 });
  say('wake-ups');
  const woken = await wakeUps(process.env['REDIS_URL']!, samples);
  say('messages');
  return [...woken, ...(await handled(process.env['KAFKA_BROKERS']!, samples))];
};
