import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { TonNetwork } from '../../contracts/network/network';
import type { ElectionsDeps } from './routes';

/** The elector holds an election for hours after its round has ended, when nothing of it changes any more. */
const INTERVAL_MS = 15 * 60_000;

interface KeepElectionsDeps extends ElectionsDeps {
  readonly networks: readonly TonNetwork[];
  readonly logger: Logger;
}

/** Has the elections of the networks observed while the elector knows them, whether anyone reads them or not. Until the signal. */
export async function keepElections(deps: KeepElectionsDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await Promise.all(deps.networks.map(network => observeElections(deps, network)));
    await sleep(INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/**
 * Requests the elections of the list whose rounds are over and whose last reading differs from it. A network that cannot be read is
 * left for later.
 */
export async function observeElections(
  { elections, election, logger }: Omit<KeepElectionsDeps, 'networks'>,
  network: TonNetwork,
): Promise<void> {
  try {
    const { data } = await elections.read({ network });
    for (const listed of data.elections.filter(({ id }) => id < data.roundStart)) {
      const subject = { network, id: listed.id };
      const known = await election.find(subject);
      if (!known || JSON.stringify(known.data) !== JSON.stringify(listed)) await election.request(subject);
    }
  } catch (error) {
    logger.debug({ err: error, network }, 'elections not observed');
  }
}
