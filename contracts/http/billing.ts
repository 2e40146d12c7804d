import { describeAccess, FEES_ACCESS } from './billing-access';
import { adminRequest } from './billing-actions';
import { adminAnswer, feeResults } from './billing-answers';
import { feeBatch } from './billing-fees';
import { endpoint } from './endpoint';

const group = 'Billing administration';

export const instanceAdmin = endpoint({
  group,
  method: 'POST',
  path: '/api/instance-admin',
  summary: 'Revenue, fee ledger, CSV export and invoices of the instance: one action per call',
  auth: 'bearer',
  body: adminRequest,
  response: adminAnswer,
  errors: {
    400: ['invalid_request', 'unknown_action'],
    401: ['unauthenticated', 'secure_session_required'],
    403: ['insufficient_role', 'wrong_instance'],
    404: ['invoice_not_found'],
    409: ['invoice_period_exists', 'invoice_not_draft', 'invoice_already_void', 'version_conflict'],
    422: ['no_collected_fees'],
    503: ['not_ready'],
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
  body: feeBatch,
  response: feeResults,
  errors: { 403: ['insufficient_role', 'wrong_instance'], 503: ['not_ready'] },
  bodyLimit: LARGEST_BATCH,
});
