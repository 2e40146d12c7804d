const { execFileSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const process = require('node:process');

const VERSION = readFileSync(join(__dirname, '..', '..', '.nvmrc'), 'utf8').trim();

/**
 * The Node that `.nvmrc` names: the one that runs this, or else one of the npm package `node`, which has the binaries.
 *
 * @param folder where it is installed
 * @returns its path
 */
module.exports = folder => {
  if (process.versions.node.split('.')[0] === VERSION) return process.execPath;
  // Its install script links the binary of this platform.
  execFileSync('npm', ['install', '--no-save', '--prefix', folder, `node@${VERSION}`], { stdio: 'inherit' });
  return join(folder, 'node_modules', 'node', 'bin', 'node');
};
