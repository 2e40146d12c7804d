const { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { env, kill, pid } = require('node:process');
const { compileAll } = require('../../infra/build/compile');

const MEMORY = '/dev/shm';
const MIN_FREE_BYTES = 2 * 1024 ** 3;

/** A file system in memory, if there is one: no test needs files to survive a power loss. */
function fastest() {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > MIN_FREE_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

const isRunning = id => {
  try {
    return kill(id, 0);
  } catch ({ code }) {
    return code === 'EPERM';
  }
};

/** Folders of runs that were killed: in memory they would stay until the machine is restarted. */
function removeAbandoned(folder) {
  for (const name of readdirSync(folder)) {
    const [, id] = /^tidemark-tests-(\d+)-/.exec(name) ?? [];
    if (id && !isRunning(Number(id))) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** Before all tests: compiles the programs that they start, and creates one folder for temporary files. */
module.exports = function start() {
  compileAll();
  const folder = env.TMPDIR ?? fastest();
  removeAbandoned(folder);
  env.TMPDIR = mkdtempSync(join(folder, `tidemark-tests-${pid}-`));
};
