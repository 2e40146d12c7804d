import { nfts } from '../../contracts/http/tokens/nfts';
import { bind, type Binding } from '../http/binding';
import { networkOf, tonAccount } from '../../contracts/account/ton-account';
import type { NftDeps } from './deps';
import { createNftPages } from './page';

/** The NFT items of an owner. */
export function nftRoutes(deps: NftDeps): Binding[] {
  const page = createNftPages(deps);
  return [
    bind(nfts, call => {
      const { first, after, isTestnet } = call.query;
      const account = tonAccount(call.params.address, networkOf(isTestnet), '/query/isTestnet');
      return page(account, { first, after }, call);
    }),
  ];
}
