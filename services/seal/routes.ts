import { ledgerKeys } from '../../contracts/http/ledger-keys';
import { bind, type Binding } from '../http/binding';
import type { LedgerKeys } from './keys';

export const sealRoutes = (keys: Pick<LedgerKeys, 'published'>): Binding[] => [
  bind(ledgerKeys, async () => keys.published()),
];
