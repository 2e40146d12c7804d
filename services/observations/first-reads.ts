import type { FollowedNetworks } from '../../contracts/network/network';
import type { Observation } from '../../contracts/observation/observation';
import type { ObservedReader } from '../../contracts/observation/reader';

export interface FirstReadsDeps {
  readonly observations: readonly Observation[];
  observed(observation: Observation): Pick<ObservedReader<unknown, unknown>, 'request'>;
  readonly followed: Pick<FollowedNetworks, 'ton'>;
}

/**
 * Requests what there is one of in each network and that blocks change, as a pool whose address is known: who asks first after a
 * start would otherwise wait for it, while everything else starts, too.
 */
export async function requestFirstReads({ observations, observed, followed }: FirstReadsDeps): Promise<void> {
  const requests = observations.flatMap(observation => {
    const { changedBy } = observation;
    if (!changedBy || !('accountOf' in changedBy)) return [];
    const reader = observed(observation);
    return followed.ton.map(network => reader.request(changedBy.accountOf(network).subject));
  });
  await Promise.all(requests);
}
