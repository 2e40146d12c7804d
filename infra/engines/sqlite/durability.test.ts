import { basename } from 'node:path';
import type Libsql from 'libsql';
import { pino } from 'pino';
import { temporaryFolder } from '../../../test/temporary-folder';
import { readConfig } from '../../program/settings/config';
import { EMBEDDED_FILES, openEmbeddedEngines, openMailbox } from '../engines';

const mockOpened: { readonly path: string; readonly database: Libsql.Database }[] = [];

jest.mock('libsql', () => {
  const Actual = jest.requireActual<new (path: string) => Libsql.Database>('libsql');
  return class extends Actual {
    constructor(path: string) {
      super(path);
      mockOpened.push({ path, database: this });
    }
  };
});

/** https://www.sqlite.org/pragma.html#pragma_synchronous */
const NORMAL = 1;
const FULL = 2;

test('every embedded engine flushes what it stores before it confirms it; the mailbox syncs its log itself', async () => {
  const folder = temporaryFolder();
  const config = readConfig({ DATA_DIR: folder });
  const engines = openEmbeddedEngines(config);
  const mailbox = await openMailbox(config, pino({ level: 'silent' }));
  await engines.documents.declare([{ name: 'things', indexes: [] }]);
  const writes = Array.from({ length: 2_000 }, (_, n) => String(n)).map(id => ({
    collection: 'things',
    id,
    document: { _id: id },
  }));
  await engines.documents.commit({ writes });
  // Their file is made with the first.
  await engines.jobs.add({ queue: 'things', id: 'a', data: {} });

  const settings = mockOpened.map(({ path, database }) => {
    const [row] = database.pragma('synchronous') as [{ readonly synchronous: number }];
    return [basename(path), row.synchronous];
  });
  const { store, log, documents, vault, jobs } = EMBEDDED_FILES;
  expect(Object.fromEntries(settings)).toEqual({
    ...Object.fromEntries([store, log, documents, vault, jobs].map(file => [file, FULL])),
    // `../mailbox/sqlite/durability.test.ts`
    [EMBEDDED_FILES.mailbox]: NORMAL,
  });
  await mailbox.close();
  await engines.close();
});
