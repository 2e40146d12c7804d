import { once } from 'node:events';
import type { Document, Write } from '../../../contracts/ports/documents';
import { openEmbeddedEngines } from '../../../infra/engines/engines';
import { readConfig } from '../../../infra/program/settings/config';
import type { DocumentRef } from './serve';

/** Documents that a commit changes: a disk makes fewer commits in a second than there are reads. */
const TOGETHER = 8;

const next = (refs: readonly DocumentRef[], from: number): DocumentRef[] =>
  Array.from({ length: Math.min(TOGETHER, refs.length) }, (_, i) => refs[(from + i) % refs.length]!);

/**
 * Program: changes the documents it is sent in turn, in durable commits, as their projection would in a process of its own.
 * Reports on request how many it has changed.
 */
async function main(): Promise<void> {
  const { documents } = openEmbeddedEngines(readConfig(process.env));
  let changing: readonly DocumentRef[] = [];
  let changes = 0;
  process.on('message', (request: 'changes' | readonly DocumentRef[]) => {
    if (request !== 'changes') changing = request;
    process.send!(changes);
  });
  for (;;) {
    if (changing.length === 0) await once(process, 'message');
    const writes: Write[] = [];
    for (const { collection, id } of next(changing, changes)) {
      const document = (await documents.get<Document & { _seen: number }>(collection, id))!;
      // Not a part of the answer, which stays comparable.
      writes.push({ collection, id, document: { ...document, _seen: document._seen + 1 } });
    }
    await documents.commit({ writes });
    changes += writes.length;
  }
}

void main();
