import { FEE_CATEGORY } from './fee';
import { INVOICE_CATEGORY } from './invoice';
import { INVOICE_NUMBER_CATEGORY } from './invoice-number';
import { INVOICE_PERIOD_CATEGORY } from './invoice-period';
import { MERCHANT_CATEGORY } from './merchant';
import { MERCHANT_SLUG_CATEGORY } from './merchant-slug';
import { REBATE_RULE_CATEGORY } from './rebate-rule';
import { SETTLEMENT_CATEGORY } from './settlement';

/**
 * The categories of the billing ledger: the events of an export and of the ledger tree. Never remove a category of which
 * the tree has events, and never add one that already has events. Every other category is in
 * `test/events/categories.test.ts`, which fails for one that is in neither list.
 */
export const LEDGER_CATEGORIES: readonly string[] = [
  FEE_CATEGORY,
  INVOICE_CATEGORY,
  INVOICE_PERIOD_CATEGORY,
  INVOICE_NUMBER_CATEGORY,
  MERCHANT_CATEGORY,
  MERCHANT_SLUG_CATEGORY,
  SETTLEMENT_CATEGORY,
  REBATE_RULE_CATEGORY,
];
