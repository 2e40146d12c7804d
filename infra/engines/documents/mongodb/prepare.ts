import type { Db } from 'mongodb';
import { CannotOpen } from '../../../config/cannot-open';
import { checkMongoDb } from '../../mongodb/check-mongodb';
import { create } from './declare';
import { CATALOG, CHECKPOINTS, CHECKS, COUNTERS } from './stored-document';

/** Numbered the commits of version 0.1, which stored documents as texts. A database of that has it. */
export const SEQUENCE = '_sequence';

export class OldLayout extends CannotOpen {
  constructor() {
    super('MONGODB_URL', 'its documents were stored by version 0.1');
  }
}

/** Checks the server, and leaves the collections of the adapter, with nothing in them. @throws CannotOpen; OldLayout */
export async function prepare(db: Db): Promise<void> {
  for (const name of [CHECKS, CATALOG, CHECKPOINTS, COUNTERS]) await create(db, name);
  await checkMongoDb(db.client, db.collection(CHECKS));
  if (await db.collection(SEQUENCE).findOne()) throw new OldLayout();
}
