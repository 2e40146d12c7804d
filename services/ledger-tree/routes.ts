import { ledgerKeys } from '../../contracts/http/billing/ledger-keys';
import { bind, type Binding } from '../http/binding';
import type { LedgerKeys } from './keys';

export function ledgerKeyRoutes(keys: Pick<LedgerKeys, 'published'>): Binding[] {
  return [bind(ledgerKeys, async () => keys.published())];
}
