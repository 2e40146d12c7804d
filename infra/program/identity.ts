import type { EventStore } from '../../contracts/ports/event-store';
import type { CommandMetadata } from '../../contracts/decider';
import type { Identity } from '../../services/instance/decider';
import { compareIdentity, recordIdentity } from '../../services/instance/identity';
import { WrongSettings, type Config } from '../config/settings';
import { withEventStore } from './commands/with-event-store';

const identityOf = (config: Config): Identity => ({
  instanceId: config.INSTANCE_ID,
  currency: config.INSTANCE_CURRENCY,
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

/** As `assertIdentity`, for a command that opens no engines. @throws WrongSettings */
export async function assertIdentityOfStore(config: Config): Promise<void> {
  await withEventStore(config, store => assertIdentity(config, store));
}
