import { writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { openKafkaLog } from '../../infra/engines/log/kafka/kafka-log';

/** Consumes a topic as a member of a group forever, slowly, and prints the value of each message when it is done. */
const consumeForever = async (
  broker: string,
  session: number,
  group: string,
  topic: string,
): Promise<void> => {
  const log = await openKafkaLog({
    brokers: [broker],
    sessionTimeoutMs: session,
    logger: pino({ level: 'silent' }),
  });
  const { signal } = new AbortController();
  await log.consume({ group, topics: [topic], batchSize: 5, signal }, async ({ messages }) => {
    for (const { value } of messages) {
      await pause(20);
      writeSync(1, `${value.toString()}\n`);
    }
  });
};

const [broker, session, group, topic] = process.argv.slice(2);
void consumeForever(broker!, Number(session), group!, topic!);
