import { join } from 'node:path';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import { createLogger } from '../../infra/config/logger';
import { createCheckpoints } from '../../services/ledger-tree/checkpoints';
import { openLedgerKeys } from '../../services/ledger-tree/keys';
import { createLedgerTreeReader } from '../../services/ledger-tree/reader';
import { runLedgerTreeBuilder } from '../../services/ledger-tree/builder';

/** Builds the ledger tree of a folder until it is killed, signing often. */
const build = async (folder: string): Promise<void> => {
  const store = openSqliteEventStore({ path: join(folder, 'events.sqlite') });
  const documents = openSqliteDocuments({ path: join(folder, 'documents.sqlite') });
  const keys = openLedgerKeys(join(folder, 'keys', 'ledger.json'));
  const { done } = runLedgerTreeBuilder(
    {
      store,
      documents,
      reader: createLedgerTreeReader(documents),
      checkpoints: createCheckpoints({ store, instanceId: 'local', keys }),
      logger: createLogger('warn'),
      now: () => new Date(),
      checkpointEvery: { events: 7, milliseconds: 60_000 },
    },
    new AbortController().signal,
  );
  await done;
};

void build(process.argv[2]!);
