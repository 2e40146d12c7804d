import type { Commit } from '../../contracts/ports/documents';
import type { NewMessage } from '../../contracts/ports/log';
import { InMemoryDocuments } from './documents';
import { InMemoryLog } from './log';

/** Documents in memory, whose commits a test makes fail. */
export class FailingDocuments extends InMemoryDocuments {
  /** Called before each commit, which fails if it throws. */
  beforeCommit: (commit: Commit) => void = () => undefined;

  override async commit(commit: Commit): Promise<void> {
    this.beforeCommit(commit);
    await super.commit(commit);
  }
}

/** A log in memory, whose publications a test makes fail. */
export class FailingLog extends InMemoryLog {
  /** Called before each message. If it throws, the publication fails, and only the messages before it are published. */
  beforePublish: (message: NewMessage) => void = () => undefined;
  /** Called when all are published; if it throws, the publication fails nevertheless. */
  afterPublish: () => void = () => undefined;

  override async publish(topic: string, messages: readonly NewMessage[]): Promise<void> {
    const accepted: NewMessage[] = [];
    try {
      for (const message of messages) {
        this.beforePublish(message);
        accepted.push(message);
      }
    } finally {
      await super.publish(topic, accepted);
    }
    this.afterPublish();
  }
}

/** Throws at each call for which `isFaulty`. */
export function failIf(isFaulty: () => boolean, message: string): () => void {
  return () => {
    if (isFaulty()) throw new Error(message);
  };
}
