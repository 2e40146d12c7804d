import { formatTonAddress } from '../../contracts/account/address';
import type { TonElection } from '../../contracts/chain/ton-elections';
import type { StakingStatusObserved } from '../../contracts/chain/ton-staking-status';
import type { StakingStatus } from '../../contracts/http/staking/status';
import type { TonNetwork } from '../../contracts/network/network';
import type { Observed } from '../../contracts/observation/reader';
import { addressKey } from '../../contracts/http/address-key';
import { Problem } from '../../contracts/problem/problem';
import { endedElections } from '../ended-elections';
import type { Reader } from '../watch-account';
import type { StakingDeps } from './deps';
import { readCurrent } from './read-current';

/** Wallets compute yields from the last two rounds that have ended, and stop where there are fewer. */
const MIN_ENDED = 2;
/** Rounds before the present one of which none is missing, where the nodes know them. */
const PAST_ROUNDS = 10;
const RETRY_AFTER_SECONDS = 60;

type StatusDeps = Pick<StakingDeps, 'status' | 'election' | 'views' | 'now'>;

/**
 * The staking status of a network. For one whose round is over by now a read waits a while, as for one of the last two elections
 * that was not read after its round.
 * @throws Problem 503 while a part of it is not known
 */
export type ReadStakingStatus = (network: TonNetwork, caller: Reader) => Promise<StakingStatus>;

export function createStakingStatus(deps: StatusDeps): ReadStakingStatus {
  const { status, election, now } = deps;
  /** By network, those that were requested last: nodes may not know them any more. */
  const requested = new Map<TonNetwork, string>();

  async function requestOnce(network: TonNetwork, ids: readonly number[]): Promise<void> {
    const key = ids.join();
    if (requested.get(network) === key) return;
    requested.set(network, key);
    await Promise.all(ids.map(id => election.request({ network, id })));
  }

  return async (network, caller) => {
    const known = await status.read({ network });
    const isCurrent = ({ data, at }: Observed<StakingStatusObserved>): boolean =>
      now() < data.validationUntil * 1_000 || Date.parse(at) >= data.validationUntil * 1_000;
    const observed = await readCurrent(status, { subject: { network }, known, isCurrent, caller });
    // The elector forgets a round once its stakes are returned, half a round after its end.
    const findEnded = async () => (await endedElections(deps, network)).map(({ data }) => data);
    const ended = await findEnded();
    const { last, older } = missingRounds(observed.data, ended);
    await requestOnce(network, older);
    if (last.length === 0) return statusOf(observed, ended, network);
    const find = (id: number) => election.find({ network, id });
    await Promise.all(
      last.map(id =>
        election.readDerived(
          { network, id },
          { find: () => find(id), isStale: () => false },
          { caller: addressKey(caller.ip) },
        ),
      ),
    );
    return statusOf(observed, await findEnded(), network);
  };
}

type Rounds = Pick<StakingStatusObserved, 'validationFrom' | 'validatorsElectedFor' | 'elections'>;

/** Whether no round fits between two: one may begin late, where nobody could be elected in time. */
function isNext(later: number, earlier: number, { validatorsElectedFor }: Rounds): boolean {
  return later - earlier < 2 * validatorsElectedFor;
}

/**
 * The elections (ids) that are missing among those of the rounds before the present one.
 * @returns of the last two rounds, and of those between others that are known
 */
export function missingRounds(
  rounds: Rounds,
  known: readonly TonElection[],
): { readonly last: readonly number[]; readonly older: readonly number[] } {
  const { validationFrom, validatorsElectedFor, elections } = rounds;
  const ids = [...new Set([...known, ...elections].map(({ id }) => id))].filter(id => id < validationFrom);
  const oldest = Math.min(...ids);
  const [last, older]: [number[], number[]] = [[], []];
  let later = validationFrom;
  for (let place = 0; place < PAST_ROUNDS; place++) {
    if (place >= MIN_ENDED && later - validatorsElectedFor <= oldest) break;
    const earlier = Math.max(...ids.filter(id => id < later));
    const isKnown = isNext(later, earlier, rounds);
    later = isKnown ? earlier : later - validatorsElectedFor;
    if (!isKnown) (place < MIN_ENDED ? last : older).push(later);
  }
  return { last, older };
}

/** @param known elections that the elector may have forgotten @throws Problem 503 without the two rounds before the present one */
export function statusOf(
  { height, at, data }: Observed<StakingStatusObserved>,
  known: readonly TonElection[],
  network: TonNetwork,
): StakingStatus {
  const { validationFrom, elections, validators, electionEntities, ...rules } = data;
  const byId = new Map([...known, ...elections].map(election => [election.id, election]));
  // Wallets divide by the stake.
  const history = [...byId.values()]
    .filter(({ totalStake }) => totalStake !== '0')
    .sort((a, b) => b.id - a.id);
  const present = byId.get(validationFrom);
  const [last, lastButOne] = history.filter(({ id }) => id < validationFrom);
  const isWhole =
    last && lastButOne && isNext(validationFrom, last.id, data) && isNext(last.id, lastButOne.id, data);
  if (!present || !isWhole)
    throw Problem.unavailable('The last two rounds that have ended are not known.', RETRY_AFTER_SECONDS);
  const shown = <T extends { readonly address: string }>(of: T): T => ({
    ...of,
    address: formatTonAddress(of.address, network),
  });
  return {
    ...rules,
    validatorsElectedFor: rules.validatorsElectedFor * 1_000,
    electorsStartBefore: rules.electorsStartBefore * 1_000,
    electorsEndBefore: rules.electorsEndBefore * 1_000,
    startWorkTime: validationFrom * 1_000,
    validationFrom,
    bonuses: present.bonuses,
    validators: validators.map(shown),
    electionEntities: electionEntities.map(shown),
    complaints: [],
    electionsHistory: history,
    seqno: height,
    at,
  };
}
