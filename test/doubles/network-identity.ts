import type { NetworkIdentity } from '../../contracts/network/network-identity';
import { WrongNetwork } from '../../contracts/network/wrong-network';

/** A network whose identity is that of the first source asked, as at a first start, in memory. */
export function firstIdentity(): NetworkIdentity {
  let known: string | null = null;
  return {
    async check(url, found) {
      known ??= found;
      if (found !== known) throw new WrongNetwork(`${url} serves ${found}, not ${known}`);
    },
  };
}
