import fc from 'fast-check';
import { z } from 'zod';
import { refuse, type CommandMetadata } from '../../contracts/decider';
import { eventFamily, eventType, type EventOf } from '../../contracts/events/event-type';
import { WrongExpectedRevision } from '../../contracts/ports/event-store';
import { InMemoryEventStore } from '../../test/doubles/event-store';
import { runs } from '../../test/random';
import { createHandle, type Handle } from './handle';
import { newStream, type StreamKind } from './stream-kind';
import { load } from './load';

const deposited = eventType({ name: 'Deposited', schema: z.object({ amount: z.number() }) });
const events = eventFamily(deposited);
type Event = EventOf<typeof deposited>;

interface Deposit {
  readonly amount: number;
  readonly metadata: CommandMetadata & { readonly commandId?: string };
}

const piggyBank: StreamKind<number, Deposit, Event> = {
  events,
  decider: {
    initial: () => 0,
    evolve: (total, { data }) => total + data.amount,
    decide(total, { amount }) {
      if (total + amount > 10) return refuse('nothing_to_settle', `holds ${total} of 10`);
      return amount === 0 ? [] : [{ type: 'Deposited', data: { amount } }];
    },
  },
};

const metadata = { now: '2026-03-01T12:00:00.000Z', actor: 'ann', requestId: 'r-1' };
const deposit = (amount: number, commandId?: string): Deposit => ({
  amount,
  metadata: { ...metadata, ...(commandId !== undefined && { commandId }) },
});

const ONE: Event = { type: 'Deposited', data: { amount: 1 } };

const setUp = () => {
  const store = new InMemoryEventStore();
  return { store, handle: createHandle({ store }) };
};

const amounts = async (store: InMemoryEventStore): Promise<unknown[]> => {
  const found: unknown[] = [];
  for await (const { data } of store.readStream('bank-1')) found.push(data['amount']);
  return found;
};

it('decides nothing where another event has followed the one that the caller names, also just before it is appended', async () => {
  const { store, handle } = setUp();
  await handle(piggyBank, 'bank-1', deposit(3));
  await handle(piggyBank, 'bank-1', deposit(1), undefined, 0);
  expect(await handle(piggyBank, 'bank-1', deposit(1), undefined, 0)).toMatchObject({ events: [], state: 4 });
  const append = store.append.bind(store);
  jest.spyOn(store, 'append').mockImplementationOnce(async (...given) => {
    await handle(piggyBank, 'bank-1', deposit(2));
    return append(...given);
  });
  expect(await handle(piggyBank, 'bank-1', deposit(1), undefined, 1)).toMatchObject({ events: [], state: 6 });
  expect(await amounts(store)).toEqual([3, 1, 2]);
});

