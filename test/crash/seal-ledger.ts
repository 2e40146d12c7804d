import { join } from 'node:path';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import { createLogger } from '../../infra/program/logger';
import { createCheckpoints } from '../../services/seal/checkpoints';
import { openLedgerKeys } from '../../services/seal/keys';
import { readSeal } from '../../services/seal/reading';
import { runSealer } from '../../services/seal/sealer';

/** Seals the ledger of a folder for ever, signing often. */
const seal = async (folder: string): Promise<void> => {
  const store = openSqliteEventStore({ path: join(folder, 'events.sqlite') });
  const documents = openSqliteDocuments({ path: join(folder, 'documents.sqlite') });
  const keys = openLedgerKeys(join(folder, 'keys', 'ledger.json'));
  const { done } = runSealer(
    {
      store,
      documents,
      reading: readSeal(documents),
      checkpoints: createCheckpoints({ store, instanceId: 'local', keys }),
      logger: createLogger('warn'),
      now: () => new Date(),
      every: { events: 7, milliseconds: 60_000 },
    },
    new AbortController().signal,
  );
  await done;
};

void seal(process.argv[2]!);
