import { Argument, Command } from 'commander';
import type { Config } from '../program/config';
import { assertDistributed } from '../engines/engines';
import { ROLES, type Role } from '../program/roles/role';
import { runUntilStopped } from './until-stopped';

export function runCommand(config: () => Config): Command {
  return new Command('run')
    .description('play roles in this process, on engines that other processes share')
    .addArgument(new Argument('<roles...>', 'what to be there for').choices(ROLES))
    .action(async (roles: Role[]) => {
      const settings = config();
      assertDistributed(settings);
      await runUntilStopped(settings, roles, async (running, logger) =>
        logger.info({ url: running.url, roles }, 'tidemark is up'),
      );
    });
}
