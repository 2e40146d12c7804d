import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import '../../test/starts-programs';
import { FEE_CATEGORY } from '../../contracts/events/fee';
import { temporaryFolder } from '../../test/temporary-folder';
import { compiledPath } from '../engines/compiled-path';
import { openEmbeddedEngines } from '../engines/engines';
import { backup } from '../program/backup';
import { FEATURES } from '../program/features';
import { masterKey } from '../program/personal-texts';
import { openLedgerKeysFile } from '../program/features/ledger-tree/ledger-tree';
import { readConfig } from '../program/settings/config';

const READING = ['verify', 'status', 'export', 'audit'];

function run(command: string, DATA_DIR: string) {
  const env = { PATH: process.env.PATH, DATA_DIR, PORT: '1', METRICS_PORT: '1' };
  return spawnSync(process.execPath, [compiledPath('infra/cli/main.ts'), command], { env, encoding: 'utf8' });
}

const folder = join(temporaryFolder(), 'monday');

beforeAll(async () => {
  const config = readConfig({ DATA_DIR: temporaryFolder() });
  const engines = openEmbeddedEngines(config);
  await engines.store.append(`${FEE_CATEGORY}-a`, 'no_stream', [
    { id: randomUUID(), type: 'Happened', data: {}, metadata: { v: 1 } },
  ]);
  await engines.log.declare(FEATURES.topics);
  await engines.jobs.add({ queue: 'work', id: 'a', data: {} });
  await engines.close();
  await openLedgerKeysFile(config);
  await masterKey(config);
  // As a program that has run leaves it.
  for (const command of READING) run(command, config.DATA_DIR);
  await backup(config, folder);
});

const digests = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
      .map(file => [file, createHash('sha256').update(readFileSync(file)).digest('hex')]),
  );

it.each(READING)('%s of a backup leaves every file as it is, and adds none', command => {
  const before = digests();
  expect(run(command, folder)).toMatchObject({ status: command === 'status' ? 1 : 0, stderr: '' });
  expect(digests()).toEqual(before);
});
