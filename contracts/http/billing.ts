import { describeAccess, FEES_ACCESS } from './billing-access';
import { adminRequest } from './billing-actions';
import { adminAnswer, feeResults } from './billing-answers';
import { feeBatch } from './billing-fees';
import { endpoint } from './endpoint';

const group = 'Billing administration';

/** What a call may be refused with because of its `Idempotency-Key`, by status. */
const KEYED = { 409: 'idempotency_in_flight', 422: 'idempotency_key_reused' } as const;

const headers = {
  'Idempotency-Key':
    'Makes an action that changes something happen once: 1 to 255 printable ASCII characters, unique to the caller and the action. A repetition gets the first answer, with `Idempotent-Replayed: true`.',
};

export const instanceAdmin = endpoint({
  group,
  method: 'POST',
  path: '/api/instance-admin',
  summary:
    'Revenue, fee ledger, CSV export, invoices, settlements and rebates of the instance: one action per call',
  auth: 'bearer',
  limitedByAddress: true,
  headers,
  body: adminRequest,
  response: adminAnswer,
  errors: {
    400: ['invalid_request', 'unknown_action'],
    401: ['unauthenticated', 'secure_session_required'],
    403: ['insufficient_role', 'wrong_instance'],
    404: ['invoice_not_found', 'settlement_not_found'],
    409: [
      'invoice_period_exists',
      'invoice_not_draft',
      'invoice_already_void',
      'settlement_exists',
      'settlement_already_paid',
      'settlement_not_pending',
      'version_conflict',
      KEYED[409],
    ],
    413: ['append_too_large'],
    422: ['no_collected_fees', 'nothing_to_settle', KEYED[422]],
    429: ['rate_limited'],
    503: ['not_ready', 'ledger_damaged'],
  },
});

/** A thousand rows with the longest names there may be. */
const LARGEST_BATCH = 2 * 1024 * 1024;

export const recordFees = endpoint({
  group,
  method: 'POST',
  path: '/api/fees',
  summary: `Records fees and collects, waives or reverses them, up to 1,000 rows a call. ${describeAccess(FEES_ACCESS)}`,
  auth: 'bearer',
  headers,
  body: feeBatch,
  response: feeResults,
  errors: {
    403: ['insufficient_role', 'wrong_instance'],
    409: [KEYED[409]],
    422: [KEYED[422]],
    429: ['rate_limited'],
    503: ['not_ready'],
  },
  bodyLimit: LARGEST_BATCH,
});
