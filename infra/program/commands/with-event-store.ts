import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EngineUnavailable } from '../../../contracts/engine/engine-unavailable';
import type { EventStore } from '../../../contracts/ports/event-store';
import { CannotOpen } from '../../config/cannot-open';
import type { Config } from '../../config/settings';
import { EMBEDDED_FILES, openEventStore } from '../../engines/engines';

/** Reads the event store, for what needs no other engine and creates none. @returns null where it cannot be reached */
export async function withEventStore<Result>(
  config: Config,
  read: (store: EventStore) => Promise<Result>,
): Promise<Result | null> {
  if (!config.EVENTSTORE_URL && !existsSync(join(config.DATA_DIR, EMBEDDED_FILES.store))) return null;
  try {
    const store = await openEventStore(config);
    return await read(store).finally(() => store.close());
  } catch (error) {
    if (!(error instanceof CannotOpen || error instanceof EngineUnavailable)) throw error;
    return null;
  }
}
