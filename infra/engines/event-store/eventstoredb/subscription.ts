import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb';
import { EngineUnavailable } from '../../../../contracts/engine/engine-unavailable';
import { BEGINNING, type Position } from '../../../../contracts/position';
import {
  DEFAULT_BATCH_SIZE,
  type EventBatch,
  type RecordedEvent,
  type SubscribeOptions,
} from '../../../../contracts/ports/event-store';
import { createBackoff } from '../../../../contracts/retry/backoff';
import { type Connection, RESPONSE_TIMEOUT_MS } from './connection';
import { isTooSlow, isUnexplained, NoRecordAtPosition, unavailable } from './errors';
import { type ResponseStream, openResponseStream, readEvents } from './read-responses';
import { hasPosition, isOfEvent, positionOf } from './positions';
import { positionBefore, idleProgress } from './idle-progress';
import { eventOf, type Recorded, toRecordedEvent } from './recorded-events';
import { readAllRequest, SEARCH_WINDOW, subscribeRequest } from './read-requests';
import { type CategoryFilter, categoryFilter } from './category-filter';

/** The record at the position, if it is still there, and as many as a server may scan for the first one that matches. */
const FIRST_RECORDS = 1 + SEARCH_WINDOW;

/** After this long without a response, the subscription reads its progress from the store: less often while there is none. */
const MIN_IDLE_MS = 250;
const MAX_IDLE_MS = 1_000;

const MIN_RETRY_MS = 100;
const MAX_RETRY_MS = 10_000;

export interface SubscriptionDeps {
  readonly connection: Connection;
  readonly logger?: Pick<Logger, 'warn'> | undefined;
}

/** One subscription call to the server, from a position until the call fails. */
class SubscriptionCall {
  isConfirmed = false;
  private readonly began = performance.now();
  private matchSince: number | null = null;
  private readonly idle = createBackoff(MIN_IDLE_MS, MAX_IDLE_MS);

  constructor(
    private readonly deps: SubscriptionDeps,
    private readonly responses: ResponseStream,
    private readonly filter: CategoryFilter,
    private position: Position,
    private readonly batchSize: number,
  ) {}

  /** Ends when the responses end. */
  async *batches(): AsyncGenerator<EventBatch> {
    for (;;) {
      const responses = await this.responses.take(this.batchSize, this.idle.next());
      if (responses === null) return;
      if (responses.length > 0 && !this.isConfirmed) {
        this.isConfirmed = true;
        yield* this.beginning();
      }
      const sources = responses.flatMap(response => eventOf(response) ?? response.getCheckpoint() ?? []);
      yield* this.advance(await (responses.length > 0 ? this.toBatch(sources) : this.whenIdle()));
    }
  }

  private *advance(batch: EventBatch): Generator<EventBatch> {
    if (batch.position <= this.position) return;
    this.position = batch.position;
    this.idle.reset();
    yield batch;
  }

  /**
   * What follows the position, by a read: servers before 24.2 begin a subscription behind the first record at or after it.
   * That is the next event when the record at the position has vanished in a scavenge, and it would never be delivered. The
   * server has confirmed, so it has chosen where it begins.
   */
  private async *beginning(): AsyncGenerator<EventBatch> {
    if (this.position <= BEGINNING) return;
    const request = readAllRequest(this.position, 'forwards', null, FIRST_RECORDS);
    // Of the leader: another node may lack what this one has skipped.
    const leader = { requiresLeader: true };
    for await (const records of readEvents(this.deps.connection, request, this.batchSize, leader))
      yield* this.advance(await this.toBatch(records));
  }

  private async toBatch(sources: readonly (Recorded | ReadResp.Checkpoint)[]): Promise<EventBatch> {
    this.matchSince = null;
    const events: RecordedEvent[] = [];
    let position = this.position;
    let pageEnd = BEGINNING;
    for (const source of sources) {
      const recorded = 'getStreamIdentifier' in source ? source : null;
      if (!hasPosition(source) || positionOf(source) <= position) continue;
      if (!recorded && !isOfEvent(source)) {
        pageEnd = positionOf(source);
        continue;
      }
      position = positionOf(source);
      const event = recorded && toRecordedEvent(recorded);
      if (event && this.filter.matches(event.stream)) events.push(event);
    }
    if (pageEnd > position) position = Math.max(position, await this.lastBefore(pageEnd));
    return { events, position };
  }

