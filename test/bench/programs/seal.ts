import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestOf } from '../../../contracts/http/billing-actions';
import type { JsonObject } from '../../../contracts/json';
import { createCalendar } from '../../../contracts/calendar';
import { openSqliteDocuments } from '../../../infra/engines/documents/sqlite/sqlite-documents';
import { openSqliteEventStore } from '../../../infra/engines/event-store/sqlite/sqlite-event-store';
import { createLogger } from '../../../infra/program/logger';
import { readEvents } from '../../../infra/verifier/export-lines';
import { FirstPass } from '../../../infra/verifier/first-pass';
import { questionOf } from '../../../infra/verifier/question';
import { createCheckpoints } from '../../../services/seal/checkpoints';
import { makeLedgerKeys, openLedgerKeys } from '../../../services/seal/keys';
import { createProver } from '../../../services/seal/prove';
import { readSeal } from '../../../services/seal/reading';
import { runSealer } from '../../../services/seal/sealer';

/** Reports that are verified, by the name of their file. */
const QUERIES: Readonly<Record<string, JsonObject>> = {
  revenue: { action: 'get_revenue' } satisfies RequestOf<'get_revenue'>,
  page: { action: 'list_fee_ledger', status: 'collected', page: 1_000, pageSize: 50 },
  csv: { action: 'export_revenue_csv' } satisfies RequestOf<'export_revenue_csv'>,
};

const LOOK_EVERY = 20;

/** Program: seals a store of fees from its beginning, tells how many events a second, and proves some reports. */
async function main(folder: string, documentsFile: string): Promise<void> {
  const store = openSqliteEventStore({ path: join(folder, 'events.sqlite') });
  const documents = openSqliteDocuments({ path: join(folder, documentsFile) });
  const file = join(folder, 'keys', 'ledger.json');
  await makeLedgerKeys(file);
  const keys = openLedgerKeys(file);
  const reading = readSeal(documents);
  const checkpoints = createCheckpoints({ store, instanceId: 'local', keys });
  const head = await store.head();
  const stop = new AbortController();

  const began = performance.now();
  const sealer = runSealer(
    {
      store,
      documents,
      reading,
      checkpoints,
      logger: createLogger('warn'),
      now: () => new Date(),
      every: { events: 10_000, milliseconds: 600_000 },
    },
    stop.signal,
  );
  while ((await reading.sealedTo()) < head) await sleep(LOOK_EVERY);
  const seconds = (performance.now() - began) / 1_000;
  stop.abort();
  await sealer.done;
  const { size } = await reading.historyAt(head);
  const peak = process.resourceUsage().maxRSS / 1_024;

  const prover = createProver({
    reading,
    checkpoints,
    keys,
    instanceId: 'local',
    timeZone: 'UTC',
    projections: {},
    patience: 0,
  });
  const exported = join(folder, 'export.ndjson');
  for (const [name, query] of Object.entries(QUERIES)) {
    const pass = new FirstPass(size, questionOf(query, createCalendar('UTC')));
    for await (const passage of readEvents(exported)) pass.take(passage);
    const body = await pass.answer(exported);
    const proof = await prover.prove({ query, body, position: head });
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(proof));
  }
  await Promise.all([store.close(), documents.close()]);
  process.send!({ rate: size / seconds, peak });
  process.disconnect();
}

void main(process.argv[2]!, process.argv[3]!);
