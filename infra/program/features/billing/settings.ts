import { z } from 'zod';
import { paymentMethod } from '../../../../services/billing/payments/payment-method';
import { count, flag, json } from '../../../config/settings';
import { AS_OF_SETTINGS } from './as-of/ledger';

export const BILLING_SETTINGS = {
  INSTANCE_CURRENCY: z
    .string()
    .regex(/^[A-Z]{3,5}$/, 'an upper-case currency code')
    .default('USD'),
  CURRENCY_SCALE: count.max(18).default(2),
  VOID_REASON_REQUIRED: flag.default(false),
  FEE_PAYMENTS: json.pipe(z.array(paymentMethod).max(32)).default([]),
  ...AS_OF_SETTINGS,
};
