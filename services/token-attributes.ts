import type { TokenAttributes, TokenContent } from '../contracts/chain/ton-token-observations';

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
  return { ...merged, decimals: merged.decimals ?? (isComplete ? DEFAULT_DECIMALS : null) };
}

const SHOWABLE = /^(?:https:|data:image\/)/i;

/** An image that a wallet can load; null for other URLs, which may be anything. */
export function imageUrl(image: string | null, gatewayUrl: (uri: string) => string): string | null {
  const url = image === null ? null : gatewayUrl(image);
  return url !== null && SHOWABLE.test(url) ? url : null;
}
