import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestOf } from '../../../contracts/http/billing/actions';
import type { JsonObject } from '../../../contracts/json/json';
import { openSqliteDocuments } from '../../../infra/engines/documents/sqlite/sqlite-documents';
import { openSqliteEventStore } from '../../../infra/engines/event-store/sqlite/sqlite-event-store';
import { createLogger } from '../../../infra/config/logger';
import { readEvents } from '../../../infra/verifier/export-lines';
import { ReportComputation } from '../../../infra/verifier/report-computation';
import { planReport } from '../../../infra/verifier/report-plan';
import { createCheckpoints } from '../../../services/ledger-tree/checkpoints';
import { makeLedgerKeys, openLedgerKeys } from '../../../services/ledger-tree/keys';
import { createProver } from '../../../services/ledger-tree/prover';
import { createLedgerTreeReader } from '../../../services/ledger-tree/reader';
import { runLedgerTreeBuilder } from '../../../services/ledger-tree/builder';

/** Reports that are verified, by the name of their file. */
const QUERIES: Readonly<Record<string, JsonObject>> = {
  revenue: { action: 'get_revenue' } satisfies RequestOf<'get_revenue'>,
  page: { action: 'list_fee_ledger', status: 'collected', page: 1_000, pageSize: 50 },
  csv: { action: 'export_revenue_csv' } satisfies RequestOf<'export_revenue_csv'>,
};

const POLL_MS = 20;

/** Program: builds the ledger tree of a store of fees, reports the events per second, and proves some reports. */
async function main(folder: string, documentsFile: string): Promise<void> {
  const store = openSqliteEventStore({ path: join(folder, 'events.sqlite') });
  const documents = openSqliteDocuments({ path: join(folder, documentsFile) });
  const file = join(folder, 'keys', 'ledger.json');
  await makeLedgerKeys(file);
  const keys = openLedgerKeys(file);
  const reader = createLedgerTreeReader(documents);
  const checkpoints = createCheckpoints({ store, instanceId: 'local', keys });
  const head = await store.head();
  const stop = new AbortController();

  const began = performance.now();
  const builder = runLedgerTreeBuilder(
    {
      store,
      documents,
      reader,
      checkpoints,
      logger: createLogger('warn'),
      now: () => new Date(),
      checkpointEvery: { events: 10_000, milliseconds: 600_000 },
    },
    stop.signal,
  );
  while ((await reader.includedUpTo()) < head) await sleep(POLL_MS);
  const seconds = (performance.now() - began) / 1_000;
  stop.abort();
  await builder.done;
  const { size } = await reader.headAt(head);
  const peak = process.resourceUsage().maxRSS / 1_024;

  const prover = createProver({
    reader,
    checkpoints,
    keys,
    instanceId: 'local',
    timeZone: 'UTC',
    projections: {},
    timeoutMs: 0,
  });
  const exported = join(folder, 'export.ndjson');
  for (const [name, query] of Object.entries(QUERIES)) {
    const computation = new ReportComputation(size, planReport(query, head));
    for await (const batch of readEvents(exported)) computation.add(batch);
    const body = await computation.finish(exported);
    const proof = await prover.prove({ query, body, position: head });
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(proof));
  }
  await Promise.all([store.close(), documents.close()]);
  process.send!({ rate: size / seconds, peak });
  process.disconnect();
}

void main(process.argv[2]!, process.argv[3]!);
