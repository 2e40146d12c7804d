#!/usr/bin/env node
import '../config/supported-node.js';
import { runCommandLine } from './command-line';
import { useCompileCache } from './compile-cache';
import { loadEnvFile } from './env-file';

useCompileCache();
loadEnvFile();

// Whatever the program writes is for its user alone: databases with SQLite's files beside them, keys, backups, exports.
process.umask(0o077);

// That a file may not grow is an error of its write and ends nothing. Node ignores the signal; signal-exit, which write-file-atomic
// uses, would leave the default of the system behind.
process.on('SIGXFSZ', () => undefined);

// A pipe whose reader has ended, as `head` does when it has enough, ends the command without a word.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

void runCommandLine(process.argv.slice(2), process.env).then(code => {
  // A command that sets the code itself has closed what it opened: Node then removes what SQLite keeps beside open databases.
  const isClosed = process.exitCode === code;
  process.exitCode = code;
  // Threads of a failed start would keep the process running.
  if (code !== 0 && !isClosed) process.stdout.write('', () => process.stderr.write('', () => process.exit()));
});
