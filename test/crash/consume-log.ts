import { writeSync } from 'node:fs';
import { openSqliteLog } from '../../infra/engines/log/sqlite/sqlite-log';

/**
 * Consumes a topic as a member of a group forever, and prints each message as topic, partition and offset before it is
 * acknowledged. A message with the value `stall` blocks its handler forever.
 */
const consumeForever = async (path: string, lease: number, group: string, topic: string): Promise<void> => {
  const log = openSqliteLog({ path, leaseMs: lease });
  const { signal } = new AbortController();
  await log.consume({ group, topics: [topic], batchSize: 3, signal }, async ({ partition, messages }) => {
    for (const { offset, value } of messages) {
      writeSync(1, `${topic} ${partition} ${offset}\n`);
      if (value.toString() === 'stall') await new Promise(() => setInterval(() => undefined, 1_000));
    }
  });
};

const [path, lease, group, topic] = process.argv.slice(2);
void consumeForever(path!, Number(lease), group!, topic!);
