import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InvoiceContent } from '../../contracts/events/invoice';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import { draftLines } from '../../services/billing/invoice/parts';

/**
 * Drafts the invoice of `draft.json` in the folder, each line as a part of its own. The parent may kill it meanwhile.
 */
const main = async (folder: string): Promise<void> => {
  const store = openSqliteEventStore({ path: join(folder, 'events.sqlite') });
  const content = JSON.parse(readFileSync(join(folder, 'draft.json'), 'utf8')) as InvoiceContent;
  await draftLines(store, content, 1, { now: new Date().toISOString(), actor: 'ann' });
  await store.close();
};

void main(process.argv[2]!);
