import type { Logger } from 'pino';
import { createAuditTrail } from '../../services/audit/trail';
import type { Audited } from '../../services/audited';
import { createHandle } from '../../services/handle';
import type { RateLimits } from '../../services/http/limits';
import { createOnce } from '../../services/idempotency/once';
import type { Once } from '../../services/once';
import type { PersonalTexts } from '../../services/personal-text';
import type { Config } from './config';
import type { Engines } from '../engines/engines';
import { openLimits } from './rate-limits';

/** What stands before and behind every call of the billing administration. */
export interface Admission {
  readonly limits: RateLimits;
  readonly audited: Audited;
  readonly once: Once;
  /** Writes down what was only counted so far. */
  close(): Promise<void>;
}

interface AdmissionDeps {
  readonly store: Engines['store'];
  readonly texts: PersonalTexts;
  readonly clock: () => Date;
  readonly logger: Logger;
}

/** Milliseconds; a request that takes longer is cut off by the server. */
const LONGEST_CALL = 30_000;

export async function openAdmission(
  config: Config,
  { store, texts, clock, logger }: AdmissionDeps,
): Promise<Admission> {
  const now = (): string => clock().toISOString();
  const limits = await openLimits(config, logger);
  const trail = createAuditTrail({ store, texts, instanceId: config.INSTANCE_ID, now, logger });
  return {
    limits,
    audited: trail.audited,
    once: createOnce({ handle: createHandle({ store }), texts, now, takeOverAfter: LONGEST_CALL }),
    async close() {
      await trail.flush();
      await limits.close();
    },
  };
}
