import type { EventStore } from '../../contracts/ports/event-store';

/** Breaks off one append: before it was made, or after it was made but before anyone was told. */
export interface Break {
  readonly append: number;
  readonly when: 'before' | 'after';
}

/** Every way of breaking off a command that makes so many appends. */
export function breaks(many: number): Break[] {
  return Array.from({ length: many }, (_, i) => i + 1).flatMap(append =>
    (['before', 'after'] as const).map(when => ({ append, when })),
  );
}

class Crash extends Error {}

/** What stands between the services and the event store, and breaks off appends of what is done while it is armed. */
export function createBreaker() {
  let armed: Break | null = null;
  let appends = 0;
  return {
    around: (store: EventStore): EventStore => ({
      ...store,
      async append(stream, expected, events) {
        const broken = armed?.append === ++appends ? armed : null;
        if (broken?.when === 'before') throw new Crash();
        const appended = await store.append(stream, expected, events);
        if (broken) throw new Crash();
        return appended;
      },
    }),

    /** Appends are counted from here on. */
    async during<Result>(broken: Break, work: () => Promise<Result>): Promise<Result> {
      appends = 0;
      armed = broken;
      try {
        return await work();
      } finally {
        armed = null;
      }
    },
  };
}
