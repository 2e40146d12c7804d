import { pino } from 'pino';
import { type DevnetThread, openDevnetThread } from '../../infra/devnet/devnet-thread';

const KEY = Symbol.for('tidemark.test.devnet-thread');
const ofProcess = globalThis as { [KEY]?: DevnetThread | undefined };

/**
 * The thread for the local networks of all test files that this process runs: to load the code of one takes as long as a hundred
 * of their blocks. It stays until the process ends, which it does not delay.
 */
export function sharedDevnetThread(): DevnetThread {
  return (ofProcess[KEY] ??= openUntilItFails());
}

function openUntilItFails(): DevnetThread {
  const thread = openDevnetThread(pino({ level: 'silent' }), { unrefWhenIdle: true });
  void thread.ended.then(() => (ofProcess[KEY] = undefined));
  return thread;
}
