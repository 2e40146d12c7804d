import { TOKEN_CATEGORY, tokenEvents, type TokenVerification } from '../../contracts/events/token';
import { accountKey, type TonNetwork } from '../../contracts/network/network';
import type { CollectionSpec, Document, Source } from '../../contracts/ports/documents';
import type { EventProjection } from '../projection';
import type { Views } from '../views';

/** What operators say of a token; its id is the key of the master. */
type TokenVerificationDocument = Document & {
  network: TonNetwork;
  /** Raw. */
  address: string;
  verification: TokenVerification;
};

/** Read at once, by a wallet that asks what is mintless among them. */
const MAX_TRUSTED = 500;

const VERIFICATIONS: CollectionSpec = {
  name: 'token_verifications',
  indexes: [
    {
      fields: [
        ['network', 'asc'],
        ['verification', 'asc'],
      ],
    },
  ],
};

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
    const { network, address, verification } = tokenEvents.read(recorded).data;
    if (verification === 'none') return null;
    return { _id: id, network, address, verification } satisfies TokenVerificationDocument;
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

/** The masters (raw) that operators trust. */
export async function trustedTokens(views: Pick<Views, 'find'>, network: TonNetwork): Promise<string[]> {
  const { documents } = await views.find<TokenVerificationDocument>(VERIFICATIONS.name, {
    filter: { network, verification: 'whitelist' },
    limit: MAX_TRUSTED,
  });
  return documents.map(({ address }) => address);
}

/** The source of what is asked of any masters. */
export const TOKEN_VERIFICATIONS_SOURCE: Source = { collection: VERIFICATIONS.name };
