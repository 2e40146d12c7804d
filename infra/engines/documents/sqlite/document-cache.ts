import { LRUCache } from 'lru-cache';
import type { Document } from '../../../../contracts/ports/documents';
import type { Database } from '../../sqlite/database';
import { documentIn } from '../body';
import { frozen } from '../frozen';
import { joinedBodies, readBodies } from './stored-text';
import { quoted } from './tables';

/** Approximate bytes of a cached document beside its text. */
const DOCUMENT_BYTES = 512;

/**
 * Selects what identifies the content of a document for good, to be read by `readVersions`: its row, and the number of the
 * commit that wrote it. No number is used twice, also not for another document in the same row.
 */
export const VERSION = `rowid || ',' || CAST(version AS INTEGER) AS body`;

/** @param joined null for none */
export function readVersions(joined: Buffer | null): string[] {
  return joined?.toString('latin1').split('\n\n') ?? [];
}

/** The parsed documents that were read last, by version: none is ever out of date. */
export interface DocumentCache {
  /**
   * The documents of these versions, which are frozen; null when another connection has changed one of them since its
   * version was read.
   * @throws DamagedData
   */
  read<D extends Document>(collection: string, versions: readonly string[]): D[] | null;
}

/** @param maxBytes of all cached documents, approximately */
export function createDocumentCache(db: Database, maxBytes: number): DocumentCache {
  const documents = new LRUCache<string, Document>({ maxSize: maxBytes });

  const readMissing = (collection: string, versions: readonly string[]): string[] => {
    const sql = `SELECT body FROM json_each(?) AS wanted CROSS JOIN ${quoted(collection)} AS document
      ON document.rowid = wanted.value ->> 0 AND document.version = wanted.value ->> 1`;
    const [joined] = db.prepare<[Buffer | null]>(joinedBodies(sql)).get([`[[${versions.join('],[')}]]`])!;
    return readBodies(joined, collection);
  };

  return {
    read: <D extends Document>(collection: string, versions: readonly string[]) => {
      const keys = versions.map(version => `${collection} ${version}`);
      const found = keys.map(key => documents.get(key) as D | undefined);
      const missing = versions.filter((_, i) => !found[i]);
      if (missing.length === 0) return found as D[];
      const bodies = readMissing(collection, missing);
      if (bodies.length < missing.length) return null;
      let next = 0;
      return found.map((document, i) => {
        if (document) return document;
        const body = bodies[next++]!;
        const parsed = frozen(documentIn<D>(body));
        documents.set(keys[i]!, parsed, { size: DOCUMENT_BYTES + 2 * body.length });
        return parsed;
      });
    },
  };
}
