import { join } from 'node:path';
import { describeMailbox } from '../../../../test/contracts/mailbox';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { openSqliteMailbox } from './sqlite-mailbox';

const folder = temporaryFolder();

const pathOf = (place: string): string => join(folder, `${place}.db`);

describeMailbox(
  'SQLite',
  async (place, settings) => openSqliteMailbox({ path: pathOf(place), ...settings }),
  place => ['sqlite', pathOf(place)],
);
