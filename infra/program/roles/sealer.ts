import { leases } from '../../../indexers/lease';
import { runSealer } from '../../../services/seal/sealer';
import { isDistributed } from '../../engines/engines';
import type { Part, RoleDeps } from './role';

const LEASE = 'ledger-seal';
const MINUTE = 60_000;

/** Seals the ledger: one process at a time does, and the others stand by. */
export function sealLedger({ config, engines, seal, logger, signal }: RoleDeps): Part {
  const lease = isDistributed(config) ? leases(engines.documents) : null;
  const { done, fault } = runSealer(
    {
      ...engines,
      ...seal,
      logger,
      now: () => new Date(),
      every: {
        events: config.LEDGER_CHECKPOINT_EVENTS,
        milliseconds: config.LEDGER_CHECKPOINT_MINUTES * MINUTE,
      },
      ...(lease && { alone: (run, until) => lease.exclusively(LEASE, run, until) }),
    },
    signal,
  );
  return { done, checks: [{ name: 'ledger seal', vital: false, run: async () => fault() }] };
}
