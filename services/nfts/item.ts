import type { NftObserved } from '../../contracts/chain/ton-nft-observations';
import type { TokenContent, TokenDocumentObserved } from '../../contracts/chain/ton-token-observations';
import type { NftItem } from '../../contracts/http/tokens/nfts';
import type { TonNetwork } from '../../contracts/network/network';
import { addressFormatter } from '../../projections/ton/format-address';
import { imageUrl, tokenAttributesOf, tokenImageUrl, type TokenImages } from '../token-attributes';

/** Content of a token with its document; the latter is null when it was never read. */
export interface ReadContent {
  readonly content: TokenContent;
  readonly document: TokenDocumentObserved;
}

/** An item with what is known of it. Addresses are raw. */
export interface OwnedNft extends ReadContent {
  readonly item: string;
  readonly owner: string;
  readonly observed: NonNullable<NftObserved>;
  /** When it was read (RFC 3339). */
  readonly at: string;
  /** Null for an item of no collection, and while the collection was not read. */
  readonly collection: ReadContent | null;
}

export function nftItemOf(
  { item, owner, observed, at, content, document, collection }: OwnedNft,
  network: TonNetwork,
  images: TokenImages,
): NftItem {
  const format = addressFormatter(network);
  const attributes = tokenAttributesOf(content, document);
  const { name, description } = attributes;
  const shown = collection && tokenAttributesOf(collection.content, collection.document);
  const url = tokenImageUrl(attributes, { network, address: item }, images);
  const lottie = imageUrl(document?.lottie ?? null, images.gatewayUrl);
  const collectionName = shown?.name ?? '';
  return {
    id: format(item),
    address: format(item),
    ownerAddress: format(owner),
    index: observed.index,
    name:
      observed.domain === null
        ? (name ?? `${collectionName} #${observed.index}`.trim())
        : `${observed.domain}.ton`,
    description,
    attributes: [...(document?.traits ?? [])],
    collection: {
      id: observed.collection === null ? '' : format(observed.collection),
      name: collectionName,
      description: shown?.description ?? '',
    },
    content: {
      ...(content.uri !== null && document === null && { notLoaded: true }),
      ...(lottie !== null && { lottie }),
      ...(url !== null && { image: { baseUrl: url }, originalUrl: url }),
    },
    kind: kindOf(observed),
    at,
  };
}

function kindOf({ collection, domain }: NonNullable<NftObserved>): NftItem['kind'] {
  if (collection === null) return 'Single';
  return domain === null ? 'CollectionItem' : 'DnsItem';
}
