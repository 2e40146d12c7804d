import { isSolanaAddress } from '../../contracts/account/address';
import { addressKey } from '../../contracts/http/address-key';
import { contractInfo, contractMetadata, walletConfig } from '../../contracts/http/ton/contracts';
import { Problem } from '../../contracts/problem/problem';
import { bind, type Binding } from '../http/binding';
import { createContractReader } from '../reads/read-ton-contract';
import { tonAccount } from '../../contracts/account/ton-account';
import type { TonContractDeps } from './deps';
import { infoView } from './info';
import { attributesOf, metadataView } from './metadata';
import { createOfferedPools } from './offered-pools';
import { walletConfigOf, walletConfigView } from './wallet-config';

/** What contracts are and what they hold, from documents. */
export function tonContractRoutes(deps: TonContractDeps): Binding[] {
  const { documents, gatewayUrl, publicUrl } = deps;
  const read = createContractReader(deps);
  const offeredPools = createOfferedPools(deps);
  return [
    bind(contractInfo, async call => {
      if (isSolanaAddress(call.params.address)) return null;
      const account = tonAccount(call.params.address, call.query.network, '/query/network');
      return read(infoView, account, call).catch(nothingKnown);
    }),
    bind(contractMetadata, async call => {
      const account = tonAccount(call.params.address, call.query.network, '/query/network');
      const { metadata, content } = await read(metadataView, account, call);
      if (!content) return metadata;
      const { uri } = content;
      const found = uri === null ? null : await documents.find(uri);
      // The state of the contract does not wait for a server that anybody may have named.
      if (uri !== null && (!found || documents.isStale(found.at)))
        void documents.request(uri, { caller: addressKey(call.ip) });
      const images = { gatewayUrl, api: publicUrl ?? call.origin };
      return { ...metadata, ...attributesOf(content, found?.data ?? null, account, images) };
    }),
    bind(walletConfig, async call => {
      const account = tonAccount(call.params.address, call.query.network, '/query/network');
      const offered = await offeredPools(account.network, call);
      const known = await read(walletConfigView(offered), account, call).catch(nothingKnown);
      return known ?? walletConfigOf(null, account.network, offered);
    }),
  ];
}

/** Wallets drop the row of a transaction when a read fails: that nothing is known is an answer. */
function nothingKnown(error: unknown): null {
  if (error instanceof Problem && (error.code === 'not_ready' || error.code === 'rate_limited')) return null;
  throw error;
}
