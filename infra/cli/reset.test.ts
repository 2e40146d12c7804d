import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../../test/command-line';
import { openEmbeddedEngines } from '../engines/engines';
import { claimDataDir, isDataDirClaimed } from '../engines/data-dir-claim';
import { resetCommand } from './reset';

const { run, config, DATA_DIR } = commandLine(resetCommand);
const stored = (): string[] => readdirSync(DATA_DIR).sort();

beforeEach(async () => {
  // As after a program that was killed: the files of SQLite stay beside their databases.
  await openEmbeddedEngines(config()).close();
  for (const folder of ['keys', 'networks', 'reports']) {
    mkdirSync(join(DATA_DIR, folder), { recursive: true });
    writeFileSync(join(DATA_DIR, folder, 'file'), 'x');
  }
  for (const file of ['events.sqlite-wal', 'running.json', 'notes.txt'])
    writeFileSync(join(DATA_DIR, file), '');
});

it('deletes nothing without --yes', async () => {
  const before = stored();
  await expect(run('reset')).rejects.toThrow('use --yes');
  expect(stored()).toEqual(before);
});

it('deletes nothing while a program runs', async () => {
  const release = claimDataDir(DATA_DIR);
  const before = stored();
  await expect(run('reset', '--yes')).rejects.toThrow('another tidemark is running on this folder');
  expect(stored()).toEqual(before);
  release();
});

it('deletes all that the program has created, and nothing else', async () => {
  const { deleted, kept } = JSON.parse(await run('--json', 'reset', '--yes')) as Record<string, string[]>;
  expect(kept).toEqual(['notes.txt', 'reports']);
  for (const name of ['documents.sqlite', 'events.sqlite', 'events.sqlite-wal', 'keys', 'networks'])
    expect(deleted).toContain(name);
  // What was deleted under its lock would lock nobody out of the folder.
  expect(stored().filter(name => !name.startsWith('running.lock'))).toEqual(kept);
  expect(isDataDirClaimed(DATA_DIR)).toBe(false);
});
