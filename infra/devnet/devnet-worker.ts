import { serveWorkerThread } from '../engines/worker-thread/serve-worker-thread';
import { createWorkerLogger } from '../engines/worker-thread/worker-logger';
import type { DevnetMethods } from './devnet-thread';
import { solanaDevnetMethods } from './solana/devnet-methods';
import { tonDevnetMethods } from './ton/devnet-methods';

serveWorkerThread<DevnetMethods, string, string>(({ data: level, notify }) => {
  const logger = createWorkerLogger(level, notify);
  return { methods: { ...tonDevnetMethods(logger), ...solanaDevnetMethods(logger) } };
});
