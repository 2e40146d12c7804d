const { spawn } = require('node:child_process');
const process = require('node:process');
const start = require('./start');
const stop = require('./stop');

/*
 * npm run test:servers [-- options of test/servers/run.ts]
 *
 * As in `npm test`, what is to run is compiled first, and temporary files, those of the servers too, are in memory.
 */

start();
const run = spawn(process.execPath, ['dist/test/servers/run.js', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => run.kill(signal));
run.on('exit', code => {
  stop();
  process.exitCode = code ?? 1;
});
