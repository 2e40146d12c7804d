import { formatTonAddress } from '../contracts/account/address';
import type { TonContractSubject } from '../contracts/chain/ton-contract';
import type { TokenAttributes, TokenContent } from '../contracts/chain/ton-token-observations';
import { tokenImage } from '../contracts/http/tokens/tokens';

/** TEP-64: of a token that does not say. */
const DEFAULT_DECIMALS = 9;

/**
 * What a token says of itself: on the chain, else in its document (TEP-64). Decimals are null while they are not known: the
 * document may name them and was never read.
 * @param document null when it was never read
 */
export function tokenAttributesOf(
  { kind, attributes }: TokenContent,
  document: TokenAttributes | null,
): TokenAttributes {
  const isComplete = kind === 'onchain' || document !== null;
  const merged = { ...attributes };
  for (const name of Object.keys(attributes) as (keyof TokenAttributes)[])
    Object.assign(merged, { [name]: attributes[name] ?? document?.[name] ?? null });
  const imageDigest = attributes.imageDigest ?? document?.imageDigest;
  return {
    ...merged,
    decimals: merged.decimals ?? (isComplete ? DEFAULT_DECIMALS : null),
    ...(imageDigest !== undefined && { imageDigest }),
  };
}

/** An image that a wallet can load; null for other URLs, which may be anything. */
export function imageUrl(image: string | null, gatewayUrl: (uri: string) => string): string | null {
  const url = image === null ? null : gatewayUrl(image);
  return url !== null && /^https:/i.test(url) ? url : null;
}

/** Where wallets load the images of tokens from. */
export interface TokenImages {
  /** Where a URI of a token can be shown from. */
  readonly gatewayUrl: (uri: string) => string;
  /** The URL of this program, which shows what a token contains; null: unknown. */
  readonly api: string | null;
}

/**
 * The URL of the image of a jetton or an NFT item: what it names, else what it contains (TEP-64); null when it has none that a
 * wallet can load.
 */
export function tokenImageUrl(
  { image, imageDigest: digest }: TokenAttributes,
  { network, address }: TonContractSubject,
  { gatewayUrl, api }: TokenImages,
): string | null {
  const named = imageUrl(image, gatewayUrl);
  if (named !== null || digest === undefined || api === null) return named;
  const query = new URLSearchParams({ address: formatTonAddress(address, network), digest });
  return `${api}${tokenImage.path}?${query.toString()}`;
}
