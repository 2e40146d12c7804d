import type { EventStore } from '../../contracts/ports/event-store';
import { openEngines } from '../../infra/engines/engines';
import { recordingIssuer } from '../card/issuer';
import { startCardProgram } from '../card/program';

/** Where a program is killed: as it is about to record an event of a type, or has just done so. */
export type KillPoint = readonly [when: 'before' | 'after', eventType: string];

/** Kills this process at a point, as `kill -9` does. */
function killedAt(store: EventStore, [when, eventType]: KillPoint): EventStore {
  const killFor = (type: string): void => {
    if (type === eventType) process.kill(process.pid, 'SIGKILL');
  };
  return {
    ...store,
    async append(stream, expected, events) {
      const types = events.map(({ type }) => type);
      if (when === 'before') types.forEach(killFor);
      const appended = await store.append(stream, expected, events);
      if (when === 'after') types.forEach(killFor);
      return appended;
    },
  };
}

/** A program with the card service at an instant, which is killed at a point. Its parent is told the URL. */
async function run(folder: string, now: number, point: KillPoint): Promise<void> {
  const program = await startCardProgram(recordingIssuer(), {
    folder,
    clock: () => new Date(now),
    open: async (...how) => {
      const engines = await openEngines(...how);
      return { ...engines, store: killedAt(engines.store, point) };
    },
  });
  process.send!(await program.listen());
}

void run(process.argv[2]!, Number(process.argv[3]), JSON.parse(process.argv[4]!) as KillPoint);
