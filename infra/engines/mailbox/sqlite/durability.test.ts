import type * as fs from 'node:fs';
import { join } from 'node:path';
import type { Mailbox } from '../../../../contracts/ports/mailbox';
import { bodies, mail } from '../../../../test/contracts/mailbox/harness';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { until } from '../../../../test/until';
import { openSqliteMailbox } from './sqlite-mailbox';

/** What waits for the disk. */
let syncs: ((error: Error | null) => void)[] = [];

jest.mock('node:fs', () => ({
  ...jest.requireActual<typeof fs>('node:fs'),
  fdatasync: (_file: number, done: (error: Error | null) => void) => syncs.push(done),
}));

const folder = temporaryFolder();

let mailbox: Mailbox;
beforeEach(() => {
  syncs = [];
  mailbox = openSqliteMailbox({ path: join(folder, 'mailbox.db') });
});
afterEach(() => mailbox.close());

test('a message is acknowledged once the disk has it, and delivered before', async () => {
  const acknowledged: string[] = [];
  const received: string[] = [];
  const receive = (messages: Parameters<typeof bodies>[0]): boolean => received.push(...bodies(messages)) > 0;
  mailbox.subscribe({ to: ['bob'], after: 0 }, { receive, ended: () => undefined });
  const post = (body: string) => mailbox.post(mail(body)).then(() => acknowledged.push(body));

  const first = post('a');
  await until(() => received.length === 1);
  const others = Promise.all([post('b'), post('c')]);
  await until(() => received.length === 3);
  expect([acknowledged, syncs.length]).toEqual([[], 1]);

  syncs.shift()!(null);
  await first;
  await until(() => syncs.length === 1);
  expect(acknowledged).toEqual(['a']);
  syncs.shift()!(null);
  await others;
  expect(acknowledged.sort()).toEqual(['a', 'b', 'c']);
});

test('a message that the disk has not taken is refused, and may be posted again', async () => {
  const refused = expect(mailbox.post(mail('d'))).rejects.toMatchObject({
    name: 'EngineUnavailable',
    engine: 'mailbox',
  });
  await until(() => syncs.length === 1);
  syncs.shift()!(new Error('EIO'));
  await refused;
  const again = mailbox.post(mail('d'));
  await until(() => syncs.length === 1);
  syncs.shift()!(null);
  expect(await again).toMatchObject({ isNew: false });
});
