import type { EventStore } from '../../contracts/ports/event-store';

/** A crash at one append: before it, or after it but before it is acknowledged. */
export interface CrashPoint {
  readonly append: number;
  readonly when: 'before' | 'after';
}

/** All crash points of a command with this number of appends. */
export function crashPoints(appends: number): CrashPoint[] {
  return Array.from({ length: appends }, (_, i) => i + 1).flatMap(append =>
    (['before', 'after'] as const).map(when => ({ append, when })),
  );
}

class Crash extends Error {}

/** Wraps an event store so that one append during `during` crashes. */
export function createCrashInjector() {
  let armed: CrashPoint | null = null;
  let appends = 0;
  return {
    wrap: (store: EventStore): EventStore => ({
      ...store,
      async append(stream, expected, events) {
        const crash = armed?.append === ++appends ? armed : null;
        if (crash?.when === 'before') throw new Crash();
        const appended = await store.append(stream, expected, events);
        if (crash) throw new Crash();
        return appended;
      },
    }),

    /** Runs the work with a crash at one of its appends. */
    async during<Result>(crash: CrashPoint, work: () => Promise<Result>): Promise<Result> {
      appends = 0;
      armed = crash;
      try {
        return await work();
      } finally {
        armed = null;
      }
    },
  };
}
