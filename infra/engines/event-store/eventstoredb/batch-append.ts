import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { EngineUnavailable } from '../../../../contracts/engine/engine-unavailable';
import { createBackoff } from '../../../../contracts/retry/backoff';
import { withTimeout } from '../../../../contracts/retry/with-timeout';
import type { ValidatedAppend } from '../validate-append';
import { type Acknowledged, appendResult, batchAppendRequest, isOutcomeUnknown } from './append-messages';
import { type AppendCall, type Connection, RESPONSE_TIMEOUT_MS } from './connection';
import { isConnectionLost, isForAnotherNode, toEngineError, unavailable } from './errors';
import { MAX_REDIRECT_MS, MIN_REDIRECT_MS, type Node, SILENCE_MS, SilentNode } from './node';

interface PendingAppend {
  readonly append: ValidatedAppend;
  /** Of the request that was sent last. */
  correlation: string;
  isRepeated: boolean;
  settle(outcome: Acknowledged | Error): void;
}

/**
 * Whether the server recognizes a repetition, at whatever time and on whatever node, so that what was lost on its way can be
 * sent again. Of others it has recent ids in memory only.
 */
const isRepeatable = ({ expected }: ValidatedAppend): boolean =>
  expected === 'no_stream' || typeof expected === 'number';

/** Errors are returned: nothing could catch them in the event handler of the call. */
const resultOf = (append: ValidatedAppend, response: BatchAppendResp): Acknowledged | Error => {
  try {
    return appendResult(append, response);
  } catch (error) {
    return error as Error;
  }
};

/**
 * One duplex call that sends appends in order and receives a response for each. It is retired, and its node left, when the
 * node takes no append at the moment (it is starting, too busy, or knows no leader), does not respond, or ends the call.
 */
class AppendStream {
  private readonly pending = new Map<string, PendingAppend>();
  private isRetired = false;

  constructor(
    private readonly call: AppendCall,
    private readonly node: Node,
  ) {
    call
      .on('data', (response: BatchAppendResp) => {
        const pending = this.pending.get(response.getCorrelationId()!.getString());
        if (pending) this.respond(pending, response);
      })
      .on('error', error => this.end(toEngineError(error)))
      .on('end', () => this.end(unavailable('the server closed the connection')));
  }

  /** Whether it takes another append. When its node was left for not answering, what is pending may still be answered. */
  isUsable(): boolean {
    if (this.node.isSilent) this.retire();
    return !this.isRetired;
  }

  append(append: ValidatedAppend, timeoutMs: number): Promise<Acknowledged> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        // The server's own time limit is shorter: this call is broken.
        this.leave();
        this.settle(pending, unavailable(`no response to an append within ${RESPONSE_TIMEOUT_MS / 1000} s`));
      }, timeoutMs);
      const silence = setTimeout(() => void this.whenSilent(pending), SILENCE_MS);
      const pending: PendingAppend = {
        append,
        correlation: '',
        isRepeated: false,
        settle: outcome => {
          clearTimeout(timer);
          clearTimeout(silence);
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome);
        },
      };
      this.send(pending);
    });
  }

  /** What cannot be repeated waits on, for an answer that may still come. */
  private async whenSilent(pending: PendingAppend): Promise<void> {
    const answers = await this.node.answers();
    if (!answers && isRepeatable(pending.append)) this.settle(pending, new SilentNode());
  }

  private send(pending: PendingAppend): void {
    this.pending.delete(pending.correlation);
    pending.correlation = randomUUID();
    this.pending.set(pending.correlation, pending);
    this.call.write(batchAppendRequest(pending.correlation, pending.append));
  }

  private respond(pending: PendingAppend, response: BatchAppendResp): void {
    const isUnknown = isOutcomeUnknown(response);
    if (isUnknown && !pending.isRepeated) {
      // A repetition changes nothing, and says what became of it.
      pending.isRepeated = true;
      return this.send(pending);
    }
    const result = resultOf(pending.append, response);
    // A node that does not know what became of one append takes others.
    if (result instanceof EngineUnavailable && !isUnknown) this.leave();
    this.settle(pending, result);
  }

  private settle(pending: PendingAppend, outcome: Acknowledged | Error): void {
    this.pending.delete(pending.correlation);
    pending.settle(outcome);
    if (this.isRetired) this.retire();
  }

  private end(error: Error): void {
    this.leave();
    for (const pending of [...this.pending.values()]) this.settle(pending, error);
  }

  private leave(): void {
    if (!this.isRetired) void this.node.leave();
    this.retire();
  }

  /** A call that is only half closed stays open at the server, and a connection has a hundred. */
  private retire(): void {
    this.isRetired = true;
    if (this.pending.size > 0) return;
    this.call.cancel();
    // One that the server has ended is not cancelled any more, and would keep the client from closing.
    this.call.destroy();
  }
}

/** @throws WrongExpectedRevision, AppendTooLarge, EngineUnavailable when there was no response: it may have been appended or not */
export type BatchAppend = (append: ValidatedAppend) => Promise<Acknowledged>;

export function createBatchAppend(connection: Connection): BatchAppend {
  let stream: AppendStream | null = null;
  let opening: Promise<void> | null = null;
  const open = async (): Promise<void> => {
    try {
      const { call, node } = await connection.append();
      stream = new AppendStream(call, node);
    } finally {
      opening = null;
    }
  };
  const appendOnce = async (append: ValidatedAppend, endsAt: number): Promise<Acknowledged> => {
    if (!stream?.isUsable())
      await withTimeout(endsAt - performance.now(), (opening ??= open()), () => {
        throw unavailable('no node was found in time');
      });
    return stream!.append(append, endsAt - performance.now());
  };
  return async append => {
    const endsAt = performance.now() + RESPONSE_TIMEOUT_MS;
    const repetitions = createBackoff(MIN_REDIRECT_MS, MAX_REDIRECT_MS);
    for (;;) {
      try {
        return await appendOnce(append, endsAt);
      } catch (error) {
        const pauseMs = repetitions.next();
        const isLost = isRepeatable(append) && (isConnectionLost(error) || error instanceof SilentNode);
        const canRepeat = isLost || isForAnotherNode(error);
        if (!canRepeat || performance.now() + pauseMs >= endsAt) throw error;
        await pause(pauseMs);
      }
    }
  };
}
