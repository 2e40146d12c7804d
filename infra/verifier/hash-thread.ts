import { join } from 'node:path';
import { decodeError } from '../engines/worker-thread/messages';
import { startWorkerThread } from '../engines/worker-thread/worker-thread';
import type { HashResult, HashTask } from './hash-events';
import { VerificationFailed } from './outcome';

export interface HashMethods {
  hashFile(task: HashTask): HashResult;
}

/** Number of bytes so far. */
export type HashProgress = number;

/**
 * Hashes the events of a file in a worker thread and compares them with the signed heads, while the caller folds them.
 * @throws VerificationFailed when the file cannot be read
 */
export async function hashFile(task: HashTask, onProgress: (bytes: number) => void): Promise<HashResult> {
  const thread = startWorkerThread<HashMethods, HashProgress>(join(__dirname, 'hash-worker.ts'), {
    name: 'hash',
    onNotification: onProgress,
    decode: sent =>
      sent.name === 'VerificationFailed'
        ? new VerificationFailed(sent.properties['outcome'] as VerificationFailed['outcome'], sent.message)
        : decodeError(sent),
  });
  try {
    return await thread.call('hashFile', task);
  } finally {
    await thread.terminate();
  }
}