  /** Nothing is known of it while the client is connected to a node that is behind the one that has sent the end of the page. */
  private async lastBefore(pageEnd: Position): Promise<Position> {
    try {
      return await positionBefore(this.deps.connection, pageEnd);
    } catch (error) {
      if (error instanceof NoRecordAtPosition) return BEGINNING;
      throw error;
    }
  }

  /**
   * The server sends a checkpoint after every so many events that do not match, and the one at the end of catching up is
   * behind the end. Without this, the position would not move until the next matching event.
   */
  private async whenIdle(): Promise<EventBatch> {
    const now = performance.now();
    if (!this.isConfirmed) {
      if (now - this.began > RESPONSE_TIMEOUT_MS) throw unavailable('it does not confirm a subscription');
      return { events: [], position: this.position };
    }
    const { reached, matchFollows } = await idleProgress(this.deps.connection, this.position, this.filter);
    this.matchSince = matchFollows ? (this.matchSince ?? now) : null;
    if (this.matchSince !== null && now - this.matchSince > RESPONSE_TIMEOUT_MS)
      throw unavailable('a subscription stopped delivering events');
    return { events: [], position: reached };
  }
}

/** Servers before 24.2 refuse a subscription from a position at which no record begins, and give no reason. @throws what a read from there does */
const assertIsPosition = async (
  connection: Connection,
  position: Position,
  filter: CategoryFilter,
): Promise<void> => {
  try {
    await idleProgress(connection, position, filter);
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error;
  }
};

/**
 * Delivers without gaps or duplicates across reconnects: the position moves only with what was delivered, each attempt
 * subscribes after it, reads what the server may skip there, and events up to it are dropped.
 */
export async function* subscribe(
  deps: SubscriptionDeps,
  options: SubscribeOptions,
): AsyncGenerator<EventBatch> {
  const { connection, logger } = deps;
  const { categories, batchSize = DEFAULT_BATCH_SIZE, signal } = options;
  const filter = categoryFilter(categories);
  const backoff = createBackoff(MIN_RETRY_MS, MAX_RETRY_MS);
  let position = options.after;
  let responses: ResponseStream | null = null;
  const close = (): void => responses?.close();
  signal.addEventListener('abort', close);
  try {
    while (!signal.aborted) {
      let call: SubscriptionCall | null = null;
      let reason: unknown = 'the server ended the call';
      try {
        const request = subscribeRequest(position, filter);
        responses = await openResponseStream(connection, request, batchSize);
        if (signal.aborted) return;
        call = new SubscriptionCall(deps, responses, filter, position, batchSize);
        for await (const batch of call.batches()) {
          if (signal.aborted) return;
          position = batch.position;
          yield batch;
        }
      } catch (error) {
        if (!(error instanceof EngineUnavailable)) throw error;
        reason = error;
        if (!call?.isConfirmed && isUnexplained(error)) await assertIsPosition(connection, position, filter);
      } finally {
        responses?.close();
      }
      if (signal.aborted) return;
      if (call?.isConfirmed) backoff.reset();
      const wasTooSlow = isTooSlow(reason);
      options.onInterrupted?.(wasTooSlow ? 'slow_consumer' : 'unavailable');
      if (wasTooSlow)
        logger?.warn(
          { position, categories },
          'event store subscription dropped because its live events were not taken fast enough, subscribing again',
        );
      else
        logger?.warn(
          { err: reason, position, categories },
          'event store subscription interrupted, subscribing again',
        );
      await pause(backoff.next(), undefined, { signal }).catch(() => undefined);
    }
  } finally {
    signal.removeEventListener('abort', close);
  }
}
