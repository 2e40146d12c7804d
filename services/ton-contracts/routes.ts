import { contractInfo, contractMetadata } from '../../contracts/http/ton-contracts';
import { Problem } from '../../contracts/problem';
import { bind, type Binding } from '../http/binding';
import { tonAccount } from '../ton-account';
import type { TonContractDeps } from './deps';
import { infoView } from './info';
import { metadataView } from './metadata';
import { createContractReader } from './read-contract';

/** What contracts are and what they hold, from documents. */
export function tonContractRoutes(deps: TonContractDeps): Binding[] {
  const read = createContractReader(deps);
  return [
    bind(contractInfo, call => {
      const account = tonAccount(call.params.address, call.query.network, '/query/network');
      return read(infoView, account, call).catch(nothingKnown);
    }),
    bind(contractMetadata, call => {
      const account = tonAccount(call.params.address, call.query.network, '/query/network');
      return read(metadataView, account, call);
    }),
  ];
}

/** Wallets drop the row of a transaction when this fails: that nothing is known is an answer. */
function nothingKnown(error: unknown): null {
  if (error instanceof Problem && (error.code === 'not_ready' || error.code === 'rate_limited')) return null;
  throw error;
}
