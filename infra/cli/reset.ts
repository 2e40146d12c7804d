import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { NETWORKS_FOLDER } from '../config/data-dir';
import { EMBEDDED_FILES, serversOf } from '../engines/engines';
import { claimDataDir, LOCK_FILE } from '../engines/data-dir-claim';
import type { Config } from '../config/settings';
import { print } from '../program/commands/output';

/** What the program creates in its data folder, databases without the files that SQLite adds. */
const CREATED = [...Object.values(EMBEDDED_FILES), 'running.json', NETWORKS_FOLDER, 'keys', 'jwks', 'as-of'];
const OF_SQLITE = /-(wal|shm|journal)$/;
const withoutSuffix = (name: string): string => name.replace(OF_SQLITE, '');

export function resetCommand(config: () => Config): Command {
  return new Command('reset')
    .description(
      'delete everything that the program has stored in DATA_DIR: databases, local networks and keys. Refused while the program runs, and when engines are servers',
    )
    .option('--yes', 'confirm: this cannot be undone', false)
    .action(async ({ yes }: { readonly yes: boolean }, command: Command) => {
      const settings = config();
      const { DATA_DIR } = settings;
      const servers = serversOf(settings);
      if (servers.length > 0)
        throw new Error(
          `${servers.join(', ')}: the data is on servers, which are reset with their own tools`,
        );
      if (!yes) command.error(`error: this cannot be undone; use --yes to delete all data in ${DATA_DIR}`);
      const { deleted, kept } = deleteCreated(DATA_DIR);
      print(
        { dataDir: DATA_DIR, deleted, kept },
        [
          `${DATA_DIR}: deleted ${deleted.join(', ')}`,
          ...(kept.length > 0 ? [`kept, not created by tidemark: ${kept.join(', ')}`] : []),
        ],
        command,
      );
    });
}

/** A running program has claimed the folder; none starts while this has. @throws CannotOpen */
function deleteCreated(dataDir: string): { readonly deleted: string[]; readonly kept: string[] } {
  const release = claimDataDir(dataDir);
  try {
    const names = readdirSync(dataDir)
      .filter(name => withoutSuffix(name) !== LOCK_FILE)
      .sort();
    const deleted = names.filter(name => CREATED.includes(withoutSuffix(name)));
    for (const name of deleted) rmSync(join(dataDir, name), { recursive: true, force: true });
    return { deleted, kept: names.filter(name => !deleted.includes(name)) };
  } finally {
    release();
  }
}
