/*
 * Imported before everything else, by the compiler too, so that an older Node says one line instead of where it fails.
 * Plain JavaScript that such a Node can read.
 */
const process = require('process');

const MIN_NODE = [20, 19];

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < MIN_NODE[0] || (major === MIN_NODE[0] && minor < MIN_NODE[1])) {
  process.stderr.write(`tidemark needs Node ${MIN_NODE.join('.')} or later; this is ${process.version}\n`);
  process.exit(1);
}
