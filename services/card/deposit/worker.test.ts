import fc from 'fast-check';
import {
  encodeSolanaMessage,
  SOLANA_TRANSACTIONS,
  type SolanaMessage,
} from '../../../contracts/chain/solana';
import { cardAccountStream } from '../../../contracts/events/card-account';
import { cardDepositStream } from '../../../contracts/events/card-deposit';
import { accountKey, type AccountRef } from '../../../contracts/network/network';
import { NOON, OPENING } from '../../../test/card/account';
import { messages } from '../../../test/contracts/builders';
import { InMemoryEventStore } from '../../../test/doubles/event-store';
import { runs } from '../../../test/random';
import { createHandle } from '../../commands/handle';
import { load } from '../../commands/load';
import { changeAccount } from '../account/commands';
import { cardAccountKind } from '../account/decider';
import { cardDepositKind } from './decider';
import { cardTopUps, topUpJob, type TopUpJob } from './reaction';
import { topUp } from './worker';

const { accountId } = OPENING;
const deposit: AccountRef = { chain: 'solana', network: 'devnet', address: 'deposit' };
const metadata = { now: NOON, actor: 'test' };
const LAMPORTS = 1_000;

type Included = readonly [type: 'finalized' | 'retracted', blockhash: string];

/** An account whose address received one transfer, of which the log says where it was included, and where not. */
async function setUp() {
  const store = new InMemoryEventStore();
  const handle = createHandle({ store });
  await handle(cardDepositKind, cardDepositStream(deposit), {
    metadata,
    deposit: { address: deposit, accountId, network: 'testnet', userId: OPENING.userId },
  });
  await changeAccount({ handle }, accountId, { type: 'open', account: { ...OPENING, deposit }, metadata });
  const reaction = cardTopUps(store);
  /** In whatever order the jobs are worked. @param final where the documents have it; null while they have it nowhere */
  const work = (job: TopUpJob, final: string | null) => {
    const accountData = [{ account: 'deposit', nativeBalanceChange: LAMPORTS }];
    const item = { accountData, timestamp: 1, slot: 5 };
    const found = final === null ? null : ({ blockhash: final, finality: 'finalized', item } as never);
    const solana = { inclusion: async () => found };
    const views = { waitForChange: async () => undefined };
    return topUp({ store, handle, solana, views, clock: () => new Date(NOON) }, job);
  };
  const jobsOf = async ([type, blockhash]: Included) => {
    const message = {
      type,
      network: 'devnet',
      account: 'deposit',
      signature: 'signature',
      slot: 5,
      mints: [],
    };
    const value = encodeSolanaMessage({ ...message, blockhash } as SolanaMessage);
    const [logged] = messages(SOLANA_TRANSACTIONS.name, [{ key: accountKey(deposit), value }]);
    return (await reaction.jobs(logged!)).map(({ id, data }) => ({ id, data: topUpJob.parse(data) }));
  };
  const posted = async () =>
    (await load(store, cardAccountKind, cardAccountStream(accountId)))!.balance.posted;
  return { work, jobsOf, posted };
}

it('a transfer that is taken back is credited again once it is included in another block', async () => {
  const { work, jobsOf, posted } = await setUp();
  const steps: readonly (readonly [Included, posted: string])[] = [
    [['finalized', 'first'], '1000'],
    [['finalized', 'first'], '1000'],
    [['retracted', 'first'], '0'],
    [['retracted', 'first'], '0'],
    [['finalized', 'second'], '1000'],
    [['finalized', 'second'], '1000'],
    [['finalized', 'first'], '1000'],
    [['retracted', 'second'], '0'],
    [['finalized', 'third'], '1000'],
  ];
  for (const [included, expected] of steps) {
    for (const { data } of await jobsOf(included)) await work(data, included[1]);
    expect([included, await posted()]).toEqual([included, expected]);
  }
});

it('a transfer is credited once at a time: in another block only once it was taken back in the first', async () => {
  const { work, jobsOf, posted } = await setUp();
  const [first] = await jobsOf(['finalized', 'first']);
  const [second] = await jobsOf(['finalized', 'second']);
  const [back] = await jobsOf(['retracted', 'first']);
  await work(first!.data, 'first');
  await expect(work(second!.data, 'second')).rejects.toThrow('counts as included in another block');
  expect(await posted()).toBe('1000');
  await work(back!.data, 'second');
  await work(second!.data, 'second');
  expect(await posted()).toBe('1000');
});

it('an inclusion that was taken back before it was credited is done, and does not wait for the documents to have it', async () => {
  const { work, jobsOf, posted } = await setUp();
  const [first] = await jobsOf(['finalized', 'first']);
  const [back] = await jobsOf(['retracted', 'first']);
  await work(back!.data, 'first');
  await work(first!.data, null);
  expect(await posted()).toBe('0');
});

const inAnyOrder = fc.integer({ min: 1, max: 3 }).chain(count => {
  const blocks = Array.from({ length: count }, (_, block) => `block-${block}`);
  return fc.record({
    last: fc.constant(blocks.at(-1)!),
    isTakenBack: fc.boolean(),
    order: fc.infiniteStream(fc.nat()),
    blocks: fc.constant(blocks),
  });
});

it('in whatever order its jobs are worked, and however often, a transfer ends as credited once, or not at all', async () => {
  await fc.assert(
    fc.asyncProperty(inAnyOrder, async ({ blocks, last, isTakenBack, order }) => {
      const { work, jobsOf, posted } = await setUp();
      const said: Included[] = blocks.flatMap((block): Included[] => [
        ['finalized', block],
        ...(block !== last || isTakenBack ? [['retracted', block] as const] : []),
      ]);
      const jobs = (await Promise.all([...said, ...said].map(jobsOf))).flat();
      while (jobs.length > 0) {
        const at = order.next().value % jobs.length;
        const { data } = jobs[at]!;
        const where = data.type === 'solana' ? data.blockhash : last;
        const isDone = await work(data, where).then(
          () => true,
          () => false,
        );
        expect(['0', '1000']).toContain(await posted());
        if (isDone) jobs.splice(at, 1);
      }
      expect(await posted()).toBe(isTakenBack ? '0' : '1000');
    }),
    runs(100),
  );
});

it('each inclusion, and each retraction of one, has a job of its own', async () => {
  const { jobsOf } = await setUp();
  const said: readonly Included[] = [
    ['finalized', 'first'],
    ['retracted', 'first'],
    ['finalized', 'second'],
    ['retracted', 'second'],
  ];
  const ids = (await Promise.all(said.map(jobsOf))).flat().map(({ id }) => id);
  expect(new Set(ids).size).toBe(4);
});
