import { serveWorkerThread } from '../engines/worker-thread/serve-worker-thread';
import { createWorkerLogger } from '../engines/worker-thread/worker-logger';
import type { DevnetMethods } from './devnet-thread';
import { solanaDevnetMethods } from './solana/devnet-methods';
import { tonDevnetMethods } from './ton/devnet-methods';

serveWorkerThread<DevnetMethods, string, string>(({ data: level, notify }) => {
  const logger = createWorkerLogger(level, notify);
  // The virtual machine of TON writes there when it rejects a message.
  // eslint-disable-next-line no-console
  console.error = (...text: unknown[]) => logger.debug({ text }, 'local networks');
  return { methods: { ...tonDevnetMethods(logger), ...solanaDevnetMethods(logger) } };
});
