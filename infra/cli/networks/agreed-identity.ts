import type { NetworkIdentity } from '../../../contracts/network/network-identity';
import { redactedUrl } from '../../../contracts/url/redacted-url';
import { WrongNetwork } from '../../../contracts/network/wrong-network';
import { describeIdentity } from '../../../indexers/network-identity';

/** The identity that the configured sources of a network have, whatever is stored. */
export interface AgreedIdentity extends NetworkIdentity {
  /** @throws Error when they differ, or none of them has answered */
  agreed(): string;
}

/**
 * @param network such as `ton:mainnet`
 * @param pinned the identity that the operator has set
 * @param urls of all sources, for the error when none has answered
 */
export function createAgreedIdentity(
  network: string,
  pinned: string | undefined,
  urls: readonly string[],
): AgreedIdentity {
  const identities = new Map<string, string>();
  return {
    async check(url, found) {
      identities.set(redactedUrl(url), found);
      if (found !== (pinned ?? [...identities.values()][0]))
        throw new WrongNetwork(`${redactedUrl(url)} serves ${describeIdentity(found)}`);
    },
    agreed() {
      const found = new Set([...identities.values(), ...(pinned === undefined ? [] : [pinned])]);
      if (identities.size === 0)
        throw new Error(
          `${network}: no source answers with its identity, of ${urls.map(redactedUrl).join(', ')} by the settings of this command`,
        );
      if (found.size > 1) {
        const each = [...identities].map(([url, identity]) => `${url} is ${describeIdentity(identity)}`);
        throw new Error(
          `${network}: the sources, or the setting of its identity, belong to different networks; correct this first: ${each.join('; ')}`,
        );
      }
      return [...found][0]!;
    },
  };
}
