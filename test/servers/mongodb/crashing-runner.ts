import { join } from 'node:path';
import { Collection } from 'mongodb';
import { pino } from 'pino';
import { openMongoDocuments } from '../../../infra/engines/documents/mongodb/mongodb-documents';
import { openSqliteEventStore } from '../../../infra/engines/event-store/sqlite/sqlite-event-store';
import { openSqliteLog } from '../../../infra/engines/log/sqlite/sqlite-log';
import { createLocalWakeUps } from '../../../infra/engines/wake-ups/local';
import { createProjectionEngine } from '../../../projections/engine/engine';
import { until } from '../../until';
import { ledger } from '../../projections/ledger';

/** Runs the ledger projection, and kills itself at the n-th write of documents after it is live: half of it is sent. */
const [url, database, folder, nth] = process.argv.slice(2) as [string, string, string, string];

let live = false;
let writes = 0;
const bulkWrite = Collection.prototype.bulkWrite;
Collection.prototype.bulkWrite = async function (operations, options) {
  if (!live || ++writes < Number(nth)) return bulkWrite.call(this, operations, options);
  await bulkWrite.call(this, operations.slice(0, Math.floor(operations.length / 2) || 1), options);
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
};

void (async () => {
  const documents = await until(() => openMongoDocuments({ url, database, wakeUps: createLocalWakeUps() }));
  const { signal } = new AbortController();
  const engine = createProjectionEngine({
    projections: [ledger],
    documents,
    store: openSqliteEventStore({ path: join(folder, 'events.db') }),
    log: openSqliteLog({ path: join(folder, 'log.db') }),
    clock: () => new Date(),
    logger: pino({ level: 'silent' }),
    signal,
  });
  live = true;
  await engine.run(signal);
})();
