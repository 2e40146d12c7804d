import { publicKeySet } from '../../ledger-tree/keys';
import { endpoint } from '../endpoint';

export const ledgerKeys = endpoint({
  group: 'Billing administration',
  method: 'GET',
  path: '/.well-known/tidemark-ledger-keys.json',
  operationId: 'getLedgerKeys',
  summary:
    'Public keys (JWK set) that verify proofs and checkpoints of the ledger; the first is the current one',
  examples: [{}],
  auth: 'none',
  response: publicKeySet,
});
