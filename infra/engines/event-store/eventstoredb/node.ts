import { setTimeout as pause } from 'node:timers/promises';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb';
import type { ClientReadableStream } from '@grpc/grpc-js';
import { EngineUnavailable } from '../../../../contracts/engine/engine-unavailable';
import { withTimeout } from '../../../../contracts/retry/with-timeout';

export type ReadCall = ClientReadableStream<ReadResp>;

/** After this long without a response the node of a call is asked something else, which it has as long again to answer. */
export const SILENCE_MS = 1_000;

/** Of a request that has had no response, from a node that answers nothing else either: another one may answer it. */
export class SilentNode extends EngineUnavailable {
  constructor() {
    super('event store', 'its node does not answer');
  }
}

/** A leader can be replaced while a request is on its way to it, and nodes may disagree for a while about who leads. */
export const MIN_REDIRECT_MS = 5;
export const MAX_REDIRECT_MS = 500;

/** What arrived while this process was busy has not been looked at yet. */
const LATE_MS = 50;

/** Whether anything, an error included, comes back in time. The read is cancelled if not. */
export async function answersInTime(call: ReadCall): Promise<boolean> {
  let isAnswered = false;
  const answer = new Promise<void>(resolve => {
    const onAnswer = (): void => {
      isAnswered = true;
      resolve();
    };
    call.on('data', onAnswer).on('end', onAnswer).on('error', onAnswer);
  });
  await withTimeout(SILENCE_MS, answer, () => undefined);
  if (!isAnswered) await pause(LATE_MS);
  if (!isAnswered) call.cancel();
  return isAnswered;
}

/** A node to which calls are sent, until the client leaves it: later ones go to a node that is discovered again, those under way go on. */
export class Node {
  /** It was left because it did not answer. */
  isSilent = false;
  private asking: Promise<boolean> | null = null;

  /** @param ask begins a small read */
  constructor(
    private readonly ask: () => ReadCall,
    /** Not again within a second: a cluster without a leader has no better node for a while. */
    readonly leave: () => Promise<void>,
  ) {}

  /** Asks it something else, for a call that is silent. @returns false when it does not answer in time, or was left */
  async answers(): Promise<boolean> {
    if (this.isSilent) return false;
    this.asking ??= this.check().finally(() => (this.asking = null));
    // The client has left it for another reason.
    return this.asking.catch(() => false);
  }

  private async check(): Promise<boolean> {
    if (await answersInTime(this.ask())) return true;
    this.isSilent = true;
    await this.leave();
    return false;
  }
}
