import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EngineUnavailable } from '../../contracts/engine/engine-unavailable';
import type { EventStore } from '../../contracts/ports/event-store';
import type { CommandMetadata } from '../../contracts/decider';
import type { Identity } from '../../services/instance/decider';
import { compareIdentity, recordIdentity } from '../../services/instance/identity';
import { CannotOpen } from '../config/cannot-open';
import { WrongSettings, type Config } from '../config/settings';
import { EMBEDDED_FILES, openEventStore } from '../engines/engines';
import { BILLING_SETTINGS } from './features/billing/settings';

const identityOf = (config: Config): Identity => ({
  instanceId: config.INSTANCE_ID,
  currency: config.of(BILLING_SETTINGS).INSTANCE_CURRENCY,
});

const refuse = (difference: string | null): void => {
  if (difference !== null) throw new WrongSettings(difference);
};

/** Refuses settings of another instance or currency than the ledger has. @throws WrongSettings */
export async function assertIdentity(config: Config, store: Pick<EventStore, 'readStream'>): Promise<void> {
  refuse(await compareIdentity(store, identityOf(config)));
}

/** As `assertIdentity`; the first to write to a ledger records whose it is. @throws WrongSettings */
export async function ensureIdentity(
  config: Config,
  store: EventStore,
  metadata: CommandMetadata,
): Promise<void> {
  refuse(await recordIdentity(store, identityOf(config), metadata));
}

/** As `assertIdentity`, for what needs no engines: an event store that cannot be reached says nothing. @throws WrongSettings */
export async function assertIdentityOfStore(config: Config): Promise<void> {
  if (!config.EVENTSTORE_URL && !existsSync(join(config.DATA_DIR, EMBEDDED_FILES.store))) return;
  const store = await openEventStore(config).catch((error: unknown) => {
    if (error instanceof CannotOpen) return null;
    throw error;
  });
  if (!store) return;
  try {
    await assertIdentity(config, store);
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error;
  } finally {
    await store.close();
  }
}
