import { LRUCache } from 'lru-cache';
import type { Document } from '../../../../contracts/ports/documents';
import type { Database } from '../../sqlite/database';
import { documentIn } from '../body';
import { frozen } from '../frozen';
import { joinedBodies, readBodies, readBody, type RowVersion } from './stored-text';
import { quoted } from './tables';

/** Approximate bytes of a cached document beside its text. */
const DOCUMENT_BYTES = 512;

/** More than a table has rows. */
const ROWS = 2 ** 36;

/** The parsed documents that were read last, by version: none is ever out of date. */
export interface DocumentCache {
  /**
   * The documents of these rows, which are frozen; null when another connection has changed one of them since its version
   * was read.
   * @throws DamagedData
   */
  read<D extends Document>(collection: string, rows: readonly RowVersion[]): D[] | null;
}

interface CachedDocument {
  readonly collection: string;
  readonly version: number;
  readonly document: Document;
}

/** @param maxBytes of all cached documents, approximately */
export function createDocumentCache(db: Database, maxBytes: number): DocumentCache {
  const documents = new LRUCache<number, CachedDocument>({ maxSize: maxBytes });
  const collections = new Map<string, number>();

  /** A number, which is looked up in less time than a text. */
  const firstKeyOf = (collection: string): number => {
    const known = collections.get(collection) ?? collections.size;
    if (known === collections.size) collections.set(collection, known);
    return known * ROWS;
  };

  const readMissing = (collection: string, rows: readonly RowVersion[]): string[] => {
    const sql = `SELECT body FROM json_each(?) AS wanted CROSS JOIN ${quoted(collection)} AS document
      ON document.rowid = wanted.value ->> 0 AND document.version = wanted.value ->> 1`;
    const wanted = JSON.stringify(rows.map(({ row, version }) => [row, version]));
    const [joined] = db.prepare<[Buffer | null]>(joinedBodies(sql)).get([wanted])!;
    return readBodies(joined, collection);
  };

  return {
    read: <D extends Document>(collection: string, rows: readonly RowVersion[]) => {
      const first = firstKeyOf(collection);
      const parse = ({ row, version }: RowVersion, body: string): D => {
        const document = frozen(documentIn<D>(body));
        documents.set(
          first + row,
          { collection, version, document },
          { size: DOCUMENT_BYTES + 2 * body.length },
        );
        return document;
      };
      const missing: RowVersion[] = [];
      const found = rows.map(row => {
        const known = documents.get(first + row.row);
        if (known?.version === row.version && known.collection === collection) return known.document as D;
        if (row.body) return parse(row, readBody(row.body, collection));
        missing.push(row);
        return null;
      });
      if (missing.length === 0) return found as D[];
      const bodies = readMissing(collection, missing);
      if (bodies.length < missing.length) return null;
      let next = 0;
      return found.map(document => document ?? parse(missing[next]!, bodies[next++]!));
    },
  };
}
