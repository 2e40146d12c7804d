import type { TonContractSubject } from '../../contracts/chain/ton-contract';
import type { TokenAttributes } from '../../contracts/chain/ton-token-observations';
import type { AnyCall } from '../http/call';
import { tokenImageUrl } from '../token-attributes';
import type { TokenDeps } from './deps';

/** What a jetton says of itself, as responses have it. */
export function jettonFields(
  { gatewayUrl, publicUrl }: Pick<TokenDeps, 'gatewayUrl' | 'publicUrl'>,
  attributes: TokenAttributes,
  master: TonContractSubject,
  { origin }: AnyCall,
) {
  return {
    name: attributes.name,
    symbol: attributes.symbol,
    description: attributes.description,
    decimals: attributes.decimals,
    originalImage: tokenImageUrl(attributes, master, { gatewayUrl, api: publicUrl ?? origin }),
    image: null,
  };
}

/** All null for a contract that is not a jetton master, which is what wallets take for "not a token". */
export const NOT_A_MASTER = {
  name: null,
  symbol: null,
  description: null,
  decimals: null,
  originalImage: null,
  image: null,
};
