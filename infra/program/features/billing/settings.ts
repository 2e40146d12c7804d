import { z } from 'zod';
import { paymentMethod } from '../../../../services/billing/payments/payment-method';
import { count, flag, forTests, json } from '../../../config/settings';
import { AS_OF_SETTINGS } from './as-of/ledger';

export const BILLING_SETTINGS = {
  CURRENCY_SCALE: count.max(18).default(2),
  VOID_REASON_REQUIRED: flag.default(false),
  FEE_PAYMENTS: json.pipe(z.array(paymentMethod).max(32)).default([]),
  /** Maximum bytes of an invoice's lines in one event; default: as many as event stores take. */
  INVOICE_PART_BYTES: forTests(count.min(1).optional()),
  ...AS_OF_SETTINGS,
};
