import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb';
import { EngineUnavailable } from '../../../../contracts/engine-unavailable';
import { BEGINNING, type Position } from '../../../../contracts/position';
import type { EventBatch, RecordedEvent, SubscribeOptions } from '../../../../contracts/ports/event-store';
import { type Connection, PATIENCE } from './connection';
import { unavailable } from './faults';
import { type Feed, openFeed } from './feed';
import { fromAfter, isOfEvent, positionOf } from './positions';
import { positionBefore, progressBeyond } from './progress';
import { eventOf, toRecordedEvent } from './records';
import { subscribeRequest } from './requests';
import { type Selection, select } from './selection';
import type { Tide } from './tide';

const MOST_EVENTS = 1_000;

/** Milliseconds without a word from the server after which to look whether there is anything to be said. */
const QUIET = 250;

const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 10_000;

/** Milliseconds before the next attempt: doubles, and never the same for two who were cut off together. */
const backOff = (failures: number): number =>
  Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** failures) * (0.5 + Math.random() / 2);

export interface SubscriptionDeps {
  readonly connection: Connection;
  readonly tide: Tide;
  readonly logger?: Pick<Logger, 'warn'> | undefined;
}

/** One call to the server, from the position on, until it breaks. */
class Following {
  isConfirmed = false;
  private readonly began = performance.now();
  private owedSince: number | null = null;

  constructor(
    private readonly deps: SubscriptionDeps,
    private readonly feed: Feed,
    private readonly selection: Selection,
    private position: Position,
    private readonly batchSize: number,
  ) {}

  /** What there is to pass on, null when nothing is or the feed has ended. */
  async *batches(): AsyncGenerator<EventBatch> {
    for (;;) {
      const answers = await this.feed.take(this.batchSize, QUIET);
      if (answers === null) return;
      const { events, position } = await (answers.length > 0 ? this.toBatch(answers) : this.whenQuiet());
      if (position <= this.position) continue;
      this.position = position;
      yield { events, position };
    }
  }

  private async toBatch(answers: readonly ReadResp[]): Promise<EventBatch> {
    this.isConfirmed = true;
    this.owedSince = null;
    const events: RecordedEvent[] = [];
    let position = this.position;
    let pageEnd = BEGINNING;
    for (const answer of answers) {
      const recorded = eventOf(answer);
      const mark = recorded ?? answer.getCheckpoint();
      if (!mark || positionOf(mark) <= position) continue;
      if (!recorded && !isOfEvent(mark)) {
        pageEnd = positionOf(mark);
        continue;
      }
      position = positionOf(mark);
      const event = recorded && toRecordedEvent(recorded);
      if (event && this.selection.has(event.stream)) events.push(event);
    }
    if (pageEnd > position)
      position = Math.max(position, await positionBefore(this.deps.connection, pageEnd));
    return { events, position };
  }

  /**
   * The server sends a checkpoint once in so many events that it has left out, and the one at the end of catching up
   * is behind the end. So the position would stand still for as long as nothing of interest happens.
   */
  private async whenQuiet(): Promise<EventBatch> {
    const now = performance.now();
    if (!this.isConfirmed) {
      if (now - this.began > PATIENCE) throw unavailable('it does not confirm a subscription');
    } else if (this.deps.tide.level > this.position) {
      const { reached, isOwed } = await progressBeyond(this.deps.connection, this.position, this.selection);
      this.owedSince = isOwed ? (this.owedSince ?? now) : null;
      if (this.owedSince !== null && now - this.owedSince > PATIENCE)
        throw unavailable('a subscription has fallen silent');
      return { events: [], position: reached };
    }
    return { events: [], position: this.position };
  }
}

/**
 * Neither gap nor duplicate, whatever breaks: the position moves with what was passed on and with nothing else, every
 * attempt asks for what is after it, and what is not after it is dropped.
 */
export async function* subscribe(
  deps: SubscriptionDeps,
  options: SubscribeOptions,
): AsyncGenerator<EventBatch> {
  const { connection, tide, logger } = deps;
  const { categories, batchSize = MOST_EVENTS, signal } = options;
  const selection = select(categories);
  const unwatch = tide.watch();
  let position = options.after;
  let feed: Feed | null = null;
  const close = (): void => feed?.close();
  signal.addEventListener('abort', close);
  try {
    for (let failures = 0; !signal.aborted;) {
      let following: Following | null = null;
      let reason: unknown = 'the server has ended it';
      try {
        feed = await openFeed(connection, subscribeRequest(fromAfter(position), selection), batchSize);
        if (signal.aborted) return;
        following = new Following(deps, feed, selection, position, batchSize);
        for await (const batch of following.batches()) {
          if (signal.aborted) return;
          position = batch.position;
          tide.saw(position);
          yield batch;
        }
      } catch (error) {
        if (!(error instanceof EngineUnavailable)) throw error;
        reason = error;
      } finally {
        feed?.close();
      }
      if (signal.aborted) return;
      failures = following?.isConfirmed ? 0 : failures + 1;
      logger?.warn(
        { err: reason, position, categories },
        'a subscription to the event store was cut; it goes on',
      );
      await pause(backOff(failures), undefined, { signal }).catch(() => undefined);
    }
  } finally {
    signal.removeEventListener('abort', close);
    unwatch();
  }
}
