import { createAuditTrail } from '../../../services/audit/trail';
import type { RequestPolicies } from '../../../services/http/mount-options';
import { createPositionReads } from '../../../services/http/position-reads';
import { createIdempotent, idempotency } from '../../../services/idempotency/idempotent';
import { isLocalIssuer } from '../auth/auth';
import { personalTexts } from '../personal-texts';
import type { Resource } from '../feature';
import { rateLimits } from './rate-limits';

/** Longer than any call: the server cuts off a request that takes longer. */
const TAKE_OVER_AFTER_MS = 30_000;

export interface OpenPolicies extends RequestPolicies {
  /** Audits the refusals that were only counted so far. */
  flush(): Promise<void>;
}

/** Enforces the access rules of endpoints: sessions, quotas, the audit trail and idempotency keys. */
export const requestPolicies: Resource<OpenPolicies> = {
  async open({ config, engines, handle, clock, logger, use }) {
    const now = (): string => clock().toISOString();
    const { INSTANCE_ID: instanceId, SECURE_SESSION_MAX_AGE: maxAge, SECURE_ACR_VALUES: acrValues } = config;
    const texts = await use(personalTexts);
    const limits = await use(rateLimits);
    const trail = createAuditTrail({ store: engines.store, texts, instanceId, now, logger });
    const idempotent = createIdempotent({ handle, texts, now, takeOverAfterMs: TAKE_OVER_AFTER_MS });
    return {
      secureSession: {
        maxAge,
        acrValues,
        ownIssuers: (['instance', 'platform'] as const).filter(kind => isLocalIssuer(config, kind)),
      },
      limits,
      audit: trail.audit,
      idempotency: idempotency(idempotent, { instanceId, now }),
      positions: createPositionReads(() => engines.store.end(), config.MAX_POSITION_READS),
      flush: trail.flush,
    };
  },
  close: policies => policies.flush(),
};
