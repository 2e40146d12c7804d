import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { compiled } from '../engines/compiled';
import type { Contradiction, Signed } from './history';
import { Failed } from './verdict';

export interface Followed {
  readonly events: number;
  readonly contradiction: Contradiction | null;
}

export interface FollowTask {
  readonly file: string;
  readonly signed: readonly Signed[];
}

/** What the thread tells. Classes do not cross, so a failure is told by its parts. */
export type FollowReport =
  | { readonly progress: number }
  | { readonly followed: Followed }
  | { readonly failed: Pick<Failed, 'outcome' | 'message'> };

/**
 * Follows the events of a file in a thread of its own, so that they can be folded meanwhile: hashing takes a third of the
 * time. @throws Failed when the file cannot be read
 */
export async function followFile(task: FollowTask, onProgress: (events: number) => void): Promise<Followed> {
  const worker = new Worker(compiled(join(__dirname, 'follow-thread-main.ts')), { workerData: task });
  try {
    return await new Promise<Followed>((resolve, reject) => {
      worker.on('error', reject);
      worker.on('exit', code => reject(new Error(`the thread that follows the events ended with ${code}`)));
      worker.on('message', (report: FollowReport) => {
        if ('progress' in report) onProgress(report.progress);
        else if ('followed' in report) resolve(report.followed);
        else reject(new Failed(report.failed.outcome, report.failed.message));
      });
    });
  } finally {
    await worker.terminate();
  }
}
