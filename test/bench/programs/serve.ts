import { readConfig } from '../../../infra/program/settings/config';
import { openEngines, type Engines } from '../../../infra/engines/engines';
import { createLogger } from '../../../infra/config/logger';
import { start } from '../../../infra/program/main';
import { ROLES } from '../../../infra/program/features';
import { distantStore } from '../doubles/distant-store';
import type { Document, Documents, Source } from '../../../contracts/ports/documents';

export interface DocumentRef {
  readonly collection: string;
  readonly id: string;
}

let sources: readonly Source[] = [];
let found: (readonly [collection: string, documents: readonly Document[]])[] = [];

/** The documents that the last answer was read from, each once. */
function documentsRead(): DocumentRef[] {
  const read = new Map<string, DocumentRef>();
  for (const [collection, documents] of found)
    if (sources.some(source => source.collection === collection))
      for (const { _id: id } of documents) read.set(`${collection} ${id}`, { collection, id });
  return [...read.values()];
}

/** Engines whose documents appear changed at every query, and which remember what the last one has found. */
async function withoutCachedAnswers(...how: Parameters<typeof openEngines>): Promise<Engines> {
  const engines = await openEngines(...how);
  const { documents } = engines;
  let queries = 0;
  const uncached: Documents = {
    ...documents,
    version: of => {
      sources = of;
      found = [];
      return Promise.resolve(String((queries += 1)));
    },
    async get<D extends Document>(collection: string, id: string) {
      const document = await documents.get<D>(collection, id);
      if (document) found.push([collection, [document]]);
      return document;
    },
    async find<D extends Document>(...query: Parameters<Documents['find']>) {
      const page = await documents.find<D>(...query);
      found.push([query[0], page.documents]);
      return page;
    },
  };
  return { ...engines, documents: uncached };
}

/** Engines whose event store is a millisecond away. */
async function withDistantStore(...how: Parameters<typeof openEngines>): Promise<Engines> {
  const engines = await openEngines(...how);
  return { ...engines, store: distantStore(engines.store) };
}

const REPLIES = {
  cpu: () => process.cpuUsage(),
  memory: () => process.memoryUsage.rss(),
  documents: documentsRead,
};

/**
 * Program: Tidemark as `npm start` runs it, under the settings of the environment; reports its URL, and its CPU time, its memory
 * or the documents it has read on request. With the argument `changing` no answer is cached, with `distant` the event store is a
 * millisecond away; other arguments are the roles that run, all by default.
 */
async function main(open: typeof openEngines, roles: readonly string[]): Promise<void> {
  const config = readConfig(process.env);
  const running = await start(config, createLogger(config.LOG_LEVEL), roles, open);
  process.on('message', (request: keyof typeof REPLIES) => process.send!(REPLIES[request]()));
  process.once('SIGTERM', () => void running.stop().then(() => process.exit(0)));
  process.send!(running.url);
}

const args = process.argv.slice(2);
const roles = ROLES.filter(role => args.includes(role));
const open = args.includes('changing')
  ? withoutCachedAnswers
  : args.includes('distant')
    ? withDistantStore
    : openEngines;
void main(open, roles.length > 0 ? roles : ROLES);
