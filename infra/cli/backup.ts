import { counted } from '../../contracts/text/counted';
import { Command } from 'commander';
import { backup } from '../program/backup';
import type { Config } from '../config/settings';
import { print } from '../program/commands/output';

export function backupCommand(config: () => Config): Command {
  return new Command('backup')
    .description(
      'copy the embedded databases, local networks and keys into a new folder, even while the program runs; to restore, stop the program, put DATA_DIR aside, and copy the folder there',
    )
    .argument('<folder>', 'created by this command; it will contain secrets')
    .action(async (folder: string, _options: object, command: Command) => {
      const report = await backup(config(), folder);
      const { files, servers } = report;
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      print(
        report,
        [
          `${folder}: ${counted(files.length, 'file')}, ${counted(bytes, 'byte')}`,
          ...servers.map(name => `${name} names a server: back it up with its own tools`),
        ],
        command,
      );
    });
}
