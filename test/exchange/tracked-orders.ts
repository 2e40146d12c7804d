import { setMaxListeners } from 'node:events';
import { pino } from 'pino';
import { EXCHANGE_ORDER_CATEGORY, exchangeOrderStream } from '../../contracts/events/exchange-order';
import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';
import type { PartnerOrder } from '../../contracts/ports/exchange-partner';
import { BEGINNING } from '../../contracts/position';
import { exchangeOrderKind } from '../../services/exchange/order/decider';
import { orderTracking } from '../../services/exchange/tracking/jobs';
import {
  workOrderTracking,
  type OrderPoll,
  type OrderTrackingDeps,
} from '../../services/exchange/tracking/worker';
import { createHandle } from '../../services/commands/handle';
import type { Reaction } from '../../services/reactions/event-reaction';
import { InMemoryEventStore } from '../doubles/event-store';
import { at, NONE_UNPAID, REQUEST } from './order';
import { VirtualJobs } from './virtual-jobs';

/** Milliseconds since the epoch. */
export const START = Date.parse(at(0));

export const silent = pino({ level: 'silent' });

/** Orders, and the processes that track them, whose time passes when the test says so. */
export class TrackedOrders {
  readonly store: EventStore;
  readonly handle: ReturnType<typeof createHandle>;
  readonly polls: OrderPoll[] = [];
  jobs = new VirtualJobs(START);
  private readonly partner: OrderTrackingDeps['partner'];
  private stopped = new AbortController();
  private readonly running: Promise<void>[] = [];
  private reacted = BEGINNING;

  constructor({ store, partner }: { readonly store?: EventStore } & Pick<OrderTrackingDeps, 'partner'>) {
    this.store = store ?? new InMemoryEventStore();
    this.handle = createHandle({ store: this.store });
    this.partner = partner;
  }

  get signal(): AbortSignal {
    return this.stopped.signal;
  }

  start(processes = 1, maxWaitMs = 1): void {
    const deps = {
      store: this.store,
      handle: this.handle,
      jobs: this.jobs,
      partner: this.partner,
      clock: this.jobs.clock,
      logger: silent,
      onPoll: (poll: OrderPoll) => this.polls.push(poll),
      maxWaitMs,
    };
    setMaxListeners(0, this.signal);
    for (let n = 0; n < processes; n++) this.running.push(workOrderTracking(deps, this.signal));
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await Promise.all(this.running);
    this.stopped = new AbortController();
  }

  /** Records what the partner has answered to an order. */
  async record(
    orderId: string,
    order: PartnerOrder,
    expiresInMs: number,
    request: Partial<typeof REQUEST> = {},
  ): Promise<void> {
    const metadata = { now: this.jobs.clock().toISOString(), actor: 'test' };
    const expiresAt = new Date(this.jobs.now + expiresInMs).toISOString();
    const commands = [
      { type: 'request', request: { ...REQUEST, ...request, orderId }, ...NONE_UNPAID, metadata },
      { type: 'startCall', metadata },
      { type: 'recordCreated', order, expiresAt, metadata },
    ] as const;
    for (const command of commands) {
      const { refusal } = await this.handle(exchangeOrderKind, exchangeOrderStream(orderId), command);
      if (refusal) throw new Error(refusal.detail);
    }
  }

  reactAgain(): void {
    this.reacted = BEGINNING;
  }

  /** @param reactions besides that which tracks orders */
  async advance(ms: number, reactions: readonly Reaction[] = []): Promise<void> {
    await this.jobs.advance(ms, () => this.react([orderTracking(this.store, this.jobs.clock), ...reactions]));
  }

  private async react(reactions: readonly Reaction[]): Promise<void> {
    for await (const events of this.store.readAll({ categories: CATEGORIES, after: this.reacted }))
      for (const event of events) {
        for (const reaction of reactions)
          for (const job of await reaction.jobs(event)) await this.jobs.add(job);
        this.reacted = event.position;
      }
  }

  async events(): Promise<RecordedEvent[]> {
    const all: RecordedEvent[] = [];
    for await (const events of this.store.readAll({ categories: CATEGORIES })) all.push(...events);
    return all;
  }

  /** Types of the events after the order was created, and the statuses. */
  async history(orderId: string): Promise<string[]> {
    const events = await this.events();
    return events
      .filter(({ stream }) => stream === exchangeOrderStream(orderId))
      .map(({ type, data }) => (type === 'ExchangeOrderStatusObserved' ? String(data['to']) : type))
      .slice(3);
  }
}

const CATEGORIES = [EXCHANGE_ORDER_CATEGORY];
