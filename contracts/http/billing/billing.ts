import { ADMIN_ACCESS, describeAccess, FEES_ACCESS } from './access';
import { adminRequest } from './actions';
import { ADMIN_RESPONSES, adminResponse, feeResults } from './responses';
import { ADMIN_EXAMPLES, FEE_EXAMPLES } from './examples';
import { feeBatch } from './fees';
import { endpoint } from '../endpoint';
import { LEDGER_POSITION } from './ledger-position';

const group = 'Billing administration';

export const instanceAdmin = endpoint({
  group,
  method: 'POST',
  path: '/api/instance-admin',
  summary:
    'Revenue, fee ledger, CSV export, invoices, settlements and rebates of the instance; one action per call',
  examples: ADMIN_EXAMPLES,
  auth: 'bearer',
  limitedByAddress: true,
  actions: ADMIN_ACCESS,
  body: adminRequest,
  response: adminResponse,
  actionResponses: ADMIN_RESPONSES,
  attachments: ['text/csv; charset=utf-8', 'application/pdf'],
  responseHeaders: {
    'X-Ledger-Position': 'A position of the ledger: the response includes everything up to it',
    'X-Ledger-Head': 'The newest position that proofs cover, and the root hash of the ledger up to it',
  },
  errors: [
    'unknown_action',
    'fee_not_found',
    'invoice_not_found',
    'settlement_not_found',
    'invoice_period_exists',
    'invoice_not_draft',
    'invoice_already_void',
    'settlement_exists',
    'settlement_already_paid',
    'settlement_not_pending',
    'settlement_already_void',
    'settlement_has_dependents',
    'merchant_not_found',
    'merchant_slug_taken',
    'append_too_large',
    'no_collected_fees',
    'nothing_to_settle',
    'ledger_damaged',
  ],
});

/** Bytes: a thousand rows with the longest names possible. */
const MAX_BATCH_BYTES = 2 * 1024 * 1024;

export const recordFees = endpoint({
  group,
  method: 'POST',
  path: '/api/fees',
  operationId: 'recordFees',
  summary: `Records fees and collects, waives or reverses them, up to 1,000 rows per call. ${describeAccess(FEES_ACCESS)}`,
  examples: FEE_EXAMPLES,
  auth: 'bearer',
  ...FEES_ACCESS,
  body: feeBatch,
  response: feeResults,
  responseHeaders: LEDGER_POSITION,
  errors: ['append_too_large'],
  bodyLimit: MAX_BATCH_BYTES,
});
