import type { TonNetwork } from '../../../../contracts/network/network';
import type { ProgramDeps } from '../../feature';
import { rateLimits } from '../../requests/rate-limits';
import { isCardOn } from './settings';

/** What tells whose token a call has. */
export function cardCallerDeps({ config, engine, engines, clock, use }: ProgramDeps) {
  return {
    store: engines.store,
    views: engine.views,
    limits: () => use(rateLimits),
    clock,
    isOn: (network: TonNetwork) => isCardOn(config, network),
  };
}
