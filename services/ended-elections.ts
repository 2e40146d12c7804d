import type { TonElection, TonElectionSubject } from '../contracts/chain/ton-elections';
import type { TonNetwork } from '../contracts/network/network';
import type { Observed, ObservedReader } from '../contracts/observation/reader';
import type { Views } from '../projections/views';

export interface EndedElectionsDeps {
  readonly views: Pick<Views, 'cached'>;
  /** Each election that the elector was ever seen to hold after its round. */
  readonly election: Pick<ObservedReader<TonElectionSubject, TonElection>, 'scan' | 'collection'>;
}

const NEWEST = 10;
const PAGE = 500;

/** The newest elections that were read after their rounds, whether or not the elector still holds them; newest first. */
export function endedElections(
  { views, election }: EndedElectionsDeps,
  network: TonNetwork,
): Promise<readonly Observed<TonElection>[]> {
  const query = { key: ['ended elections', network], sources: [{ collection: election.collection }] };
  return views.cached(query, async () => {
    let newest: readonly Observed<TonElection>[] = [];
    for await (const page of election.scan(PAGE)) {
      const found = page.filter(({ subject }) => subject.network === network).map(({ observed }) => observed);
      newest = [...newest, ...found].sort((a, b) => b.data.id - a.data.id).slice(0, NEWEST);
    }
    return newest;
  });
}
