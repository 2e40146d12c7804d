import type {
  TonElection,
  TonElectionSubject,
  TonElectionsObserved,
} from '../../contracts/chain/ton-elections';
import type { TonNetworkSubject } from '../../contracts/chain/ton-network-config';
import { electionById, latestElections, latestElectionsApy } from '../../contracts/http/ton/elections';
import type { Observed, ObservedReader } from '../../contracts/observation/reader';
import { Problem } from '../../contracts/problem/problem';
import { endedElections, type EndedElectionsDeps } from '../ended-elections';
import { bind, type Binding } from '../http/binding';
import { APY_FORMULA, validatorApy } from './apy';

export interface ElectionsDeps extends Pick<EndedElectionsDeps, 'views'> {
  /** What the elector says now. */
  readonly elections: ObservedReader<TonNetworkSubject, TonElectionsObserved>;
  /** Each election that the elector was ever seen to hold after its round. */
  readonly election: ObservedReader<TonElectionSubject, TonElection>;
}

const MAX_LATEST = 20;
const APY_DIGITS = 4;
const NO_APY = (0).toFixed(APY_DIGITS);

/** The elections of a network's validators, as its elector was last observed. */
export function electionsRoutes(deps: ElectionsDeps): Binding[] {
  const { elections } = deps;
  return [
    bind(latestElections, async ({ params }) => {
      const { data } = await elections.read(params);
      return {
        elections: data.elections.slice(-MAX_LATEST).map(({ id }) => id),
        openElection: data.openElection,
        currentElection: data.roundStart,
      };
    }),
    bind(electionById, async ({ params }) => {
      const election = await findElection(deps, params);
      if (!election) throw new Problem('election_not_found', `No election ${params.id} is known.`);
      return { election };
    }),
    bind(latestElectionsApy, async ({ params }) => {
      const { data, height } = await elections.read(params);
      const listed = data.elections.map(each => ({ data: each, height }));
      const isEnded = ({ data: { id } }: Pick<Observed<TonElection>, 'data'>): boolean =>
        id < data.roundStart;
      // The elector returns the stakes of a round in the middle of the next one, and forgets it.
      const ended = listed.findLast(isEnded) ?? (await endedElections(deps, params.network)).find(isEnded);
      const { roundSeconds } = data;
      const apy = ended && validatorApy(ended.data, roundSeconds);
      // Wallets repeat for ever what is refused: in no round nothing was earned.
      if (!ended || apy === null || apy === undefined)
        return { apy: NO_APY, electionId: null, of: null, formula: APY_FORMULA };
      const { id, totalStake, bonuses } = ended.data;
      return {
        apy: apy.toFixed(APY_DIGITS),
        electionId: id,
        of: { seqno: ended.height, totalStake, bonuses, roundSeconds },
        formula: APY_FORMULA,
      };
    }),
  ];
}

/**
 * An election that is not known may have been held since the list was read: a stale list is not relied on. One that the
 * elector has forgotten is as it was read last.
 */
async function findElection(
  { elections, election: forgotten }: ElectionsDeps,
  subject: TonElectionSubject,
): Promise<TonElection | null> {
  const find = async () => {
    const [listed, kept] = await Promise.all([elections.find(subject), forgotten.find(subject)]);
    const election = listed?.data.elections.find(({ id }) => id === subject.id) ?? kept?.data ?? null;
    if (!listed) return election && { election, isStale: true };
    return { election, isStale: elections.isStale(listed.at) };
  };
  const found = await elections.readDerived(subject, {
    find,
    isStale: ({ isStale }) => isStale,
    isCurrent: ({ election, isStale }) => election !== null || !isStale,
  });
  if (!found) throw elections.notReady(subject, 'The list of elections');
  return found.election;
}
