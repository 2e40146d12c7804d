import { tonDecoder } from '../../../indexers/ton/decode/decode';
import { nftCollectionObservation, nftObservation } from '../../../indexers/ton/observations/nft';
import { gatewayUrl } from '../../../indexers/ton/observations/public-web';
import { tokenDocumentObservation } from '../../../indexers/ton/observations/token-document';
import { tonNftsProjection } from '../../../projections/ton/nfts/projection';
import { nftRoutes } from '../../../services/nfts/routes';
import type { Feature } from '../feature';
import { watchOf } from './watch/account-watch';
import { publicUrlSettings } from '../settings/public-url';

/** The NFT items of TON, as the transactions of their owners name them and the chain confirms them. */
export const nfts: Feature = {
  name: 'nfts',
  projections: [tonNftsProjection(tonDecoder)],
  observations: [nftObservation, nftCollectionObservation],
  routes: ({ engine: { views }, config, use, readWait, logger, observed }) =>
    nftRoutes({
      views,
      watch: watchOf({ use }),
      items: observed(nftObservation),
      collections: observed(nftCollectionObservation),
      documents: observed(tokenDocumentObservation),
      gatewayUrl,
      publicUrl: config.of(publicUrlSettings).PUBLIC_URL ?? null,
      logger,
      ...readWait,
    }),
};
