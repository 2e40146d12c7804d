import type { TonAccount } from '../../contracts/account/ton-account';
import type { Document } from '../../contracts/ports/documents';
import { Problem } from '../../contracts/problem/problem';
import { accountAt } from '../../test/ton/scripted-chain';
import { until } from '../../test/until';
import { createDiscovery } from './discovery';

const OWNER = { chain: 'ton', network: 'mainnet', address: accountAt(1) } as const;
const KEY = `ton:mainnet:${OWNER.address}`;
const master = (n: number): string => accountAt(100 + n);

interface Setting {
  /** Numbers of masters. */
  readonly trusted?: readonly number[];
  readonly frauds?: readonly number[];
  /** Of the newest uses on the instance. */
  readonly used?: readonly number[];
  /** That the owner's transactions name. */
  readonly named?: readonly number[];
  /** Of which the owner has jettons. */
  readonly holds?: readonly number[];
  readonly isDown?: boolean;
}

/** Doubles of documents and of masters. */
function open({ trusted = [], frauds = [], used = [], named = [], holds = [], isDown = false }: Setting) {
  const asked: string[] = [];
  const ownersAsked: string[] = [];
  const observed: string[] = [];
  const time = { now: 1_000_000, isHanging: false };
  const verified = new Map<string, string>([
    ...trusted.map(n => [master(n), 'whitelist'] as const),
    ...frauds.map(n => [master(n), 'blacklist'] as const),
  ]);
  const wallets = (numbers: readonly number[]) =>
    numbers.map(n => ({
      _id: String(n),
      account: KEY,
      wallet: accountAt(500 + n),
      master: master(n),
      seqno: 1,
    }));
  const discoverFor = createDiscovery({
    views: {
      async find<D extends Document>(collection: string, { filter }: { filter?: object }) {
        const documents =
          collection === 'token_verifications'
            ? trusted.map(n => ({ _id: master(n), address: master(n) }))
            : wallets(filter && 'account' in filter ? named : used);
        return { documents: documents as unknown as D[], next: null };
      },
      async getMany<D extends Document>(_collection: string, ids: readonly string[]) {
        const found = ids.flatMap(_id => {
          const verification = verified.get(_id.replace('ton:mainnet:', ''));
          return verification ? [[_id, { _id, verification }] as const] : [];
        });
        return new Map(found) as unknown as Map<string, D>;
      },
    } as never,
    unrecordedOwnedJettons: {
      async read(subject) {
        asked.push(subject.master);
        ownersAsked.push(subject.owner);
        if (time.isHanging) await new Promise(() => undefined);
        if (isDown) throw Problem.unavailable('no node answers', 1);
        const data = holds.map(master).includes(subject.master) ? accountAt(900) : null;
        return { height: null, data, at: '' };
      },
    },
    ownedJettons: { read: async ({ master }: { master: string }) => void observed.push(master) } as never,
    clock: () => new Date(time.now),
  });
  const discover = (account: TonAccount, caller = 'honest') => discoverFor(account, caller);
  return { discover, asked, ownersAsked, observed, time };
}

it('asks the masters that are trusted or used by most, and has observed what they say to be held', async () => {
  const { discover, asked, observed } = open({ trusted: [1], used: [2, 3, 3], holds: [3] });
  await discover(OWNER);
  expect(asked).toEqual([1, 3, 2].map(master));
  expect(observed).toEqual([master(3)]);
});

it('asks neither frauds nor what the owner is known to have', async () => {
  const { discover, asked } = open({ trusted: [1], frauds: [2], used: [2, 3, 4], named: [1, 4] });
  await discover(OWNER);
  expect(asked).toEqual([master(3)]);
});

it('asks a bounded number of them, also where operators trust many', async () => {
  const numbers = Array.from({ length: 100 }, (_, n) => n);
  const { discover, asked } = open({ trusted: numbers, used: numbers.map(n => n + 100) });
  await discover(OWNER);
  expect(asked).toHaveLength(40);
  expect(asked.filter(address => numbers.map(master).includes(address))).toHaveLength(24);
});

it('asks once a minute about an owner, by any number of reads', async () => {
  const { discover, asked, time } = open({ trusted: [1] });
  await Promise.all([discover(OWNER), discover(OWNER)]);
  time.now += 59_000;
  await discover(OWNER);
  expect(asked).toHaveLength(1);
  time.now += 2_000;
  await discover(OWNER);
  expect(asked).toHaveLength(2);
});

it('does not ask about the other masters while the source does not answer about one, and does not fail', async () => {
  const { discover, asked, observed } = open({ trusted: [1, 2, 3], isDown: true });
  await discover(OWNER);
  expect([asked, observed]).toEqual([[master(1)], []]);
});

describe('attack: owners that strangers made up, about whom no master answers', () => {
  const owner = (n: number) => ({ ...OWNER, address: accountAt(1_000 + n) });

  it('masters are asked about the owner that somebody else reads', async () => {
    const { discover, asked, ownersAsked, time } = open({ trusted: [1] });
    time.isHanging = true;
    for (let n = 0; n < 300; n++) void discover(owner(n), 'stranger');
    await until(() => asked.length === 5);
    void discover(OWNER, 'honest');
    await until(() => ownersAsked.includes(OWNER.address));
    expect(asked).toHaveLength(6);
  });

  it('and about one that a stranger has read behind them', async () => {
    const { discover, ownersAsked, time } = open({ trusted: [1] });
    time.isHanging = true;
    for (let n = 0; n < 300; n++) void discover(owner(n), 'stranger');
    void discover(OWNER, 'stranger');
    void discover(OWNER, 'honest');
    await until(() => ownersAsked.includes(OWNER.address));
  });

  it('those beyond what may wait are asked about when they are read again', async () => {
    const { discover, asked, ownersAsked, time } = open({ trusted: [1] });
    time.isHanging = true;
    for (let n = 0; n < 405; n++) void discover(owner(n), 'stranger');
    await discover(owner(405), 'stranger');
    await until(() => asked.length === 5);
    void discover(owner(405), 'honest');
    await until(() => ownersAsked.includes(owner(405).address));
  });

  it('about few owners at a time', async () => {
    const { discover, asked, time } = open({ trusted: [1] });
    time.isHanging = true;
    for (let n = 0; n < 60; n++) void discover(owner(n), `stranger ${n % 10}`);
    await until(() => asked.length === 20);
    await new Promise<void>(resolve => setImmediate(resolve));
    expect(asked).toHaveLength(20);
  });
});
