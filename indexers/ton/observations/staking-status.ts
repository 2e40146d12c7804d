import { Address, Dictionary, type Cell, type Slice, type TupleReader } from '@ton/core';
import {
  configParse15,
  configParse16,
  configParse17,
  parseValidatorSet,
} from '@ton/ton/dist/config/ConfigParser';
import type { TonElection } from '../../../contracts/chain/ton-elections';
import {
  stakingStatusObserved,
  type StakingStatusObserved,
} from '../../../contracts/chain/ton-staking-status';
import { defineObservation } from '../../../contracts/observation/observation';
import { CHANGED_BY_ELECTOR, electorOf, param, pastElection } from './elections';
import { networkSubject, TON_SOURCE } from './source';

const PARAMETERS = [1, 15, 16, 17, 34];

/**
 * What the staking status of a network is made of, all as of one block. A part that is missing fails the reading: wallets read
 * the network themselves where they get no status, and believe one of which a half is missing.
 */
export const stakingStatusObservation = defineObservation({
  kind: 'ton.staking.status',
  subject: networkSubject,
  schema: stakingStatusObserved,
  source: TON_SOURCE,
  minAgeMs: 5_000,
  staleAfterMs: 60_000,
  ages: false,
  changedBy: CHANGED_BY_ELECTOR,
  async read(clients, { network }) {
    const client = clients.ton(network);
    const { seqno } = await client.getLastBlock();
    const config = await client.getConfig(seqno, PARAMETERS);
    const elector = electorOf(config);
    const [past, { data }] = await Promise.all([
      client.runMethod(seqno, elector, 'past_elections'),
      client.getAccount(seqno, elector),
    ]);
    if (!data) throw new Error('the elector has no data');
    return { height: seqno, data: statusOf(config, pastOf(past), data) };
  },
});

/** A past election with its stakes by public key. */
interface PastElection extends TonElection {
  readonly frozen: Dictionary<Buffer, Frozen>;
}

interface Frozen {
  readonly address: string;
  readonly stake: bigint;
}

function statusOf(
  config: ReadonlyMap<number, Cell>,
  past: readonly PastElection[],
  electorData: Cell,
): StakingStatusObserved {
  const slice = (id: number): Slice => param(config, id).beginParse();
  const { minStake, maxStake } = configParse17(slice(17));
  const set = parseValidatorSet(slice(34));
  const list = set?.list;
  const present = past.find(({ id }) => id === set?.timeSince);
  if (!set || !list || !present) throw new Error('the elector does not hold the stakes of the present round');
  return {
    ...configParse15(slice(15)),
    ...configParse16(slice(16)),
    minStake: String(minStake),
    maxStake: String(maxStake),
    validationFrom: set.timeSince,
    validationUntil: set.timeUntil,
    validators: [...list].map(([key, { publicKey, weight, adnlAddress }]) => {
      const frozen = present.frozen.get(publicKey);
      if (!frozen) throw new Error(`the elector does not hold the stake of validator ${key}`);
      const { address, stake } = frozen;
      return {
        key,
        weight: String(weight),
        address,
        stake: String(stake),
        adnl: adnlAddress?.toString('base64') ?? null,
      };
    }),
    electionEntities: entitiesOf(electorData),
    elections: past.map(({ frozen: _, ...election }) => election).sort((a, b) => b.id - a.id),
  };
}

const pastOf = (stack: TupleReader): readonly PastElection[] =>
  stack.readLispList().map(entry => {
    const { election, frozen } = pastElection(entry);
    return { ...election, frozen: Dictionary.loadDirect(Dictionary.Keys.Buffer(32), FROZEN, frozen) };
  });

const masterchain = (hash: Buffer): string => new Address(-1, hash).toRawString();

const readOnly = (): never => {
  throw new Error('is only read');
};

/** `elector-code.fc` of ton-blockchain/ton: the address on the masterchain, the weight and the stake, and more. */
const FROZEN = {
  serialize: readOnly,
  parse: (slice: Slice): Frozen => {
    const address = masterchain(slice.loadBuffer(32));
    return { address, stake: slice.skip(64).loadCoins() };
  },
};

const PARTICIPANT = {
  serialize: readOnly,
  parse: (slice: Slice) => ({
    amount: String(slice.loadCoins()),
    // Time and the factor to the smallest stake.
    address: masterchain(slice.skip(32 + 32).loadBuffer(32)),
    adnl: slice.loadBuffer(32).toString('base64'),
  }),
};

/**
 * From the data of the elector, which begins with the election: its get method `participant_list_extended` takes more gas than
 * nodes give where there are many.
 */
function entitiesOf(electorData: Cell): StakingStatusObserved['electionEntities'] {
  const election = electorData.beginParse().loadMaybeRef()?.beginParse();
  if (!election) return [];
  // Start of the round and end of the election.
  election.skip(32 + 32);
  // The smallest stake, and the sum.
  election.loadCoins();
  election.loadCoins();
  const participants = election.loadDict(Dictionary.Keys.Buffer(32), PARTICIPANT);
  return [...participants].map(([key, participant]) => ({ key: key.toString('base64'), ...participant }));
}
