#!/usr/bin/env node
import { Command } from 'commander';
import { readConfig, WrongSettings } from '../config';
import { deadLettersCommand } from './dead-letters';
import { feesCommand } from './fees';
import { migrateCommand } from './migrate';
import { rebuildCommand } from './rebuild';
import { runCommand } from './run';
import { startCommand } from './start';
import { statusCommand } from './status';
import { tokenCommand } from './token';

const program = new Command('tidemark')
  .description('Backend of a TON and Solana wallet, and the billing ledger of the instance that runs it.')
  .option('--json', 'answer for programs instead of people', false)
  .showHelpAfterError();

const config = () => readConfig(process.env);

for (const command of [
  startCommand,
  runCommand,
  statusCommand,
  rebuildCommand,
  migrateCommand,
  tokenCommand,
  feesCommand,
  deadLettersCommand,
]) {
  program.addCommand(command(config));
}

program.parseAsync().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${error instanceof WrongSettings ? 'wrong settings:\n' : ''}${message}\n`);
  // Threads of a start that failed half-way would keep the process alive.
  process.exit(1);
});
