import { join } from 'node:path';
import { OBSERVATIONS_TOPIC } from '../../../contracts/observation/observation';
import { TON_TRANSACTIONS } from '../../../contracts/chain/ton';
import { openEmbeddedEngines } from '../../../infra/engines/engines';
import { createLogger } from '../../../infra/config/logger';
import { openKafkaLog } from '../../../infra/engines/log/kafka/kafka-log';
import type { Log, NewMessage } from '../../../contracts/ports/log';
import { PROJECTIONS } from '../../../infra/program/features';
import { createProjectionEngine } from '../../../projections/engine/engine';
import { figure, paired, type Figure } from '../figure';
import { observations } from '../fill/observations';
import { tonMessages } from '../fill/ton-messages';
import { declareTopics } from '../fill/topics';
import { openBareConsumer } from '../floors/bare-kafka';
import { openRawTransactions } from '../floors/raw-transactions';
import { interleave } from '../interleave';
import type { Row } from '../row';

const TIMEOUT_MS = 60_000;
const PUBLISHED = 1_000;

/** Measures messages per second, from the assignment of partitions until all are handled. */
function stopwatch(total: number) {
  let began: number | null = null;
  let done = 0;
  const { promise: rate, resolve, reject } = deferred<number>();
  const timer = setTimeout(() => reject(new Error(`consumed ${done} of ${total}`)), TIMEOUT_MS);
  return {
    begin(): void {
      began ??= performance.now();
    },
    handled(messages: number): void {
      done += messages;
      if (done < total) return;
      clearTimeout(timer);
      resolve((done / (performance.now() - began!)) * 1_000);
    },
    rate,
  };
}

/** Starts the stopwatch when partitions are assigned. */
const watched = (log: Log, begin: () => void): Log => ({
  ...log,
  consume: (options, handle) =>
    log.consume(
      {
        ...options,
        async startAt(topic, partition) {
          begin();
          return options.startAt?.(topic, partition);
        },
      },
      handle,
    ),
});

function deferred<Value>() {
  let resolve!: (value: Value) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<Value>((...settle) => ([resolve, reject] = settle));
  return { promise, resolve, reject };
}

/**
 * Consuming a topic of eight partitions from its beginning, by one process: through the port by a handler that only
 * counts, and through the projection engine into documents in SQLite; against a consumer of kafkajs that only parses
 * the same messages. Each transaction becomes a document; of balances only the newest of an account is stored. A
 * separate row compares with a floor that stores transactions too.
 */
export const row: Row = async ({ sized, folder, say }) => {
  const broker = process.env['KAFKA_BROKERS']!;
  const logger = createLogger('fatal');
  const log = await openKafkaLog({ brokers: [broker], logger });
  await declareTopics(log);

  const publish = async (topic: string, messages: readonly NewMessage[]): Promise<void> => {
    say(`publishing ${messages.length} messages to ${topic}`);
    for (let at = 0; at < messages.length; at += PUBLISHED)
      await log.publish(topic, messages.slice(at, at + PUBLISHED));
  };

  const counted = (topic: string, total: number) => async (round: number) => {
    const watch = stopwatch(total);
    const stop = new AbortController();
    const consuming = watched(log, watch.begin).consume(
      { group: `counted-${round}`, topics: [topic], signal: stop.signal },
      async batch => watch.handled(batch.messages.length),
    );
    const perSecond = await Promise.race([watch.rate, consuming.then(() => Number.NaN)]);
    stop.abort();
    await consuming;
    return perSecond;
  };

  const projected = (name: string, total: number) => async (round: number) => {
    const { close, store, documents } = openEmbeddedEngines({ DATA_DIR: join(folder, `${name}-${round}`) });
    const watch = stopwatch(total);
    const stop = new AbortController();
    const engine = createProjectionEngine({
      projections: PROJECTIONS.filter(model => model.name === name),
      store,
      documents,
      log: watched(log, watch.begin),
      clock: () => new Date(),
      logger,
      signal: stop.signal,
      hooks: { onBatch: ({ inputs }) => watch.handled(inputs) },
    });
    const running = engine.run(stop.signal);
    const perSecond = await Promise.race([watch.rate, running.then(() => Number.NaN)]);
    stop.abort();
    await running;
    await close();
    return perSecond;
  };

  const bare =
    (topic: string, total: number, handle: (parsed: readonly never[]) => void = () => undefined) =>
    async (round: number) => {
      const watch = stopwatch(total);
      const group = `bare-${handle.name}-${round}`;
      const consumer = await openBareConsumer(
        broker,
        group,
        topic,
        parsed => {
          handle(parsed as readonly never[]);
          watch.handled(parsed.length);
        },
        watch.begin,
      );
      const perSecond = await watch.rate;
      await consumer.close();
      return perSecond;
    };

  const rounds = sized({ full: 6, quick: 3, smallest: 1 });
  const goal = { of: 'ratio', atLeast: 0.6 } as const;
  const named = (what: string, note: string) => ({ what: `consume, ${what}`, unit: 'messages/s', note });
  const unstored =
    'floor: kafkajs with its defaults, 1 MiB of a partition at once, parses each message and drops it';

  const transactions = async (): Promise<Figure[]> => {
    const topic = TON_TRANSACTIONS.name;
    const total = sized({ full: 40_000, quick: 20_000, smallest: 1_000 });
    await publish(topic, await tonMessages(total));
    const rates = await interleave(rounds, {
      counted: counted(topic, total),
      projected: projected('ton-transactions', total),
      parsed: bare(topic, total),
      stored: async round => {
        const table = openRawTransactions(join(folder, `raw-${round}.sqlite`));
        const perSecond = await bare(topic, total, table.commit)(round);
        table.close();
        return perSecond;
      },
    });
    return [
      figure(
        named('counted: to bare kafkajs', `${unstored}; ours parses nothing`),
        paired(rates.counted, rates.parsed),
        goal,
      ),
      figure(
        named('TON transactions: to bare kafkajs', unstored),
        paired(rates.projected, rates.parsed),
        goal,
      ),
      figure(
        named('TON transactions: to kafkajs and raw SQLite', 'floor: a durable transaction for each batch'),
        paired(rates.projected, rates.stored),
      ),
    ];
  };
  const balances = async (): Promise<Figure[]> => {
    const total = sized({ full: 600_000, quick: 100_000, smallest: 2_000 });
    await publish(OBSERVATIONS_TOPIC.name, observations(total));
    const rates = await interleave(rounds, {
      projected: projected('observed-solana-account', total),
      parsed: bare(OBSERVATIONS_TOPIC.name, total),
    });
    return [
      figure(
        named('Solana balances: to bare kafkajs', unstored),
        paired(rates.projected, rates.parsed),
        goal,
      ),
    ];
  };

  const figures = [...(await transactions()), ...(await balances())];
  await log.close();
  return figures;
};
