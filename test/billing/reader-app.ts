import type { Express } from 'express';
import type { BillingDeps } from '../../services/billing/deps';
import { billingRoutes } from '../../services/billing/routes';
import type { RequestPolicies } from '../../services/http/mount';
import { createTestApp } from '../app';

/** An API whose every caller has the role `finance` outside a secure session. */
export function readerApp(deps: BillingDeps, policies: RequestPolicies): Express {
  return createTestApp(billingRoutes(deps), {
    authenticate: {
      bearer: async () => ({
        issuer: 'instance',
        subject: 'reader',
        role: 'finance',
        secureSessionAge: null,
      }),
    },
    ...policies,
  });
}
