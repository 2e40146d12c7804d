import { z } from 'zod';
import { poolRoundObserved, type PoolRoundSubject } from '../../../contracts/chain/ton-staking';
import { readJson } from '../../../contracts/json/read-json';
import { TON_NETWORKS } from '../../../contracts/network/network';
import {
  observationKey,
  OBSERVATIONS_TOPIC,
  type Observation,
  type ObservationRecord,
} from '../../../contracts/observation/observation';
import type { MessageReaction } from '../../reactions/message-reaction';
import { ATTEMPTS } from '../notification/jobs';
import { MAX_CAUSE_AGE_MS } from './reactions';

export const PUSH_STAKING_ROUNDS = 'push-staking-rounds';

/** A round of a pool that has ended. */
export const endedRound = z.object({
  network: z.enum(TON_NETWORKS),
  /** Raw. */
  pool: z.string(),
  /** Its start in Unix seconds. */
  round: z.int(),
  /** The first block (seqno of the masterchain) after its end. */
  seqno: z.int(),
  /** When it ended: RFC 3339 UTC instant with milliseconds. */
  at: z.iso.datetime(),
});
export type EndedRound = z.output<typeof endedRound>;

/**
 * Rounds of staking pools that have ended, as they are observed. What ended long ago is history: those of a pool that is read for
 * the first time, for example.
 * @param observation of the ends of rounds
 */
export function stakingRounds(
  observation: Pick<Observation<PoolRoundSubject>, 'kind' | 'subject'>,
  clock: () => Date,
): MessageReaction {
  const prefix = observationKey(observation.kind, '');
  return {
    name: 'push-staking-rounds',
    topics: [OBSERVATIONS_TOPIC.name],
    from: 'now',
    jobs({ key, value }) {
      // By the key: the records of other kinds need not be parsed.
      if (!key.startsWith(prefix)) return [];
      const { network, pool, time } = observation.subject.parse(key.slice(prefix.length));
      if (time * 1_000 <= clock().getTime() - MAX_CAUSE_AGE_MS) return [];
      const { data } = readJson(value.toString()) as unknown as ObservationRecord;
      const observed = poolRoundObserved.parse(data);
      if (!observed) return [];
      const { round, after } = observed;
      const at = new Date(time * 1_000).toISOString();
      const ended: EndedRound = { network, pool, round, seqno: after.seqno, at };
      // A fork may end it again.
      const id = `${network}/${pool}/${round}/${after.seqno}`;
      return [{ queue: PUSH_STAKING_ROUNDS, id, data: ended, attempts: ATTEMPTS }];
    },
  };
}
