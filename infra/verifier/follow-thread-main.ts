import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { leafDigestInto } from '../../contracts/seal/ledger-line';
import { DIGEST_BYTES } from '../../contracts/seal/sha256';
import { readEvents } from './export-lines';
import type { FollowReport, FollowTask } from './follow-thread';
import { Following } from './history';
import { positionOf } from './locate';
import { Failed } from './verdict';

/** Thread: hashes the events of a file and holds them against what was signed. */
async function follow(port: MessagePort, { file, signed }: FollowTask): Promise<void> {
  const say = (report: FollowReport): void => port.postMessage(report);
  const following = new Following(signed, positionOf);
  const digest = Buffer.alloc(DIGEST_BYTES);
  try {
    for await (const { lines } of readEvents(file)) {
      for (const line of lines) {
        leafDigestInto(digest, line);
        following.add(digest, line);
      }
      if (following.contradiction) break;
      say({ progress: following.size });
    }
    say({ followed: { events: following.size, contradiction: following.end() } });
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    say({ failed: { outcome: error.outcome, message: error.message } });
  }
}

void follow(parentPort!, workerData as FollowTask);
