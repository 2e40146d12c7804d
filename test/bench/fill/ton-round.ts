import { Address, beginCell } from '@ton/core';
import { TON_TRANSACTIONS } from '../../../contracts/chain/ton';
import { NO_STAKE } from '../../../contracts/chain/ton-staking';
import {
  observationKey,
  OBSERVATIONS_TOPIC,
  type ObservationRecord,
} from '../../../contracts/observation/observation';
import type { Log } from '../../../contracts/ports/log';
import { stakingMemberObservation } from '../../../indexers/ton/observations/staking';
import { poolRoundObservation } from '../../../indexers/ton/observations/staking-rounds';
import { freshObservation } from './observations';
import { internalMessage, timeOf, tonTransaction } from './ton-history';
import { FIRST_PROXY, STAKING_POOLS } from './ton-stakes';

const NETWORK = 'mainnet';
const [POOL] = STAKING_POOLS as [string];
const ELECTOR = Address.parseRaw(`-1:${'3'.repeat(64)}`);
const STAKE_RECOVERED = 0xf96f7324;
/** Members that are published together. */
const TOGETHER = 1_000;

/** Raw. */
const memberOf = (n: number): string => `0:${'9'.repeat(56)}${n.toString(16).padStart(8, '0')}`;

/** Members of the first pool, each with a stake that was read before any round has ended. */
export async function fillPoolMembers(log: Pick<Log, 'publish'>, count: number): Promise<void> {
  const { kind, subject } = stakingMemberObservation;
  const at = new Date().toISOString();
  const messages = Array.from({ length: count }, (_, n) => {
    const data = { ...NO_STAKE, balance: String(10n ** 12n + BigInt(n)) };
    const of = subject.format({ network: NETWORK, member: memberOf(n), pool: POOL });
    const record: ObservationRecord = { kind, subject: of, height: 0, at, data };
    return { key: observationKey(kind, of), value: Buffer.from(JSON.stringify(record)) };
  });
  while (messages.length > 0) await log.publish(OBSERVATIONS_TOPIC.name, messages.splice(0, TOGETHER));
}

/** The end of the first round of the first pool, in the first block, with what was observed of it. */
export async function publishRoundEnd(log: Pick<Log, 'publish'>): Promise<void> {
  const value = 10n ** 17n;
  const body = beginCell().storeUint(STAKE_RECOVERED, 32).storeUint(1, 64).endCell();
  const returned = {
    received: internalMessage(1, { src: ELECTOR, dest: FIRST_PROXY, value }, body),
    sent: [internalMessage(1, { src: FIRST_PROXY, dest: Address.parseRaw(POOL), value }, body)],
  };
  const { ref, message } = tonTransaction(1, FIRST_PROXY, returned, { lt: '0', hash: '' });
  const [profitPerCoin, balance] = ['0', String(value)];
  const subject = poolRoundObservation.subject.format({
    network: NETWORK,
    pool: POOL,
    lt: ref.lt,
    hash: ref.hash,
    time: timeOf(1),
  });
  const round = {
    round: 1,
    before: { seqno: 0, profitPerCoin, balance, ownStake: '0', sent: balance, poolFee: 1_000 },
    after: { seqno: 1, profitPerCoin, balance, lt: ref.lt },
    election: null,
  };
  await log.publish(TON_TRANSACTIONS.name, [message]);
  await log.publish(OBSERVATIONS_TOPIC.name, [freshObservation(poolRoundObservation, subject, round)]);
}
