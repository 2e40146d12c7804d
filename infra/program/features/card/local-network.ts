import type { ProgramDeps, Worker } from '../../feature';
import { isCardOn } from './settings';

/** Where the examples of endpoints have something to show. */
export const LOCAL_NETWORK = 'mainnet';

export function localMetadata({ clock }: Pick<ProgramDeps, 'clock'>) {
  return { now: clock().toISOString(), actor: 'local network' };
}

/** Records something once for the local network, where that has traffic and a card service. @param failure for the log */
export function recordingLocally(record: (deps: ProgramDeps) => Promise<void>, failure: string): Worker {
  return {
    role: 'networks',
    start(deps) {
      const { config, networks, logger } = deps;
      if (!config.LOCAL_TRAFFIC || !networks.local.ton.has(LOCAL_NETWORK) || !isCardOn(config, LOCAL_NETWORK))
        return {};
      return { done: record(deps).catch((err: unknown) => logger.warn({ err }, failure)) };
    },
  };
}
