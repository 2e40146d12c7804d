import { publicKeySet } from '../ledger-tree/keys';
import { endpoint } from './endpoint';

export const ledgerKeys = endpoint({
  group: 'Billing administration',
  method: 'GET',
  path: '/.well-known/tidemark-ledger-keys.json',
  operationId: 'getLedgerKeys',
  summary:
    'The public keys (JWK set) under which proofs and checkpoints of the ledger are signed; the first one is the current one',
  examples: [{}],
  auth: 'none',
  response: publicKeySet,
});
