import { isFollowed, networkName, type FollowedNetworks, type NetworkRef } from './network';
import { Problem } from '../problem/problem';

/** The refusal of a request that needs networks which are off. */
export function networkOff(needed: readonly NetworkRef[]): Problem {
  const names = [...new Set(needed.map(networkName))];
  return new Problem(
    'network_off',
    names.length === 1
      ? `This instance does not serve ${names[0]}.`
      : `This instance serves neither ${names.join(' nor ')}.`,
  );
}

/** @throws Problem 404 `network_off` when something is needed, and nothing of it is followed */
export function expectFollowed(followed: FollowedNetworks, needed: readonly NetworkRef[]): void {
  if (needed.length > 0 && !needed.some(network => isFollowed(followed, network))) throw networkOff(needed);
}