describe('handling a command', () => {
  it('returns the new state, the events and the position', async () => {
    const { handle } = setUp();
    await handle(piggyBank, 'bank-1', deposit(3));
    expect(await handle(piggyBank, 'bank-1', deposit(4))).toEqual({
      refusal: null,
      state: 7,
      events: [{ type: 'Deposited', data: { amount: 4 } }].map(event => expect.objectContaining(event)),
      position: 1,
      revision: 1,
    });
  });

  it('returns a refusal and records nothing', async () => {
    const { store, handle } = setUp();
    const outcome = await handle(piggyBank, 'bank-1', deposit(11));
    expect(outcome).toEqual({ refusal: refuse('nothing_to_settle', 'holds 0 of 10') });
    expect(await amounts(store)).toEqual([]);
  });

  it('records nothing when nothing changes, and returns the position of the stream', async () => {
    const { handle } = setUp();
    expect(await handle(piggyBank, 'bank-1', deposit(0))).toMatchObject({ position: -1, revision: null });
    await handle(piggyBank, 'bank-1', deposit(3));
    expect(await handle(piggyBank, 'bank-1', deposit(0))).toEqual({
      refusal: null,
      state: 3,
      events: [],
      position: 0,
      revision: 0,
    });
  });

  it('records the metadata of the command and the version of its type with each event', async () => {
    const { store, handle } = setUp();
    await handle(piggyBank, 'bank-1', deposit(3, 'c-1'));
    for await (const recorded of store.readStream('bank-1'))
      expect(recorded.metadata).toEqual({ ...metadata, commandId: 'c-1', v: 1 });
  });

  it('returns the first outcome of a repeated command, also after later events', async () => {
    const { store, handle } = setUp();
    await handle(piggyBank, 'bank-1', deposit(6, 'c-1'));
    await handle(piggyBank, 'bank-1', deposit(4, 'c-2'));
    // Decided again it would be refused: the bank is full.
    const again = await handle(piggyBank, 'bank-1', deposit(6, 'c-1'));
    expect(again).toMatchObject({ refusal: null, events: [{ data: { amount: 6 } }], state: 6, position: 0 });
    expect(await amounts(store)).toEqual([6, 4]);
  });

  it('uses the same event ids for a retried command, so an unacknowledged append is not repeated', async () => {
    const { store, handle } = setUp();
    const append = store.append.bind(store);
    store.append = async (...args) => {
      await append(...args);
      throw new Error('connection lost after the append');
    };
    const readStream = store.readStream.bind(store);
    await expect(handle(piggyBank, 'bank-1', deposit(3, 'c-1'))).rejects.toThrow('connection lost');
    store.append = append;
    // As on a follower that has not caught up: the retry does not see the event and decides to append it again.
    store.readStream = async function* () {};
    await handle(piggyBank, 'bank-1', deposit(3, 'c-1'));
    store.readStream = readStream;
    expect(await amounts(store)).toEqual([3]);
  });

  it('decides again on the new state after a version conflict', async () => {
    const { store, handle } = setUp();
    const outcomes = await Promise.all([4, 4, 4].map(amount => handle(piggyBank, 'bank-1', deposit(amount))));
    expect(outcomes.filter(({ refusal }) => refusal)).toHaveLength(1);
    expect(await amounts(store)).toEqual([4, 4]);
  });

  it('executes all of many commands that come at once for one stream', async () => {
    const { store, handle } = setUp();
    const append = store.append.bind(store);
    jest.spyOn(store, 'append').mockImplementation(async (...appended) => {
      // Others read meanwhile.
      await new Promise(setImmediate);
      return append(...appended);
    });
    const counted = { ...piggyBank, decider: { ...piggyBank.decider, decide: () => [ONE] } };
    await Promise.all(Array.from({ length: 50 }, () => handle(counted, 'bank-1', deposit(1))));
    expect(await amounts(store)).toHaveLength(50);
  });

  it('gives up after a few conflicts, and at once on any other error', async () => {
    const { store, handle } = setUp();
    let tries = 0;
    store.append = async (stream, expected) => {
      tries++;
      throw new WrongExpectedRevision(stream, expected, 99);
    };
    await expect(handle(piggyBank, 'bank-1', deposit(1))).rejects.toThrow(WrongExpectedRevision);
    expect(tries).toBe(5);

    store.append = async () => {
      tries++;
      throw new Error('disk full');
    };
    await expect(handle(piggyBank, 'bank-1', deposit(1))).rejects.toThrow('disk full');
    expect(tries).toBe(6);
  });

  it('does not write an event that is not of its schema', async () => {
    const { store, handle } = setUp();
    await expect(handle(piggyBank, 'bank-1', deposit('1' as unknown as number))).rejects.toThrow(z.ZodError);
    expect(await amounts(store)).toEqual([]);
  });

  describe('on a state that the caller knows', () => {
    const isEqual = (a: unknown, b: unknown) => expect(a).toEqual(b);
    const reads = (store: InMemoryEventStore) => jest.spyOn(store, 'readStream');

    it('reads nothing where it is so', async () => {
      const { store, handle } = setUp();
      const read = reads(store);
      const first = await handle(piggyBank, 'bank-1', deposit(3), newStream(piggyBank));
      expect(first).toMatchObject({ refusal: null, state: 3, revision: 0 });
      expect(await handle(piggyBank, 'bank-1', deposit(4), { state: 3, revision: 0 })).toMatchObject({
        state: 7,
        revision: 1,
      });
      expect(read).not.toHaveBeenCalled();
    });

    it('reads where nothing would be appended, or the command would be refused', async () => {
      const { handle } = setUp();
      await handle(piggyBank, 'bank-1', deposit(3));
      const nothing = await handle(piggyBank, 'bank-1', deposit(0), newStream(piggyBank));
      expect(nothing).toMatchObject({ state: 3, revision: 0, position: 0 });
      const refused = await handle(piggyBank, 'bank-1', deposit(11), newStream(piggyBank));
      expect(refused.refusal?.detail).toBe('holds 3 of 10');
    });

    it('is the same command when it is repeated', async () => {
      const { store, handle } = setUp();
      const once = await handle(piggyBank, 'bank-1', deposit(3, 'c-1'), newStream(piggyBank));
      await handle(piggyBank, 'bank-1', deposit(4, 'c-2'), newStream(piggyBank));
      const again = await handle(piggyBank, 'bank-1', deposit(3, 'c-1'), newStream(piggyBank));
      expect(again).toEqual(once);
      expect(await amounts(store)).toEqual([3, 4]);
    });

    it('does the same as without it, whatever the caller believes', async () => {
      const command = fc.record({
        amount: fc.integer({ min: 0, max: 6 }),
        id: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
        known: fc.option(
          fc.record({
            state: fc.integer({ min: 0, max: 10 }),
            revision: fc.option(fc.integer({ min: 0, max: 4 })),
          }),
        ),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(command, { maxLength: 12 }), async commands => {
          const [read, believed] = [setUp(), setUp()];
          for (const { amount, id, known } of commands) {
            const stated = deposit(amount, id === undefined ? undefined : `c-${id}`);
            // What is known at a revision is what the stream has there.
            const at = (await amounts(believed.store)).slice(0, (known?.revision ?? -1) + 1) as number[];
            const state = {
              state: at.reduce((sum, each) => sum + each, 0),
              revision: known?.revision ?? null,
            };
            const plain = await read.handle(piggyBank, 'bank-1', stated);
            const quick = await believed.handle(piggyBank, 'bank-1', stated, known ? state : undefined);
            isEqual(quick.refusal, plain.refusal);
            if (quick.refusal || plain.refusal) continue;
            isEqual([quick.position, quick.revision], [plain.position, plain.revision]);
            isEqual(quick.events.length, plain.events.length);
          }
          isEqual(await amounts(believed.store), await amounts(read.store));
        }),
        runs(100),
      );
    });
  });

  describe('of a kind that carries its state forward', () => {
    const added = eventType({ name: 'Added', schema: z.object({ amount: z.number() }) });
    const carried = eventType({
      name: 'Carried',
      schema: z.object({ total: z.number(), since: z.number() }),
    });
    type Counted = EventOf<typeof added | typeof carried>;
    const EVERY = 100;
    const counter: StreamKind<{ total: number; since: number }, Deposit, Counted> = {
      events: eventFamily(added, carried),
      carriedForward: ['Carried'],
      decider: {
        initial: () => ({ total: 0, since: 0 }),
        evolve: (state, { type, data }) =>
          type === 'Carried' ? data : { total: state.total + data.amount, since: state.since + 1 },
        decide: ({ total, since }, { amount }) => [
          { type: 'Added', data: { amount } },
          ...(since + 1 < EVERY
            ? []
            : [{ type: 'Carried' as const, data: { total: total + amount, since: 0 } }]),
        ],
      },
    };

    /** Counts the events that are read. */
    function counting() {
      const { store } = setUp();
      const read = { events: 0 };
      const readStream = store.readStream.bind(store);
      store.readStream = async function* (...args) {
        for await (const event of readStream(...args)) {
          read.events++;
          yield event;
        }
      };
      return { store, read };
    }
    const totalAfter = async (handle: Handle, amount: number): Promise<number> =>
      ((await handle(counter, 'count-1', deposit(amount))) as { state: { total: number } }).state.total;

    it('reads nothing before the last event that has it', async () => {
      const { store, read } = counting();
      for (let step = 1; step <= 250; step++) {
        read.events = 0;
        // Like a process that has just started.
        expect(await totalAfter(createHandle({ store }), 1)).toBe(step);
        expect(read.events).toBeLessThanOrEqual(EVERY);
      }
      read.events = 0;
      expect(await load(store, counter, 'count-1')).toEqual({ total: 250, since: 50 });
      expect(read.events).toBe(51);
    });

    it('reads only what was added since the command before', async () => {
      const { store, read } = counting();
      const handle = createHandle({ store });
      for (let step = 1; step <= 250; step++) {
        read.events = 0;
        expect(await totalAfter(handle, 1)).toBe(step);
        expect(read.events).toBeLessThanOrEqual(2);
      }
    });

    it('decides on what other processes have added since', async () => {
      const { store } = counting();
      const handles = [createHandle({ store }), createHandle({ store })];
      let expected = 0;
      for (let step = 1; step <= 250; step++) {
        expected += step;
        expect(await totalAfter(handles[step % 3 === 0 ? 0 : 1]!, step)).toBe(expected);
      }
      await Promise.all(Array.from({ length: 40 }, (_, i) => totalAfter(handles[i % 2]!, 1)));
      expect(await load(store, counter, 'count-1')).toMatchObject({ total: expected + 40 });
    });
  });

  describe('of a kind whose last event is the state', () => {
    const levelSet = eventType({
      name: 'LevelSet',
      schema: z.object({ level: z.number(), step: z.number() }),
    });
    type LevelSet = EventOf<typeof levelSet>;
    interface SetLevel {
      readonly level: number;
      /** The step that the caller has seen. */
      readonly seen: number;
      readonly metadata: Deposit['metadata'];
    }
    const waterLevel: StreamKind<{ level: number; step: number }, SetLevel, LevelSet> = {
      events: eventFamily(levelSet),
      lastEventIsState: true,
      decider: {
        initial: () => ({ level: 0, step: 0 }),
        evolve: (_state, { data }) => data,
        decide: ({ step }, { level, seen }) =>
          seen === step ? [{ type: 'LevelSet', data: { level, step: step + 1 } }] : [],
      },
    };
    const set = (level: number, seen: number, commandId?: string): SetLevel => ({
      ...deposit(0, commandId),
      level,
      seen,
    });
    const levels = async (store: InMemoryEventStore): Promise<unknown[]> => {
      const found: unknown[] = [];
      for await (const { data } of store.readStream('level-1')) found.push(data['level']);
      return found;
    };

    it('reads one event, however many there are', async () => {
      const { store, handle } = setUp();
      let events = 0;
      const readStream = store.readStream.bind(store);
      store.readStream = async function* (...args) {
        for await (const event of readStream(...args)) {
          events++;
          yield event;
        }
      };
      for (let step = 0; step < 50; step++) await handle(waterLevel, 'level-1', set(step * 2, step));
      expect(events).toBe(49);
      expect(await handle(waterLevel, 'level-1', set(7, 50))).toMatchObject({
        state: { level: 7, step: 51 },
        events: [{ data: { level: 7 } }],
        revision: 50,
        position: 50,
      });
    });

    it('returns the first outcome of a repeated command while its event is the last one', async () => {
      const { store, handle } = setUp();
      const first = await handle(waterLevel, 'level-1', set(3, 0, 'c-1'));
      expect(await handle(waterLevel, 'level-1', set(3, 0, 'c-1'))).toMatchObject({
        state: { level: 3, step: 1 },
        events: [{ data: { level: 3 } }],
        position: 0,
        revision: 0,
      });
      expect(first).toMatchObject({ state: { level: 3, step: 1 }, position: 0 });
      expect(await levels(store)).toEqual([3]);
    });

    it('decides a command that is repeated later again, on the new state', async () => {
      const { store, handle } = setUp();
      await handle(waterLevel, 'level-1', set(3, 0, 'c-1'));
      await handle(waterLevel, 'level-1', set(5, 1, 'c-2'));
      const again = await handle(waterLevel, 'level-1', set(3, 0, 'c-1'));
      expect(again).toMatchObject({ state: { level: 5, step: 2 }, events: [], revision: 1 });
      expect(await levels(store)).toEqual([3, 5]);
    });

    it('decides again on the new state after a version conflict', async () => {
      const { store, handle } = setUp();
      const outcomes = await Promise.all(
        [4, 5, 6].map(level => handle(waterLevel, 'level-1', set(level, 0))),
      );
      const written = outcomes.filter(outcome => outcome.refusal === null && outcome.events.length > 0);
      expect(written).toHaveLength(1);
      expect(await levels(store)).toHaveLength(1);
    });

    it('appends one event at most', async () => {
      const { store, handle } = setUp();
      const [event] = waterLevel.decider.decide({ level: 0, step: 0 }, set(1, 0)) as LevelSet[];
      const two = { ...waterLevel, decider: { ...waterLevel.decider, decide: () => [event!, event!] } };
      await expect(handle(two, 'level-1', set(1, 0))).rejects.toThrow('only one event');
      expect(await levels(store)).toEqual([]);
    });
  });
});
