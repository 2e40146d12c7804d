import { pino } from 'pino';
import type { StakeOfMember, StakingMemberSubject } from '../../../contracts/chain/ton-staking';
import type { ObservedSubject } from '../../../contracts/observation/observation';
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
) {
  const stop = new AbortController();
  const members = [...stored];
  const requested: string[] = [];
  const together: number[] = [];
  let [look, open] = [0, 0];
  const current = (): Look => looks[Math.min(look, looks.length - 1)]!;
  const deps = {
    views: {
      cached: async () => [{ pool: { after: { seqno: current().round } } }],
      // Nothing to wait for is a pause, all else the end of a look.
      async waitForChange(sources: readonly { readonly collection: string }[]) {
        await new Promise(setImmediate);
        if (sources[0]?.collection === 'proxy' && ++look >= looks.length) stop.abort();
        if (sources[0]?.collection === 'members') now += 60_000;
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
    parties: { read: async () => ({ data: { proxy: 'proxy' } }) },
    rounds: { collection: 'rounds' },
    members: {
      collection: 'members',
      async *scan() {
        yield [...members];
      },
      async findMany(subjects: readonly StakingMemberSubject[]) {
        open = 0;
        return subjects.map(subject => members.find(each => each.subject === subject)!.observed);
      },
      async request(subject: StakingMemberSubject) {
        requested.push(subject.member);
        together.push(++open);
        const place = members.findIndex(each => each.subject === subject);
        const { observed } = members[place]!;
        const height = Math.max(current().round, current().stake);
        if (answers(subject)) members[place] = { subject, observed: { ...observed, height } };
      },
    },
    pools: { mainnet: [POOL], testnet: [] },
    networks: ['mainnet', 'testnet'],
    logger: pino({ level: 'silent' }),
  } as unknown as KeepMembersDeps;
  let now = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  await keepMembers(deps, stop.signal);
  return { requested, together: Math.max(0, ...together) };
}
afterEach(() => jest.restoreAllMocks());

const ENDED: Look = { round: 20, stake: 10 };

test('each member with a stake is read once after a round, a few at a time', async () => {
  const all = Array.from({ length: 1_000 }, (_, n) => member(`m${n}`, 15));
  const { requested, together } = await run(all, [ENDED, ENDED, ENDED]);
  expect(requested).toHaveLength(1_000);
  expect(new Set(requested).size).toBe(1_000);
  expect(together).toBeLessThanOrEqual(4);
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

test('what could not be read is read later, and a pool that does not answer is left for then', async () => {
  const all = Array.from({ length: 40 }, (_, n) => member(`m${n}`, 15));
  let isDown = true;
  const { requested } = await run(all, [ENDED, ENDED], () => !isDown);
  expect(requested.length).toBeLessThan(2 * 40);
  isDown = false;
  expect((await run(all, [ENDED, ENDED], () => !isDown)).requested).toHaveLength(40);
  const once = await run(all, [ENDED, ENDED], ({ member: name }) => name !== 'm7');
  // Twice in each look: what was read a moment ago is not read again at once.
  expect(once.requested.filter(name => name === 'm7')).toHaveLength(4);
  expect(once.requested).toHaveLength(43);
});
