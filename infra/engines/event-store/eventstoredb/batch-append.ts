import { randomUUID } from 'node:crypto';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { EngineUnavailable } from '../../../../contracts/engine/engine-unavailable';
import type { ValidatedAppend } from '../validate-append';
import { batchAppendRequest } from './batch-append-request';
import { type Acknowledged, appendResult, isOutcomeUnknown } from './batch-append-response';
import { type AppendCall, type Connection, RESPONSE_TIMEOUT_MS, SILENCE_MS } from './connection';
import { toEngineError, unavailable } from './errors';

interface PendingAppend {
  readonly append: ValidatedAppend;
  /** Of the request that was sent last. */
  correlation: string;
  isRepeated: boolean;
  settle(outcome: Acknowledged | Error): void;
}

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
  private call: AppendCall | null = null;
  private ended: Error | null = null;
  private isRetired = false;
  private readonly ready: Promise<void>;

  constructor(private readonly connection: Connection) {
    this.ready = connection.append().then(
      call => this.attach(call),
      (error: unknown) => this.end(toEngineError(error)),
    );
  }

  /** Whether it takes another append. When its node was left for not answering, what is pending may still be answered. */
  isUsable(): boolean {
    if (this.call && this.connection.isSilent(this.call)) {
      this.isRetired = true;
      this.release();
    }
    return this.ended === null && !this.isRetired;
  }

  append(append: ValidatedAppend): Promise<Acknowledged> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        // The server's own time limit is shorter: this call is broken.
        this.retire();
        this.settle(pending, unavailable(`no response to an append within ${RESPONSE_TIMEOUT_MS / 1000} s`));
      }, RESPONSE_TIMEOUT_MS);
      const silence = setTimeout(() => this.call && void this.connection.nodeAnswers(this.call), SILENCE_MS);
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

  private send(pending: PendingAppend): void {
    const correlation = randomUUID();
    this.pending.delete(pending.correlation);
    this.pending.set(correlation, pending);
    pending.correlation = correlation;
    void this.ready.then(() => {
      if (this.ended) return this.settle(pending, this.ended);
      if (!this.pending.has(correlation)) return;
      this.call!.write(batchAppendRequest(correlation, pending.append));
    });
  }

  private attach(call: AppendCall): void {
    this.call = call;
    call
      .on('data', (response: BatchAppendResp) => {
        const pending = this.pending.get(response.getCorrelationId()!.getString());
        if (pending) this.respond(pending, response);
      })
      .on('error', error => this.end(toEngineError(error)))
      .on('end', () => this.end(unavailable('the server closed the connection')));
  }

  private respond(pending: PendingAppend, response: BatchAppendResp): void {
    if (isOutcomeUnknown(response) && !pending.isRepeated) {
      // A repetition changes nothing, and says what became of it.
      pending.isRepeated = true;
      return this.send(pending);
    }
    const result = resultOf(pending.append, response);
    // A node that does not know what became of one append takes others.
    if (result instanceof EngineUnavailable && !isOutcomeUnknown(response)) this.retire();
    this.settle(pending, result);
  }

  private retire(): void {
    if (!this.isRetired && this.call) this.connection.leaveNodeOf(this.call);
    this.isRetired = true;
  }

  private settle(pending: PendingAppend, outcome: Acknowledged | Error): void {
    this.pending.delete(pending.correlation);
    pending.settle(outcome);
    this.release();
  }

  /** A call that is only half closed stays open at the server, and a connection has a hundred. */
  private release(): void {
    if (!this.isRetired || this.pending.size > 0) return;
    this.call?.cancel();
    // One that the server has ended is not cancelled any more, and would keep the client from closing.
    this.call?.destroy();
  }

  private end(error: Error): void {
    this.ended ??= error;
    this.retire();
    for (const pending of [...this.pending.values()]) this.settle(pending, error);
    this.release();
  }
}

/** @throws WrongExpectedRevision, AppendTooLarge, EngineUnavailable when there was no response: it may have been appended or not */
export type BatchAppend = (append: ValidatedAppend) => Promise<Acknowledged>;

export function createBatchAppend(connection: Connection): BatchAppend {
  let stream: AppendStream | null = null;
  return append => {
    if (!stream?.isUsable()) stream = new AppendStream(connection);
    return stream.append(append);
  };
}
