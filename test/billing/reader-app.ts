import type { Express } from 'express';
import { pino } from 'pino';
import type { BillingDeps } from '../../services/billing/deps';
import { billingRoutes } from '../../services/billing/routes';
import { createApp } from '../../services/http/app';
import type { RequestPolicies } from '../../services/http/mount';

/** An API whose every caller has the role `finance` outside a secure session. */
export function readerApp(deps: BillingDeps, policies: RequestPolicies): Express {
  return createApp(billingRoutes(deps), {
    logger: pino({ level: 'silent' }),
    trustedProxies: 0,
    checkResponses: true,
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
