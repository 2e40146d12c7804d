import { pino } from 'pino';
import {
  exchangeOrderEvents,
  exchangeOrderStream,
  type ExchangeOrderEvent,
} from '../../contracts/events/exchange-order';
import type { EventStore } from '../../contracts/ports/event-store';
import type { ExchangePartner } from '../../contracts/ports/exchange-partner';
import { exchangeOrderKind } from '../../services/exchange/order/decider';
import { placeOrder, type PlaceDeps, type PlacingOutcome } from '../../services/exchange/order/place';
import type { ExchangeOrderRequest } from '../../services/exchange/order/state';
import { createHandle } from '../../services/commands/handle';
import { InMemoryEventStore } from '../doubles/event-store';
import { partnerDouble, type PartnerDouble } from '../doubles/exchange-partner';
import { at, NONE_UNPAID, REQUEST } from './order';

/** The n-th operation of a worker, at which it dies, before or after it has had its effect. */
export interface Crash {
  readonly at: number;
  readonly when: 'before' | 'after';
}

/** The placing of orders by workers that may die, with clocks that the test moves. */
export class Placing {
  now = Date.parse(at(0));
  readonly clock = (): Date => new Date(this.now);
  readonly store = new InMemoryEventStore();
  readonly outcomes: PlacingOutcome[] = [];
  readonly partner: PartnerDouble;
  /** What workers call; the double in memory unless a test sets it. */
  port: Pick<ExchangePartner, 'createOrder' | 'ordersTo'>;

  constructor(listedAfterMs = 0) {
    this.partner = partnerDouble(this.clock, listedAfterMs);
    this.port = this.partner;
  }

  async request(
    orderId: string = REQUEST.orderId,
    more: Partial<ExchangeOrderRequest> = {},
    store: EventStore = this.store,
  ): Promise<void> {
    await createHandle({ store })(exchangeOrderKind, exchangeOrderStream(orderId), {
      type: 'request',
      request: { ...REQUEST, ...more, orderId },
      ...NONE_UNPAID,
      metadata: { now: this.clock().toISOString(), actor: 'test' },
    });
  }

  /** One run of a worker. @returns as `placeOrder` */
  run(orderId: string = REQUEST.orderId, deps: Partial<PlaceDeps> = {}): Promise<number | null> {
    return placeOrder(
      {
        store: this.store,
        handle: createHandle({ store: this.store }),
        partner: async () => this.port,
        floatOrderTtlMs: 3_599_000,
        clock: this.clock,
        logger: pino({ level: 'silent' }),
        onOutcome: outcome => this.outcomes.push(outcome),
        ...deps,
      },
      orderId,
    );
  }

  /** Runs until there is nothing more to do. @returns runs */
  async finish(orderId: string = REQUEST.orderId): Promise<number> {
    for (let runs = 1; runs <= 200; runs++) {
      const waitMs = await this.run(orderId);
      if (waitMs === null) return runs;
      expect(waitMs).toBeGreaterThan(0);
      this.now += waitMs;
    }
    throw new Error('it never ends');
  }

  /** Requests and runs one worker until it dies. @returns whether it did */
  async runUntilCrash(crash: Crash): Promise<boolean> {
    let operations = 0;
    let die = (): void => undefined;
    const died = new Promise<true>(resolve => (die = () => resolve(true)));
    const never = (): Promise<never> => {
      die();
      return new Promise(() => undefined);
    };
    const crashable =
      <A extends unknown[], R>(operation: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        const isHere = operations++ === crash.at;
        if (isHere && crash.when === 'before') return never();
        const result = await operation(...args);
        return isHere ? never() : result;
      };
    const { store, partner } = this;
    const dying = Object.assign(Object.create(store) as EventStore, {
      append: crashable(store.append.bind(store)),
    });
    const port = {
      ...partner,
      createOrder: crashable(partner.createOrder),
      ordersTo: crashable(partner.ordersTo),
    };
    const work = async (): Promise<false> => {
      await this.request(REQUEST.orderId, {}, dying);
      const deps = { store: dying, handle: createHandle({ store: dying }), partner: async () => port };
      for (let waitMs = await this.run(REQUEST.orderId, deps); waitMs !== null;) {
        this.now += waitMs;
        waitMs = await this.run(REQUEST.orderId, deps);
      }
      return false;
    };
    return Promise.race([work(), died]);
  }

  events(orderId: string = REQUEST.orderId): ExchangeOrderEvent[] {
    const recorded = this.store.stored.byStream.get(exchangeOrderStream(orderId)) ?? [];
    return recorded.map(each => exchangeOrderEvents.read(each) as ExchangeOrderEvent);
  }

  types(orderId: string = REQUEST.orderId): string[] {
    return this.events(orderId).map(({ type }) => type.replace(/^Exchange(Order)?/, ''));
  }

  /** The order of the partner that the user is shown; null when there is none. @throws when there are several */
  shown(orderId: string = REQUEST.orderId): string | null {
    const placed = this.events(orderId).flatMap(({ type, data }) =>
      type === 'ExchangeOrderCreated' || type === 'ExchangeOrderAdopted' ? [data.partnerOrderId] : [],
    );
    if (placed.length > 1) throw new Error(`two orders are shown: ${placed.join()}`);
    return placed[0] ?? null;
  }
}
