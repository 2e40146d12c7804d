import { serveWorkerThread } from '../engines/worker-thread/serve-worker-thread';
import { hashEvents } from './hash-events';
import type { HashMethods, HashProgress } from './hash-thread';

serveWorkerThread<HashMethods, undefined, HashProgress>(({ notify }) => ({
  methods: { hashFile: task => hashEvents(task, notify) },
}));
