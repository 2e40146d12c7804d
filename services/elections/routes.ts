import type {
  TonElection,
  TonElectionSubject,
  TonElectionsObserved,
} from '../../contracts/chain/ton-elections';
import type { TonNetworkSubject } from '../../contracts/chain/ton-network-config';
import { electionById, latestElections, latestElectionsApy } from '../../contracts/http/ton/elections';
import type { ObservedReader } from '../../contracts/observation/observation';
import { Problem } from '../../contracts/problem/problem';
import { bind, type Binding } from '../http/binding';
import { validatorApy } from './apy';

export interface ElectionsDeps {
  /** What the elector says now. */
  readonly elections: ObservedReader<TonNetworkSubject, TonElectionsObserved>;
  /** Each election that the elector was ever seen to hold. */
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
      const { data } = await elections.read(params);
      const ended = data.elections.findLast(({ id }) => id < data.roundStart);
      const apy = ended && validatorApy(ended, data.roundSeconds);
      // Wallets repeat for ever what is refused: in no round nothing was earned.
      if (!ended || apy === null || apy === undefined) return { apy: NO_APY, electionId: null };
      return { apy: apy.toFixed(APY_DIGITS), electionId: ended.id };
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
