import { readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { serversOf } from '../engines/engines';
import { claimDataDir } from '../engines/data-dir-claim';
import { isLockFile, isOwnData } from '../engines/data-dir-files';
import type { Config } from '../config/settings';
import { print } from '../program/commands/output';

export function resetCommand(config: () => Config): Command {
  return new Command('reset')
    .description(
      'delete everything that the program has stored in DATA_DIR: databases, local networks and keys. Refused while the program runs, and when engines are servers',
    )
    .option('--yes', 'confirm: this cannot be undone', false)
    .action(async ({ yes }: { readonly yes: boolean }, command: Command) => {
      const settings = config();
      const dataDir = resolve(settings.DATA_DIR);
      const servers = serversOf(settings);
      if (servers.length > 0)
        throw new Error(
          `${servers.join(', ')}: the data is on servers, which are reset with their own tools`,
        );
      if (!yes) command.error(`error: this cannot be undone; use --yes to delete all data in ${dataDir}`);
      const { deleted, kept } = deleteCreated(dataDir);
      print(
        { dataDir, deleted, kept },
        [
          `${dataDir}: deleted ${deleted.join(', ') || 'nothing'}`,
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
      .filter(name => !isLockFile(name))
      .sort();
    const deleted = names.filter(isOwnData);
    for (const name of deleted) rmSync(join(dataDir, name), { recursive: true, force: true });
    return { deleted, kept: names.filter(name => !deleted.includes(name)) };
  } finally {
    release();
  }
}
