import { formatTonAddress } from '../../contracts/account/address';
import type { TonElection } from '../../contracts/chain/ton-elections';
import type { StakingStatusObserved } from '../../contracts/chain/ton-staking-status';
import type { StakingStatus } from '../../contracts/http/staking/status';
import type { TonNetwork } from '../../contracts/network/network';
import type { Observed } from '../../contracts/observation/observation';
import { Problem } from '../../contracts/problem/problem';
import type { StakingStatusDeps } from './deps';

/** Rounds before the present one that are looked for among what the elector has forgotten. */
const PAST_ROUNDS = 10;
/** Wallets compute yields from the last two rounds that have ended, and stop where there are fewer. */
const MIN_ENDED = 2;
const RETRY_AFTER_SECONDS = 60;

/** The staking status of a network. @throws Problem 503 while a part of it is not known */
export async function readStakingStatus(
  { status, election }: StakingStatusDeps,
  network: TonNetwork,
): Promise<StakingStatus> {
  const observed = await status.read({ network });
  const { validationFrom, validatorsElectedFor } = observed.data;
  // The elector forgets a round once its stakes are returned, half a round after its end.
  const past = Array.from({ length: PAST_ROUNDS }, (_, i) => validationFrom - (i + 1) * validatorsElectedFor);
  const known = await election.findMany(past.map(id => ({ network, id })));
  return statusOf(
    observed,
    known.flatMap(each => (each ? [each.data] : [])),
    network,
  );
}

/** @param known elections that the elector may have forgotten @throws Problem 503 without two rounds that have ended */
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
  if (!present || history.filter(({ id }) => id < validationFrom).length < MIN_ENDED)
    throw Problem.unavailable('Fewer than two rounds that have ended are known.', RETRY_AFTER_SECONDS);
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
