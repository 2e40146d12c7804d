import { TOKEN_CATEGORY, tokenEvents, type TokenVerification } from '../../contracts/events/token';
import { accountKey, type TonNetwork } from '../../contracts/network';
import type { CollectionSpec, Document, Source } from '../../contracts/ports/documents';
import type { EventProjection } from '../projection';
import type { Views } from '../views';

/** What operators say of a token; its id is the key of the master. */
type TokenVerificationDocument = Document & { verification: TokenVerification };

const VERIFICATIONS: CollectionSpec = { name: 'token_verifications', indexes: [] };

/** The verifications of tokens by operators; one that was set back to `none` has no document. */
export const tokenVerificationsProjection: EventProjection = {
  name: 'token-verifications',
  version: 1,
  categories: [TOKEN_CATEGORY],
  collections: [VERIFICATIONS],
  touches(recorded) {
    const { network, address } = tokenEvents.read(recorded).data;
    return [{ collection: VERIFICATIONS.name, id: accountKey({ chain: 'ton', network, address }) }];
  },
  fold(_document, recorded, { id }) {
    const { verification } = tokenEvents.read(recorded).data;
    return verification === 'none' ? null : ({ _id: id, verification } satisfies TokenVerificationDocument);
  },
};

/** What operators say of the masters (raw), in their order; `none` where they say nothing. */
export async function tokenVerifications(
  views: Pick<Views, 'getMany'>,
  network: TonNetwork,
  masters: readonly string[],
): Promise<TokenVerification[]> {
  const ids = masters.map(address => accountKey({ chain: 'ton', network, address }));
  const found = await views.getMany<TokenVerificationDocument>(VERIFICATIONS.name, ids);
  return ids.map(id => found.get(id)?.verification ?? 'none');
}

/** The source of `tokenVerifications` of any masters. */
export const TOKEN_VERIFICATIONS_SOURCE: Source = { collection: VERIFICATIONS.name };
