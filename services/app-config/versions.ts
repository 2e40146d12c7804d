import { appConfigEvents, appConfigStream, type AppConfigName } from '../../contracts/events/app-config';
import type { TonNetwork } from '../../contracts/network/network';
import type { EventStore } from '../../contracts/ports/event-store';
import type { AppConfigVersion } from './decider';

/** Every version that was published of a document, oldest first. */
export async function appConfigVersions(
  store: Pick<EventStore, 'readStream'>,
  name: AppConfigName,
  network: TonNetwork,
): Promise<AppConfigVersion[]> {
  const versions: AppConfigVersion[] = [];
  for await (const recorded of store.readStream(appConfigStream(name, network)))
    versions.push(appConfigEvents.read(recorded).data);
  return versions;
}
