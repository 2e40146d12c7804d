import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { EngineUnavailable } from '../../../../contracts/engine-unavailable';
import { patiently } from '../../sqlite/patience';
import { openCatalog } from './catalog';
import { connect } from './connection';
import { perform, type Task } from './tasks';
import type { Reply } from './thread';

/** MiB: long writes are mostly of new documents. */
const CACHE = 8;

/** Thread: does the tasks that the port brings, and ends at a null. */
function serve(port: MessagePort, path: string): void {
  const db = connect(path, CACHE);
  const catalog = openCatalog(db);

  const attempt = async (task: Task): Promise<Reply> => {
    try {
      await patiently(() => db.transaction(() => perform(db, catalog, task)));
      return null;
    } catch (error) {
      // The other side works out anew what an error of SQLite means: classes do not cross.
      const crossing = error instanceof EngineUnavailable ? error.cause : error;
      const { name, message, code } = crossing as Error & { code?: unknown };
      return { name, message, code };
    }
  };

  port.on('message', (task: Task | null) => {
    if (task) void attempt(task).then(reply => port.postMessage(reply));
    else {
      db.close();
      port.close();
    }
  });
}

serve(parentPort!, workerData as string);
