import { resolve } from 'node:path';
import { Argument, Command } from 'commander';
import type { Config } from '../config/settings';
import { assertDistributed } from '../engines/engines';
import { ROLES } from '../program/features';
import { announce } from './announce';
import { runUntilStopped } from './run-until-stopped';

export function runCommand(config: () => Config): Command {
  return new Command('run')
    .description('run roles in this process, on engines that other processes share')
    .addArgument(new Argument('<roles...>', 'roles to run').choices(ROLES))
    .action(async (roles: string[]) => {
      const settings = config();
      assertDistributed(
        settings,
        ' for roles in processes of their own; `tidemark start` runs all roles in one process',
      );
      await runUntilStopped(settings, roles, ({ url, checkHealth }, logger) =>
        announce({ url, roles, dataDir: resolve(settings.DATA_DIR) }, checkHealth, logger),
      );
    });
}
