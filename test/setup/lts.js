const { execFileSync, spawn } = require('node:child_process');
const { once } = require('node:events');
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const process = require('node:process');
const { createInterface } = require('node:readline');
const { setTimeout: sleep } = require('node:timers/promises');
const ltsNode = require('./lts-node');

/*
 * The type check, a smoke test of the program and the tests of `contracts` on the Node that `.nvmrc` names, whatever Node runs
 * this: its JSON.parse has been wrong before.
 */

const ROOT = join(__dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'tidemark-lts-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** @throws Error when it is not ready within ten minutes */
async function untilReady(url) {
  const until = Date.now() + 600_000;
  for (;;) {
    const { status } = await globalThis.fetch(`${url}/health/ready`);
    if (status === 200) return;
    if (Date.now() > until) throw new Error(`${url}/health/ready still answers ${status}`);
    await sleep(100);
  }
}

/** Starts the program, waits until it is ready, and stops it. */
async function smoke(node) {
  const DATA_DIR = join(folder, 'data');
  const child = spawn(node, [join(ROOT, 'dist/infra/cli/main.js'), 'start', '--demo'], {
    env: { ...process.env, DATA_DIR, PORT: '0', LOCAL_NETWORK_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  let url;
  for await (const line of createInterface(child.stdout)) {
    // Other lines name other servers of the program.
    const { docs, url: address } = JSON.parse(line);
    if (docs) url = address;
    if (line.includes('demonstration recorded')) break;
  }
  // Lines that come later are of no use, and must not fill the pipe.
  child.stdout.resume();
  if (!url) throw new Error('the program has ended');
  await untilReady(url);
  child.kill('SIGTERM');
  const [code] = await ended;
  if (code !== 0) throw new Error(`the program ended with ${code}`);
}

async function main() {
  const node = ltsNode(folder);
  process.stdout.write(`${execFileSync(node, ['--version'])}`);
  execFileSync(node, [join(ROOT, 'infra/build/compile.js')], { stdio: 'inherit' });
  await smoke(node);
  const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
  // Without the setup of `npm test`, which compiles programs that these do not start.
  const alone = ['--globalSetup=', '--globalTeardown=', '--silent'];
  execFileSync(node, [jest, 'contracts/', ...alone], { cwd: ROOT, stdio: 'inherit' });
  // Its package exports no command. Not incremental: all is checked here, whatever was checked before.
  const tsc = join(ROOT, 'node_modules/typescript-7/bin/tsc');
  execFileSync(node, [tsc, '--noEmit', '--incremental', 'false'], {
    cwd: ROOT,
    stdio: 'inherit',
  });
}

main().catch(error => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
