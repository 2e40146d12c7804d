import { TupleReader, type Cell, type TupleItem } from '@ton/core';
import { configParse15 } from '@ton/ton/dist/config/ConfigParser';
import {
  tonElection,
  tonElectionsObserved,
  type TonElection,
  type TonElectionSubject,
} from '../../../contracts/chain/ton-elections';
import type { TonNetworkSubject } from '../../../contracts/chain/ton-network-config';
import { TON_NETWORKS } from '../../../contracts/network/network';
import { NothingToObserve } from '../../../contracts/observation/nothing-to-observe';
import { defineObservation, type ChangedBy } from '../../../contracts/observation/observation';
import type { TonClient } from '../../../contracts/ports/ton-client';
import { networkSubject, TON_SOURCE } from './source';

const ELECTOR_PARAM = 1;
const ROUNDS_PARAM = 15;
const CURRENT_SET_PARAM = 34;

/** Parameter 1 of both networks, raw. It is called in each block of the masterchain. */
const ELECTOR = `-1:${'3'.repeat(64)}`;
/** Of what there is one in each network, and messages to the elector change. */
export const CHANGED_BY_ELECTOR: ChangedBy<TonNetworkSubject> = {
  accountOf: network => ({ address: ELECTOR, subject: { network }, ticks: true }),
};

/** The elections of a network: what its elector and its configuration say now. */
export const tonElectionsObservation = defineObservation({
  kind: 'ton.elections',
  subject: networkSubject,
  schema: tonElectionsObserved,
  source: TON_SOURCE,
  minAgeMs: 5_000,
  staleAfterMs: 60_000,
  ages: false,
  changedBy: CHANGED_BY_ELECTOR,
  async read(clients, { network }) {
    const client = clients.ton(network);
    const { seqno } = await client.getLastBlock();
    const config = await client.getConfig(seqno, [ELECTOR_PARAM, ROUNDS_PARAM, CURRENT_SET_PARAM]);
    const elector = electorOf(config);
    const [elections, open] = await Promise.all([
      pastElections(client, seqno, elector),
      client.runMethod(seqno, elector, 'active_election_id'),
    ]);
    return {
      height: seqno,
      data: {
        elections,
        openElection: open.readNumber() || null,
        roundStart: roundStart(param(config, CURRENT_SET_PARAM)),
        roundSeconds: electedForOf(config),
      },
    };
  },
});

/**
 * One election after its round, when nothing of it changes any more. The elector forgets it once its stakes are returned: then it is
 * as the elector said in a block of the time when it held them, where the nodes have that. It is a subject of its own, since the log
 * keeps the last record of each.
 */
export const tonElectionObservation = defineObservation({
  kind: 'ton.election',
  subject: {
    format: ({ network, id }: TonElectionSubject) => `${networkSubject.format({ network })}:${id}`,
    parse(text): TonElectionSubject {
      const [, name, digits] = /^ton:([a-z]+):(\d{1,10})$/.exec(text) ?? [];
      const network = TON_NETWORKS.find(known => known === name);
      if (!network) throw new Error(`not an election of a TON network: ${text}`);
      return { network, id: Number(digits) };
    },
  },
  schema: tonElection,
  source: TON_SOURCE,
  minAgeMs: 5_000,
  staleAfterMs: 60_000,
  ages: false,
  async read(clients, { network, id }) {
    const client = clients.ton(network);
    const { seqno: tip, now } = await client.getLastBlock();
    const held = await endedElection(client, tip, id);
    if (held) return { height: tip, data: held.election };
    for (const seqno of await blocksAfterRound(client, { seqno: tip, now }, id)) {
      // Nodes forget blocks.
      const found = await endedElection(client, seqno, id).catch(() => null);
      if (found) return { height: seqno, data: found.election };
    }
    throw new NothingToObserve(
      `the elector is not known to have held the stakes of election ${id} after its round`,
    );
  },
});

/** An election as of a block after its round; null where the elector does not hold it then, or its round is not over. */
export async function endedElection(
  client: Pick<TonClient, 'getConfig' | 'runMethod'>,
  seqno: number,
  id: number,
): Promise<{ readonly election: TonElection; readonly electedFor: number } | null> {
  const config = await client.getConfig(seqno, [ELECTOR_PARAM, ROUNDS_PARAM, CURRENT_SET_PARAM]);
  if (roundStart(param(config, CURRENT_SET_PARAM)) <= id) return null;
  const election = (await pastElections(client, seqno, electorOf(config))).find(each => each.id === id);
  return election ? { election, electedFor: electedForOf(config) } : null;
}

/** Blocks in which the elector holds the stakes of a round that is over: in the middle of that time, and the next one. */
async function blocksAfterRound(
  client: Pick<TonClient, 'getConfig' | 'getBlockAt'>,
  tip: { readonly seqno: number; readonly now: number },
  id: number,
): Promise<readonly number[]> {
  const rules = param(await client.getConfig(tip.seqno, [ROUNDS_PARAM]), ROUNDS_PARAM);
  const { validatorsElectedFor, stakeHeldFor } = configParse15(rules.beginParse());
  const time = id + validatorsElectedFor + Math.floor(stakeHeldFor / 2);
  const seqno = time < tip.now ? await client.getBlockAt(time).catch(() => null) : null;
  return seqno === null ? [] : [seqno, seqno + 1];
}

/** The address (raw) of the elector. @throws Error when the network has no such parameter */
export function electorOf(config: ReadonlyMap<number, Cell>): string {
  return `-1:${param(config, ELECTOR_PARAM).beginParse().loadBuffer(32).toString('hex')}`;
}

/** @throws Error when the network has no such parameter */
export function param(config: ReadonlyMap<number, Cell>, id: number): Cell {
  const cell = config.get(id);
  if (!cell) throw new Error(`the configuration has no parameter ${id}`);
  return cell;
}

/** Seconds that the validators of a round are elected for. @throws Error when the network has no such parameter */
export function electedForOf(config: ReadonlyMap<number, Cell>): number {
  return param(config, ROUNDS_PARAM).beginParse().loadUint(32);
}

/** `validators#11` and `validators_ext#12` of `block.tlb` start with their tag and `utime_since:uint32`. */
export function roundStart(set: Cell): number {
  return set.beginParse().skip(8).loadUint(32);
}

/** Oldest first, of those that the elector lists in any order. */
export async function pastElections(
  client: Pick<TonClient, 'runMethod'>,
  seqno: number,
  elector: string,
): Promise<TonElection[]> {
  const stack = await client.runMethod(seqno, elector, 'past_elections');
  return stack
    .readLispList()
    .map(entry => pastElection(entry).election)
    .sort((a, b) => a.id - b.id);
}

/**
 * An entry of `past_elections`: `[id, unfreeze_at, stake_held, vset_hash, frozen, total_stake, bonuses, ...]`.
 * @throws Error for anything else
 */
export function pastElection(entry: TupleItem): {
  readonly election: TonElection;
  /** Stakes by public key; null when all were returned. */
  readonly frozen: Cell | null;
} {
  if (entry.type !== 'tuple') throw new Error('a past election is not a tuple');
  const fields = new TupleReader(entry.items);
  const [id, unfreezeAt, stakeHeld] = [fields.readNumber(), fields.readNumber(), fields.readNumber()];
  fields.skip();
  const frozen = fields.readCellOpt();
  const [totalStake, bonuses] = [String(fields.readBigNumber()), String(fields.readBigNumber())];
  return { election: { id, unfreezeAt, stakeHeld, totalStake, bonuses }, frozen };
}
