import { Address, beginCell } from '@ton/core';
import {
  stakeOfMember,
  stakingMemberRead,
  stakingPoolObserved,
  UNREAD_STAKE_MS,
  type StakeOfMember,
  type StakingMemberSubject,
} from '../../../contracts/chain/ton-staking';
import { defineObservation, type ChangedBy } from '../../../contracts/observation/observation';
import { NOMINATOR_POOLS } from '../../../contracts/chain/ton-verified-contracts';
import type { TonClient } from '../../../contracts/ports/ton-client';
import { readCoins } from '../coins';
import { askContract } from '../get-method';
import {
  contractSubject,
  STAKING_SOURCE,
  subjectOfAccount,
  TON_SOURCE,
  UNREAD_STAKING_SOURCE,
} from './source';

type GetMethods = Pick<TonClient, 'runMethod'>;

/** What `supported_interfaces` of a nominator pool answers. */
const POOL_INTERFACES = [123515602279859691144772641439386770278n, 256184278959413194623484780286929323492n];

/** A nominator pool, at an address where one is expected: anyone can write a contract that answers like one. */
export const stakingPoolObservation = defineObservation({
  kind: 'ton.staking.pool',
  subject: contractSubject,
  schema: stakingPoolObserved,
  source: TON_SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 600_000,
  ages: false,
  async read(clients, { network, address }) {
    const client = clients.ton(network);
    const { seqno: height } = await client.getLastBlock();
    const { value } = await askContract(client, height, address, 'get_params', [], stack => ({
      enabled: stack.readBoolean(),
    }));
    return { height, data: value };
  },
});

const subject = subjectOfAccount('member', 'pool', 'member of a staking pool');

/**
 * A pool has thousands of members, and answers the one whose message it takes: what others have stays the same. A round changes what
 * all have; they are read again after it beside this.
 */
export const CHANGED_BY_ANSWER: ChangedBy<StakingMemberSubject> = {
  subjectsOf: ({ network, from, to }) => [
    { network, member: to, pool: from },
    { network, member: from, pool: to },
  ],
};

/**
 * What a member has in a pool that is followed. A pool that does not answer takes nothing back: the read fails, and the last
 * reading stays, with its age.
 */
export const stakingMemberObservation = defineObservation({
  kind: 'ton.staking.member',
  subject,
  schema: stakeOfMember,
  source: STAKING_SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 30_000,
  ages: true,
  changedBy: CHANGED_BY_ANSWER,
  async read(clients, { network, member, pool }) {
    const client = clients.ton(network);
    const { seqno: height } = await client.getLastBlock();
    const data = await readStake(client, height, pool, member);
    if (!data) throw new Error(`the staking pool ${pool} does not say what ${member} has in it`);
    return { height, data };
  },
});

/**
 * The same of any contract that says to be a nominator pool, of which nothing is stored: most accounts are members of no pool,
 * and anybody can think of any number of pools.
 */
export const unreadStakingMember = defineObservation({
  kind: 'ton.unread.staking.member',
  recorded: false,
  subject,
  schema: stakingMemberRead,
  source: UNREAD_STAKING_SOURCE,
  ttlMs: UNREAD_STAKE_MS,
  maxEntries: 50_000,
  async read(clients, { network, member, pool }) {
    const client = clients.ton(network);
    const { seqno: height } = await client.getLastBlock();
    const [isPool, stake] = await Promise.all([
      NOMINATOR_POOLS[network].includes(pool) || saysToBePool(client, height, pool),
      readStake(client, height, pool, member),
    ]);
    return { height, data: isPool ? stake : null };
  },
});

async function saysToBePool(client: GetMethods, seqno: number, address: string): Promise<boolean> {
  const { value } = await askContract(client, seqno, address, 'supported_interfaces', [], stack =>
    POOL_INTERFACES.every(id => stack.readBigNumber() === id),
  );
  return value === true;
}

/** What the pool itself says; null when it does not answer as one. */
export async function readStake(
  client: GetMethods,
  seqno: number,
  pool: string,
  member: string,
): Promise<StakeOfMember | null> {
  const cell = beginCell().storeAddress(Address.parseRaw(member)).endCell();
  const { value } = await askContract(
    client,
    seqno,
    pool,
    'get_member',
    [{ type: 'slice', cell }],
    stack => ({
      balance: readCoins(stack),
      pendingDeposit: readCoins(stack),
      pendingWithdraw: readCoins(stack),
      withdraw: readCoins(stack),
    }),
  );
  return value;
}
