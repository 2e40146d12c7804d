import { gaslessJettonStream, type GaslessJettonPlace } from '../../../../contracts/events/gasless-jetton';
import type { EventStore } from '../../../../contracts/ports/event-store';
import { isPublicIdentity, loadIdentity } from '../../../../indexers/network-identity';
import { load } from '../../../../services/commands/load';
import { gaslessJettonKind } from '../../../../services/gasless/jettons/decider';
import { networkSetting } from '../../../config/network-settings';
import { WrongSettings } from '../../../config/settings';
import type { Engines } from '../../../engines/engines';
import { placeName } from './jettons';

/** Whether a list of jettons is recorded, an empty one too. */
export async function hasList(
  store: Pick<EventStore, 'readStream'>,
  place: GaslessJettonPlace,
): Promise<boolean> {
  return (await load(store, gaslessJettonKind, gaslessJettonStream(place))) !== null;
}

/**
 * Refuses settings by which a network is a local one where the data are of the real one, or the other way round: what changes
 * would count for nothing in the program.
 * @param isNew the list may be a new one: what is read of the nodes shows whether they are those of the data
 * @throws WrongSettings
 */
export async function assertPlaceOfData(
  { store, documents }: Pick<Engines, 'store' | 'documents'>,
  place: GaslessJettonPlace,
  { isNew }: { readonly isNew: boolean },
): Promise<void> {
  const at = { chain: 'ton', network: place.network } as const;
  const other: GaslessJettonPlace = { ...place, realm: place.realm === 'local' ? 'live' : 'local' };
  const identity = await loadIdentity({ ...at, documents });
  const isOfPublic = place.realm === 'local' && identity !== null && isPublicIdentity(identity);
  const isListedElsewhere = async (): Promise<boolean> =>
    !isNew && !(await hasList(store, place)) && (await hasList(store, other));
  if (isOfPublic || (await isListedElsewhere()))
    throw new WrongSettings(
      `${networkSetting(at)}: by it this is ${placeName(place)}, and the data are of ${placeName(other)}. Set it as the program has it`,
    );
}
