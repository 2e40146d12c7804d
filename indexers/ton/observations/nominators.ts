import {
  nominatorObserved,
  nominatorRoundObserved,
  type NominatorRoundSubject,
  type StakingMemberSubject,
} from '../../../contracts/chain/ton-staking';
import { defineObservation, type ObservationSource } from '../../../contracts/observation/observation';
import { contractSubject, subjectOfAccount, TON_SOURCE } from './source';
import { CHANGED_BY_ANSWER, readStake } from './staking';
import { isForgotten } from './staking-rounds';

const SOURCE: ObservationSource<StakingMemberSubject> = { ...TON_SOURCE, name: 'ton-staking-nominators' };
/** A member of many rounds, each of which is read once, delays nobody who has the present read. */
const ROUNDS_SOURCE: ObservationSource<StakingMemberSubject> = {
  ...TON_SOURCE,
  name: 'ton-staking-nominator-rounds',
};

const NOTHING = '0';

/**
 * What a member has in a pool that is followed, with the newest transactions of both in the block of which it is. A pool that
 * does not answer takes nothing back: the read fails, and the last reading stays.
 */
export const nominatorObservation = defineObservation({
  kind: 'ton.staking.nominator',
  subject: subjectOfAccount('member', 'pool', 'member of a staking pool'),
  schema: nominatorObserved,
  source: SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 30_000,
  ages: true,
  changedBy: CHANGED_BY_ANSWER,
  async read(clients, { network, member, pool }) {
    const client = clients.ton(network);
    const { seqno: height } = await client.getLastBlock();
    const [stake, ofPool, ofMember] = await Promise.all([
      readStake(client, height, pool, member),
      client.getAccountLite(height, pool),
      client.getAccountLite(height, member),
    ]);
    if (!stake) throw new Error(`the staking pool ${pool} does not say what ${member} has in it`);
    const poolLt = ofPool.lastTransaction?.lt ?? NOTHING;
    const memberLt = ofMember.lastTransaction?.lt ?? NOTHING;
    return { height, data: { ...stake, poolLt, memberLt } };
  },
});

/** `ton:testnet:0:…/0:…/<seqno>.<time>`, so that those of a member are one part of the collection. */
const subject = {
  format: ({ network, member, pool, seqno, time }: NominatorRoundSubject) =>
    `${contractSubject.format({ network, address: member })}/${pool}/${seqno}.${time}`,
  parse(text: string): NominatorRoundSubject {
    const [, account, pool, seqno, time] = /^([^/]+)\/([^/]+)\/(\d{1,10})\.(\d{1,10})$/.exec(text) ?? [];
    if (!time) throw new Error(`not a member of a staking pool after a round: ${text}`);
    const { network, address: member } = contractSubject.parse(account!);
    return { network, member, pool: pool!, seqno: Number(seqno), time: Number(time) };
  },
};

/** What a member had after a round. It never changes: each is read once. */
export const nominatorRoundObservation = defineObservation({
  kind: 'ton.staking.nominator.round',
  subject,
  schema: nominatorRoundObserved,
  source: ROUNDS_SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 86_400_000,
  // Nodes forget the block.
  ages: false,
  async read(clients, { network, member, pool, seqno, time }) {
    const client = clients.ton(network);
    const tip = await client.getLastBlock();
    try {
      const data = await readStake(client, seqno, pool, member);
      if (!data)
        throw new Error(`the staking pool ${pool} does not say what ${member} had in block ${seqno}`);
      return { height: seqno, data };
    } catch (error) {
      if (!(await isForgotten(client, tip, { pool, time }))) throw error;
      return { height: 0, data: null };
    }
  },
});
