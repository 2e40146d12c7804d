import { eventDigestInto } from '../../contracts/ledger-tree/ledger-line';
import { DIGEST_BYTES } from '../../contracts/sha256';
import { serveWorkerThread } from '../engines/worker-thread/serve-worker-thread';
import { positionOf, readEvents } from './export-lines';
import type { HashMethods, HashProgress } from './hash-thread';
import { SignedHeadChecker } from './signed-heads';

serveWorkerThread<HashMethods, undefined, HashProgress>(({ notify }) => ({
  methods: {
    async hashFile({ file, signedHeads }) {
      const checker = new SignedHeadChecker(signedHeads, positionOf);
      const digest = Buffer.alloc(DIGEST_BYTES);
      for await (const { lines } of readEvents(file)) {
        for (const line of lines) {
          eventDigestInto(digest, line);
          checker.add(digest, line);
        }
        if (checker.mismatch) break;
        notify(checker.size);
      }
      return { events: checker.size, mismatch: checker.end() };
    },
  },
}));
