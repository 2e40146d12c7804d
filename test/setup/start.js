const { accessSync, constants, mkdtempSync, statfsSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { env } = require('node:process');
const { compileAll } = require('./compile');

const MEMORY = '/dev/shm';
const MIN_FREE_BYTES = 2 * 1024 ** 3;

/** Where files are in memory, if there is such a place: no test needs a file to outlive a loss of power. */
function fastest() {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > MIN_FREE_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Before all tests: compiles what they start as processes, and gives them one folder for temporary files. */
module.exports = function start() {
  compileAll();
  env.TMPDIR = mkdtempSync(join(env.TMPDIR ?? fastest(), 'tidemark-tests-'));
};
