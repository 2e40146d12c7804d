import { retryWhileBusy } from '../../sqlite/retry-while-busy';
import { serveWorkerThread } from '../../worker-thread/serve-worker-thread';
import { openCatalog } from './catalog';
import { connect } from './connection';
import { execute } from './write-transaction';
import type { WriterMethods } from './writer-thread';

/** Mostly new documents are written. */
const CACHE_MIB = 8;

serveWorkerThread<WriterMethods, string>(({ data: path }) => {
  const db = connect(path, CACHE_MIB);
  const catalog = openCatalog(db);
  return {
    methods: {
      execute: task => retryWhileBusy(() => db.transaction(() => execute(db, catalog, task))),
    },
    close: () => db.close(),
  };
});
