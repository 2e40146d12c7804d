import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openSqliteEventStore } from '../../../infra/engines/event-store/sqlite/sqlite-event-store';
import { exportLedger } from '../../../services/billing/export/ledger-export';
import { fillFees } from '../fill/fees';

/** Program: fills a store with that many events of fees, and exports them. */
async function main(folder: string, events: number): Promise<void> {
  const store = openSqliteEventStore({ path: join(folder, 'events.sqlite') });
  await fillFees(store, events);
  const head = await store.head();
  await pipeline(
    async function* () {
      for await (const { text } of exportLedger(store, head)) yield text;
    },
    createWriteStream(join(folder, 'export.ndjson')),
  );
  await store.close();
  process.send!('ready');
  process.disconnect();
}

void main(process.argv[2]!, Number(process.argv[3]));
