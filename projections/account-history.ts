import { isInTime, type RemovedDocuments } from '../contracts/chain/removed-documents';
import { accountKey, type AccountRef } from '../contracts/network/network';
import type { CollectionSpec, Document } from '../contracts/ports/documents';
import type { LogMessage } from '../contracts/ports/log';
import type { AccountHistory, DocumentKey } from './projection';
import type { Views } from './views';

/** Documents that one record names of a collection. */
const PAGE_SIZE = 200;

/** The documents that a record takes from collections: from those first that say that others are complete. */
export function removedDocuments(
  input: LogMessage,
  { documents }: RemovedDocuments,
  collections: readonly CollectionSpec[],
): DocumentKey[] {
  if (!isInTime(input)) return [];
  return collections.flatMap(({ name }) =>
    [...new Set(documents[name])].map(id => ({ collection: name, id })),
  );
}

interface Collections {
  /** With one document for each account, whose id is the key of it. */
  readonly whole?: readonly CollectionSpec[];
  /** With documents whose ids begin with the key of the account and a `/`. */
  readonly parts?: readonly CollectionSpec[];
}

/** The documents of an account in collections where their ids say whose they are. */
export function historyIn({ whole = [], parts = [] }: Collections): AccountHistory['documents'] {
  return async (views, account) => {
    const key = accountKey(account);
    const ofWhole = whole.map(async ({ name }) =>
      [...(await views.getMany(name, [key])).keys()].map(id => ({ collection: name, id })),
    );
    const ofParts = parts.map(async ({ name }) =>
      (await documentsOf(views, name, account)).map(({ _id }) => ({ collection: name, id: _id })),
    );
    return (await Promise.all([...ofWhole, ...ofParts])).flat();
  };
}

/** Some of the documents of a collection whose ids begin with the key of an account and a `/`. */
export async function documentsOf<D extends Document>(
  views: Pick<Views, 'find'>,
  collection: string,
  account: AccountRef,
): Promise<readonly D[]> {
  const key = accountKey(account);
  // `0` is the character after `/`.
  const filter = { _id: { gt: `${key}/`, lt: `${key}0` } };
  return (await views.find<D>(collection, { filter, limit: PAGE_SIZE })).documents;
}
