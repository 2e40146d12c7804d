import { openKafkaLog } from '../../../infra/engines/log/kafka/kafka-log';
import { createLogger } from '../../../infra/config/logger';
import type { NewMessage } from '../../../contracts/ports/log';
import { figure, paired, type Figure } from '../figure';
import { tonMessages } from '../fill/ton-messages';
import { openBareProducer } from '../floors/bare-kafka';
import { interleave, rate } from '../interleave';
import type { Row } from '../row';

type Send = (topic: string, messages: readonly NewMessage[]) => Promise<void>;

interface CallPattern {
  readonly what: string;
  /** Messages in one call. */
  readonly batch: number;
  /** Concurrent calls. */
  readonly callers: number;
  readonly perRound: number;
}

const CALL_PATTERNS: readonly CallPattern[] = [
  { what: '1,000 a call, 1 caller', batch: 1_000, callers: 1, perRound: 20_000 },
  { what: '100 a call, 1 caller', batch: 100, callers: 1, perRound: 10_000 },
  { what: '100 a call, 16 callers', batch: 100, callers: 16, perRound: 20_000 },
];

/** Sends all messages by several callers, each waiting for its acknowledgement. */
async function sendAll(
  send: Send,
  topic: string,
  given: readonly NewMessage[],
  { batch, callers }: CallPattern,
) {
  let at = 0;
  const call = async (): Promise<void> => {
    while (at < given.length) {
      const messages = given.slice(at, at + batch);
      at += batch;
      await send(topic, messages);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
}

/**
 * Publishing through the port, against a producer of kafkajs with the same guarantees: idempotent, acknowledged by all
 * replicas. Both get the same messages in calls of the same size; neither has more than one request under way.
 */
export const row: Row = async ({ sized, say }) => {
  const broker = process.env['KAFKA_BROKERS']!;
  const log = await openKafkaLog({ brokers: [broker], logger: createLogger('fatal') });
  const bare = await openBareProducer(broker);
  const messages = await tonMessages(20_000);
  const bytes = messages.reduce((sum, { value }) => sum + value.length, 0);
  const note = `${Math.round(bytes / messages.length)} bytes a message`;

  const figures: Figure[] = [];
  for (const [index, manner] of CALL_PATTERNS.entries()) {
    const { what, perRound } = manner;
    say(what);
    const given = messages.slice(0, perRound);
    const topics = { ours: `publish-${index}-ours`, floor: `publish-${index}-floor` };
    await log.declare(Object.values(topics).map(name => ({ name, partitions: 8, cleanup: 'delete' })));
    const publish = { ours: log.publish, floor: bare.send };
    const timed = (who: 'ours' | 'floor') => () =>
      rate(perRound, () => sendAll(publish[who], topics[who], given, manner));
    const rounds = sized({ full: 10, quick: 3, smallest: 1 });
    const unmeasured = { ...manner, batch: 100 };
    for (const who of ['ours', 'floor'] as const)
      await sendAll(publish[who], topics[who], given.slice(0, 2_000), unmeasured);
    const { ours, floor } = await interleave(rounds, { ours: timed('ours'), floor: timed('floor') });
    for (const topic of Object.values(topics)) {
      const stored = (await log.endOffsets(topic)).reduce((sum, end) => sum + end, 0);
      if (stored !== rounds * perRound + 2_000) throw new Error(`${topic} holds ${stored} messages`);
    }
    figures.push(
      figure({ what: `publish, ${what}: to bare kafkajs`, unit: 'messages/s', note }, paired(ours, floor), {
        of: 'ratio',
        atLeast: 0.8,
      }),
    );
  }
  await bare.close();
  await log.close();
  return figures;
};
