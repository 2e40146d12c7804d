import { pino } from 'pino';
import type { StakeOfMember, StakingMemberSubject } from '../../../contracts/chain/ton-staking';
import type { BatchReadOptions, ObservedSubject } from '../../../contracts/observation/reader';
import { keepMembers, type KeepMembersDeps } from './keep-members';

const POOL = 'pool';
const NOTHING: StakeOfMember = { balance: '0', pendingDeposit: '0', pendingWithdraw: '0', withdraw: '0' };
const STAKED: StakeOfMember = { ...NOTHING, balance: '5' };
const WAITING: StakeOfMember = { ...STAKED, pendingWithdraw: '2' };

type Member = ObservedSubject<StakingMemberSubject, StakeOfMember>;

const member = (name: string, height: number, data = STAKED, pool = POOL): Member => ({
  subject: { network: 'mainnet', member: name, pool },
  observed: { height, at: '2026-01-01T00:00:00.000Z', data },
});

interface Look {
  /** After the newest round. */
  readonly round: number;
  /** Of the newest stake. */
  readonly stake: number;
}

/**
 * Runs the worker over doubles, until the last look.
 * @param looks what the chain is at each look
 * @param answers whether the member is read as of the newest block when it is asked
 */
async function run(
  stored: readonly Member[],
  looks: readonly Look[],
  answers: (subject: StakingMemberSubject) => boolean = () => true,
  isPoolKnown: () => boolean = () => true,
  pools: readonly string[] = [POOL],
) {
  const stop = new AbortController();
  const members = [...stored];
  const requested: string[] = [];
  const batches: number[] = [];
  const waits: number[] = [];
  let look = 0;
  const current = (): Look => looks[Math.min(look, looks.length - 1)]!;
  const deps = {
    views: {
      cached: async () => [{ pool: { after: { seqno: current().round } } }],
      subscribe: () => () => undefined,
      // Nothing to wait for is a pause, all else the end of a look.
      async waitForChange(sources: readonly { readonly collection: string }[], timeoutMs: number) {
        await new Promise(setImmediate);
        waits.push(timeoutMs);
        if (sources[0]?.collection === 'proxy' && ++look >= looks.length) stop.abort();
      },
    },
    transactions: {
      sources: () => [{ collection: 'proxy' }],
      page: async () => ({
        transactions: [
          {
            seqno: 999,
            decoded: () => ({ inMessage: { info: { type: 'internal', src: 'stranger' }, op: 0x4e73744b } }),
          },
          {
            seqno: current().stake,
            decoded: () => ({ inMessage: { info: { type: 'internal', src: POOL }, op: 0x4e73744b } }),
          },
        ],
      }),
    },
    parties: {
      async read() {
        if (isPoolKnown()) return { data: { proxy: 'proxy' } };
        throw new Error('not read yet');
      },
    },
    rounds: { collection: 'rounds' },
    members: {
      collection: 'members',
      async *scan() {
        yield [...members];
      },
      async findMany(subjects: readonly StakingMemberSubject[]) {
        return subjects.map(subject => members.find(each => each.subject === subject)!.observed);
      },
    },
    batches: {
      async readBatch(subjects: readonly StakingMemberSubject[], { maxFailures }: BatchReadOptions) {
        batches.push(subjects.length);
        const unread: StakingMemberSubject[] = [];
        for (const subject of subjects) {
          if (unread.length >= maxFailures) {
            unread.push(subject);
            continue;
          }
          requested.push(subject.member);
          const place = members.findIndex(each => each.subject === subject);
          const { observed } = members[place]!;
          const height = Math.max(current().round, current().stake);
          const at = `after ${observed.at}`;
          if (answers(subject)) members[place] = { subject, observed: { ...observed, height, at } };
          else unread.push(subject);
        }
        return unread;
      },
    },
    pools: { mainnet: pools, testnet: [] },
    networks: ['mainnet', 'testnet'],
    logger: pino({ level: 'silent' }),
  } as unknown as KeepMembersDeps;
  await keepMembers(deps, stop.signal);
  return { requested, batches, waits };
}

const ENDED: Look = { round: 20, stake: 10 };

test('each member with a stake is read once after a round, many together', async () => {
  const all = Array.from({ length: 1_000 }, (_, n) => member(`m${n}`, 15));
  const { requested, batches } = await run(all, [ENDED, ENDED, ENDED]);
  expect(requested).toHaveLength(1_000);
  expect(new Set(requested).size).toBe(1_000);
  expect(batches.length).toBeLessThanOrEqual(10);
});

test('members of a pool that does not answer delay those of another by a few reads', async () => {
  const all = Array.from({ length: 1_000 }, (_, n) =>
    member(`m${n}`, 15, STAKED, n % 2 === 0 ? POOL : 'other'),
  );
  const { requested } = await run(all, [ENDED], ({ pool }) => pool === 'other', undefined, [POOL, 'other']);
  expect(requested.filter(name => Number(name.slice(1)) % 2 === 1)).toHaveLength(500);
  expect(requested.length).toBeLessThanOrEqual(503);
});

test('who has been read since, who has left, and members of other pools are not read', async () => {
  const others = [member('read', 20), member('left', 15, NOTHING), member('elsewhere', 15, STAKED, 'other')];
  expect((await run([...others, member('old', 19)], [ENDED])).requested).toEqual(['old']);
});

test('who waits for something is read again once the pool has staked again, and nobody else', async () => {
  const all = [member('waiting', 15, WAITING), member('staked', 15)];
  const { requested } = await run(all, [ENDED, { round: 20, stake: 30 }]);
  expect(requested).toEqual(['waiting', 'staked', 'waiting']);
});

test('after another round all are read again', async () => {
  const { requested } = await run([member('one', 15), member('two', 20)], [ENDED, { round: 40, stake: 30 }]);
  expect(requested).toEqual(['one', 'one', 'two']);
});

test('a pool that could not be read is looked at again soon, although nothing has changed', async () => {
  let looks = 0;
  const { requested, waits } = await run([member('one', 15)], [ENDED], undefined, () => ++looks > 2);
  expect(requested).toEqual(['one']);
  expect(Math.max(...waits.slice(0, 2))).toBeLessThan(10_000);
});

test('what could not be read is read later, and a pool that does not answer is left for then', async () => {
  const all = Array.from({ length: 40 }, (_, n) => member(`m${n}`, 15));
  let isDown = true;
  const { requested } = await run(all, [ENDED, ENDED], () => !isDown);
  expect(requested.length).toBeLessThan(10);
  isDown = false;
  expect((await run(all, [ENDED, ENDED], () => !isDown)).requested).toHaveLength(40);
  const once = await run(all, [ENDED, ENDED], ({ member: name }) => name !== 'm7');
  expect(once.requested.filter(name => name === 'm7')).toHaveLength(2);
  expect(once.requested).toHaveLength(41);
});
