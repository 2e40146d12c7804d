import type { z } from 'zod';
import type { collectionStatus, invoiceStatus } from '../../../../contracts/http/billing/fields';

export const COLLECTION_STATUSES = [
  'pending',
  'collected',
  'waived',
  'reversed',
] as const satisfies readonly z.output<typeof collectionStatus>[];
export const INVOICE_STATUSES = ['draft', 'finalized', 'void'] as const satisfies readonly z.output<
  typeof invoiceStatus
>[];
export const SETTLEMENT_STATUSES = ['pending', 'paid', 'carried', 'void'] as const;
export const REBATE_STATUSES = ['accrued', 'applied', 'paid', 'void'] as const;

/** YYYY-MM, of now. */
export function thisMonth(): string {
  return new Date().toISOString().slice(0, 7);
}

/** YYYY-MM-DD: the last day of this month. */
export function endOfThisMonth(): string {
  const [year, month] = thisMonth().split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

export const PAGE_SIZE = 50;
