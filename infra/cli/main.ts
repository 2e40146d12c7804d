#!/usr/bin/env node
import './supported-node.js';
import { Command } from 'commander';
import { messageOf } from '../../contracts/error-message';
import { readConfig } from '../program/config';
import { WrongSettings } from '../program/settings';
import { FEATURES } from '../program/features';
import { backupCommand } from './backup';
import { migrateCommand } from './migrate';
import { networksCommand } from './networks';
import { rebuildCommand } from './rebuild';
import { replayCommand } from './replay';
import { runCommand } from './run';
import { startCommand } from './start';
import { statusCommand } from './status';
import { tokenCommand } from './token';
import { verifyCommand } from './verify';

// Whatever the program writes is for its user alone: databases with SQLite's files beside them, keys, backups, exports.
process.umask(0o077);

const program = new Command('tidemark')
  .description('Backend of a TON and Solana wallet, and the billing ledger of the instance that runs it.')
  .option('--json', 'print JSON', false)
  .showHelpAfterError();

const config = () => readConfig(process.env);

const commands: readonly ((config: () => never) => Command)[] = [
  startCommand,
  runCommand,
  statusCommand,
  rebuildCommand,
  replayCommand,
  verifyCommand,
  backupCommand,
  migrateCommand,
  networksCommand,
  tokenCommand,
  ...FEATURES.flatMap(({ commands = [] }) => commands),
];
// The settings that a feature reads have been validated with all others.
for (const command of commands) program.addCommand(command(config as () => never));

program.parseAsync().catch((error: unknown) => {
  const message = messageOf(error);
  process.stderr.write(`${error instanceof WrongSettings ? 'wrong settings:\n' : ''}${message}\n`);
  // Threads of a failed start would keep the process running.
  process.exit(1);
});
