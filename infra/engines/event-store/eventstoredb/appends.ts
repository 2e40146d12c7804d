import { randomUUID } from 'node:crypto';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import type { Draft } from '../draft';
import { messages } from './append-messages';
import { type Acknowledged, outcomeOf } from './append-outcome';
import { type AppendCall, type Connection, PATIENCE } from './connection';
import { fault, unavailable } from './faults';

interface Waiting {
  readonly draft: Draft;
  settle(outcome: Acknowledged | Error): void;
}

/** Nobody could catch what is thrown while an answer is taken. */
const understood = (draft: Draft, answer: BatchAppendResp): Acknowledged | Error => {
  try {
    return outcomeOf(draft, answer);
  } catch (error) {
    return error as Error;
  }
};

/** One call that carries appends in the order they were made, each answered on its own. */
class Line {
  private readonly waiting = new Map<string, Waiting>();
  private call: AppendCall | null = null;
  private ended: Error | null = null;
  private isRetired = false;
  private readonly ready: Promise<void>;

  constructor(connection: Connection) {
    this.ready = connection.append().then(
      call => this.attach(call),
      (error: unknown) => this.end(fault(error)),
    );
  }

  get isUsable(): boolean {
    return this.ended === null && !this.isRetired;
  }

  append(draft: Draft): Promise<Acknowledged> {
    const correlation = randomUUID();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        // The server answers within its own, shorter limit, if it can: this call is dead.
        this.isRetired = true;
        this.settle(correlation, unavailable(`no answer to an append within ${PATIENCE / 1000} s`));
      }, PATIENCE);
      this.waiting.set(correlation, {
        draft,
        settle: outcome => {
          clearTimeout(timer);
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome);
        },
      });
      void this.ready.then(() => {
        if (this.ended) return this.settle(correlation, this.ended);
        if (!this.waiting.has(correlation)) return;
        for (const message of messages(correlation, draft)) this.call!.write(message);
      });
    });
  }

  private attach(call: AppendCall): void {
    this.call = call;
    call
      .on('data', (answer: BatchAppendResp) => {
        const correlation = answer.getCorrelationId()!.getString();
        const waiting = this.waiting.get(correlation);
        if (waiting) this.settle(correlation, understood(waiting.draft, answer));
      })
      .on('error', error => this.end(fault(error)))
      .on('end', () => this.end(unavailable('it has closed the connection')));
  }

  private settle(correlation: string, outcome: Acknowledged | Error): void {
    const waiting = this.waiting.get(correlation);
    this.waiting.delete(correlation);
    waiting?.settle(outcome);
    if (this.isRetired && this.waiting.size === 0) this.call?.cancel();
  }

  private end(error: Error): void {
    this.ended ??= error;
    for (const correlation of [...this.waiting.keys()]) this.settle(correlation, error);
  }
}

export interface Appends {
  /** @throws WrongExpectedRevision, AppendTooLarge, EngineUnavailable when no answer came: it may have been carried out or not */
  append(draft: Draft): Promise<Acknowledged>;
  /** Resolves when every append made so far is settled. */
  drained(): Promise<void>;
}

export function createAppends(connection: Connection): Appends {
  let line: Line | null = null;
  const unsettled = new Set<Promise<unknown>>();
  return {
    append: draft => {
      if (!line?.isUsable) line = new Line(connection);
      const append = line.append(draft);
      const settled = append.then(
        () => undefined,
        () => undefined,
      );
      unsettled.add(settled);
      void settled.then(() => unsettled.delete(settled));
      return append;
    },
    drained: async () => void (await Promise.all(unsettled)),
  };
}
