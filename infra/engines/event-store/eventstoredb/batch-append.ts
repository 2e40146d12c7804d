import { randomUUID } from 'node:crypto';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { EngineUnavailable } from '../../../../contracts/engine-unavailable';
import type { ValidatedAppend } from '../validate-append';
import { batchAppendRequests } from './batch-append-request';
import { type Acknowledged, appendResult } from './batch-append-response';
import { type AppendCall, type Connection, RESPONSE_TIMEOUT_MS } from './connection';
import { toEngineError, unavailable } from './errors';

interface PendingAppend {
  readonly append: ValidatedAppend;
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
  private isSilent = false;
  private readonly ready: Promise<void>;

  constructor(private readonly connection: Connection) {
    this.ready = connection.append().then(
      call => this.attach(call),
      (error: unknown) => this.end(toEngineError(error)),
    );
  }

  get isUsable(): boolean {
    return this.ended === null && !this.isRetired;
  }

  append(append: ValidatedAppend): Promise<Acknowledged> {
    const correlation = randomUUID();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        // The server's own time limit is shorter: this call is broken.
        this.isSilent = true;
        this.retire();
        this.settle(
          correlation,
          unavailable(`no response to an append within ${RESPONSE_TIMEOUT_MS / 1000} s`),
        );
      }, RESPONSE_TIMEOUT_MS);
      this.pending.set(correlation, {
        append,
        settle: outcome => {
          clearTimeout(timer);
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome);
        },
      });
      void this.ready.then(() => {
        if (this.ended) return this.settle(correlation, this.ended);
        if (!this.pending.has(correlation)) return;
        for (const message of batchAppendRequests(correlation, append)) this.call!.write(message);
      });
    });
  }

  private attach(call: AppendCall): void {
    this.call = call;
    call
      .on('data', (response: BatchAppendResp) => {
        const correlation = response.getCorrelationId()!.getString();
        const pending = this.pending.get(correlation);
        if (!pending) return;
        const result = resultOf(pending.append, response);
        if (result instanceof EngineUnavailable) this.retire();
        this.settle(correlation, result);
      })
      .on('error', error => this.end(toEngineError(error)))
      .on('end', () => this.end(unavailable('the server closed the connection')));
  }

  private retire(): void {
    if (!this.isRetired && this.call) this.connection.leaveNodeOf(this.call);
    this.isRetired = true;
  }

  private settle(correlation: string, outcome: Acknowledged | Error): void {
    const pending = this.pending.get(correlation);
    this.pending.delete(correlation);
    pending?.settle(outcome);
    if (!this.isRetired || this.ended || this.pending.size > 0) return;
    if (this.isSilent) this.call?.cancel();
    // Servers drop a connection on which many calls are cancelled.
    else this.call?.end();
  }

  private end(error: Error): void {
    this.ended ??= error;
    this.retire();
    for (const correlation of [...this.pending.keys()]) this.settle(correlation, error);
  }
}

export interface BatchAppend {
  /** @throws WrongExpectedRevision, AppendTooLarge, EngineUnavailable when there was no response: it may have been appended or not */
  append(append: ValidatedAppend): Promise<Acknowledged>;
  /** Resolves when every append made so far has settled. */
  drained(): Promise<void>;
}

export function createBatchAppend(connection: Connection): BatchAppend {
  let stream: AppendStream | null = null;
  const unsettled = new Set<Promise<unknown>>();
  return {
    append: validated => {
      if (!stream?.isUsable) stream = new AppendStream(connection);
      const acknowledged = stream.append(validated);
      const settled = acknowledged.then(
        () => undefined,
        () => undefined,
      );
      unsettled.add(settled);
      void settled.then(() => unsettled.delete(settled));
      return acknowledged;
    },
    drained: async () => void (await Promise.all(unsettled)),
  };
}
