import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { TonElection } from '../../contracts/chain/ton-elections';
import type { TonNetwork } from '../../contracts/network/network';
import type { Observed } from '../../contracts/observation/reader';
import { endedElections } from '../ended-elections';
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
 * Requests the elections whose rounds are over and that may have earned more since they were read: those that the elector lists
 * otherwise, and of those that it has forgotten the newest that may have been read during their rounds, as earlier versions did. A
 * network that cannot be read is left for later.
 */
export async function observeElections(
  { elections, election, views, logger }: Omit<KeepElectionsDeps, 'networks'>,
  network: TonNetwork,
): Promise<void> {
  try {
    const { data } = await elections.read({ network });
    const ended = data.elections.filter(({ id }) => id < data.roundStart);
    for (const listed of ended) {
      const subject = { network, id: listed.id };
      const known = await election.find(subject);
      if (!known || JSON.stringify(known.data) !== JSON.stringify(listed)) await election.request(subject);
    }
    for (const known of await endedElections({ views, election }, network)) {
      const { id } = known.data;
      const isForgotten = id < data.roundStart && ended.every(listed => listed.id !== id);
      if (isForgotten && mayLackBonuses(known)) await election.request({ network, id });
    }
  } catch (error) {
    logger.debug({ err: error, network }, 'elections not observed');
  }
}

/** Seconds after the end of a round in which a node may not have that yet. */
const MAX_NODE_LAG = 600;

/** Whether an election was read before its round was over, by the clocks of the program and of the network. */
function mayLackBonuses({ data: { unfreezeAt, stakeHeld }, at }: Observed<TonElection>): boolean {
  return Date.parse(at) < (unfreezeAt - stakeHeld + MAX_NODE_LAG) * 1_000;
}
