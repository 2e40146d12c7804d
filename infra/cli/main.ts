#!/usr/bin/env node
import { Command } from 'commander';
import { readConfig, WrongSettings } from '../program/config';
import { auditCommand } from './audit';
import { deadLettersCommand } from './dead-letters';
import { eraseCommand, erasuresCommand } from './erase';
import { exportCommand } from './export';
import { feesCommand } from './fees';
import { keysCommand } from './keys';
import { merchantsCommand } from './merchants';
import { migrateCommand } from './migrate';
import { proofCommand } from './proof';
import { rebuildCommand } from './rebuild';
import { replayCommand } from './replay';
import { rebatesCommand } from './rebates';
import { runCommand } from './run';
import { settlementsCommand } from './settlements';
import { startCommand } from './start';
import { statusCommand } from './status';
import { tokenCommand } from './token';
import { verifyCommand } from './verify';

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
  replayCommand,
  exportCommand,
  eraseCommand,
  erasuresCommand,
  merchantsCommand,
  settlementsCommand,
  rebatesCommand,
  auditCommand,
  verifyCommand,
  proofCommand,
  keysCommand,
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
