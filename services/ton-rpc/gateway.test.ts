import type { LatestBlock } from '../../contracts/chain/ton-v4';
import type { NodeRead, TonNodes } from '../../contracts/ports/ton-nodes';
import { Problem } from '../../contracts/problem/problem';
import { until } from '../../test/until';
import { createGateway } from './gateway';

const HASH = Buffer.alloc(32, 1).toString('base64');

/** A double of the nodes: their newest block, and what they are asked. */
function nodesDouble() {
  const double = {
    seqno: 10,
    now: 1_000,
    isAway: false,
    answer: (path: string): unknown => ({ path }),
    latest: 0,
    reads: [] as string[],
    replaced: (): void => undefined,
    nodes: null as unknown as TonNodes,
  };
  double.nodes = {
    async latest(): Promise<LatestBlock> {
      double.latest++;
      if (double.isAway) throw new Error('away');
      const last = { workchain: -1, shard: '0', seqno: double.seqno, rootHash: HASH, fileHash: HASH };
      return { last, init: { rootHash: HASH, fileHash: HASH }, stateRootHash: '', now: double.now };
    },
    async read(read: NodeRead<unknown>) {
      double.reads.push(read.path);
      if (double.isAway) throw new Error('away');
      return double.answer(read.path);
    },
    onReplaced: (listener: () => void) => (double.replaced = listener),
  } as unknown as TonNodes;
  return double;
}

const asker = { caller: '192.0.2.1', admit: async (): Promise<void> => undefined };
const read = (path: string): NodeRead<unknown> => ({ path, parse: json => json });

function setUp(maxCachedBytes = 1_000_000) {
  const double = nodesDouble();
  const clock = { ms: 0 };
  const gateway = createGateway({ nodes: double.nodes, now: () => 1 + clock.ms, maxCachedBytes });
  return { double, clock, gateway };
}

describe('the newest block', () => {
  it('is read once a second, however many ask', async () => {
    const { double, clock, gateway } = setUp();
    await Promise.all([gateway.latest(), gateway.latest(), gateway.latest()]);
    clock.ms = 999;
    await gateway.latest();
    expect(double.latest).toBe(1);
    clock.ms = 1_000;
    double.seqno = 11;
    expect((await gateway.latest()).block.last.seqno).toBe(11);
    expect(double.latest).toBe(2);
  });

  it('does not go back when a node lags', async () => {
    const { double, clock, gateway } = setUp();
    await gateway.latest();
    clock.ms = 5_000;
    double.seqno = 7;
    expect(await gateway.latest()).toMatchObject({ block: { last: { seqno: 10 } }, ageMs: 0 });
  });

  it('is read again when the nodes have replaced it meanwhile', async () => {
    const { double, gateway } = setUp();
    const { latest } = double.nodes;
    double.nodes.latest = async () => {
      const block = await latest();
      if (double.latest === 1) {
        double.seqno = 7;
        double.replaced();
      }
      return block;
    };
    expect((await gateway.latest()).block.last.seqno).toBe(7);
  });

  it('is the last one known while no node answers, with its age', async () => {
    const { double, clock, gateway } = setUp();
    double.isAway = true;
    await expect(gateway.latest()).rejects.toThrow('away');
    double.isAway = false;
    await gateway.latest();
    double.isAway = true;
    clock.ms = 4_000;
    expect(await gateway.latest()).toMatchObject({ block: { last: { seqno: 10 } }, ageMs: 4_000 });
  });
});

describe('what is as of a block', () => {
  it('is asked once, and again only when it was not found or could not be read', async () => {
    const { double, gateway } = setUp();
    const ask = () => gateway.asOf(9, read('/block/9'), asker);
    double.answer = () => null;
    expect(await ask()).toBeNull();
    double.isAway = true;
    await expect(ask()).rejects.toThrow('away');
    double.isAway = false;
    double.answer = path => ({ path });
    const bodies = await Promise.all([ask(), ask(), ask()]);
    expect(await ask()).toBe(bodies[0]);
    expect(bodies[0]!.text).toBe('{"path":"/block/9"}');
    expect(double.reads).toHaveLength(3);
  });

  it('is not asked for before the block exists, but as soon as it does', async () => {
    const { double, clock, gateway } = setUp();
    await gateway.latest();
    clock.ms = 50;
    expect(await gateway.asOf(11, read('/block/11'), asker)).toBeNull();
    expect(await gateway.asOf(0, read('/block/0'), asker)).toBeNull();
    expect(double.latest).toBe(1);
    clock.ms = 100;
    double.seqno = 11;
    expect(await gateway.asOf(11, read('/block/11'), asker)).not.toBeNull();
    expect(double).toMatchObject({ latest: 2, reads: ['/block/11'] });
  });

  it('is no answer, rather than "no such block", while it is unknown whether there is one', async () => {
    const { double, clock, gateway } = setUp();
    await gateway.latest();
    clock.ms = 5_000;
    double.isAway = true;
    await expect(gateway.asOf(11, read('/block/11'), asker)).rejects.toThrow('away');
  });

  it('is dropped when the nodes have replaced it, also what is being read meanwhile', async () => {
    const { double, gateway } = setUp();
    let isReplaced = false;
    double.answer = path => {
      if (path === '/block/8' && !isReplaced) double.replaced();
      isReplaced ||= path === '/block/8';
      return { path };
    };
    await gateway.asOf(9, read('/block/9'), asker);
    await gateway.asOf(8, read('/block/8'), asker);
    await gateway.asOf(9, read('/block/9'), asker);
    await gateway.asOf(8, read('/block/8'), asker);
    expect(double.reads).toEqual(['/block/9', '/block/8', '/block/9', '/block/8']);
  });

  it('takes no more memory than it may', async () => {
    const { double, gateway } = setUp(100_000);
    double.answer = path => ({ path, text: 'x'.repeat(10_000) });
    for (let seqno = 1; seqno <= 10; seqno++) await gateway.asOf(seqno, read(`/block/${seqno}`), asker);
    await gateway.asOf(10, read('/block/10'), asker);
    expect(double.reads).toHaveLength(10);
    await gateway.asOf(1, read('/block/1'), asker);
    expect(double.reads).toHaveLength(11);
    double.answer = () => 'x'.repeat(200_000);
    expect(await gateway.asOf(5, read('/large'), asker)).not.toBeNull();
  });
});

describe('a caller', () => {
  it('is admitted before a node is asked for it, and not for an answer that is cached or asked for already', async () => {
    const { double, gateway } = setUp();
    let admitted = 0;
    const counting = { ...asker, admit: async (): Promise<void> => void admitted++ };
    await Promise.all([1, 2, 3].map(() => gateway.asOf(9, read('/block/9'), counting)));
    await gateway.asOf(9, read('/block/9'), counting);
    expect([admitted, double.reads]).toEqual([1, ['/block/9']]);
  });

  it('that is refused alone has no answer: those who wait with it are asked for', async () => {
    const { double, gateway } = setUp();
    const refused = {
      ...asker,
      admit: async (): Promise<void> => {
        throw new Problem('rate_limited', 'Too many calls.');
      },
    };
    const ask = (admits: typeof asker) => gateway.asOf(9, read('/block/9'), admits);
    const answers = await Promise.allSettled([ask(refused), ask(asker), ask(refused), ask(asker)]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
    expect(double.reads).toEqual(['/block/9']);
    // What fails because of the nodes fails for all of them.
    double.isAway = true;
    const failed = await Promise.allSettled([1, 2].map(() => gateway.asOf(8, read('/block/8'), asker)));
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(double.reads).toEqual(['/block/9', '/block/8']);
  });
});

describe('nodes that answer slowly', () => {
  it('are asked by one caller a share of the questions at a time, while that of another is answered', async () => {
    const { double, gateway } = setUp();
    let answerAll = (): void => undefined;
    const answered = new Promise<void>(resolve => (answerAll = resolve));
    double.answer = path => (path.startsWith('/slow') ? answered.then(() => ({ path })) : { path });
    const greedy = Array.from({ length: 200 }, (_, n) => gateway.asOf(9, read(`/slow/${n}`), asker));
    await until(() => double.reads.length > 0);
    const honest = { ...asker, caller: '198.51.100.1' };
    expect(await gateway.asOf(9, read('/quick'), honest)).not.toBeNull();
    expect(double.reads).toHaveLength(16 + 1);
    // What the other has waiting is asked with the turn of who wants it as well.
    void gateway.asOf(9, read('/slow/199'), honest);
    await until(() => double.reads.includes('/slow/199'));
    answerAll();
    expect((await Promise.all(greedy)).every(answer => answer !== null)).toBe(true);
  });

  it('keep a bounded number of questions waiting, and the newest of the caller with most is not asked', async () => {
    const { double, gateway } = setUp();
    let answerAll = (): void => undefined;
    const answered = new Promise<void>(resolve => (answerAll = resolve));
    double.answer = path => answered.then(() => ({ path }));
    const greedy = Array.from({ length: 1_100 }, (_, n) =>
      gateway.asOf(9, read(`/slow/${n}`), asker).catch((error: Error) => error.name),
    );
    await until(() => double.reads.length === 16);
    const honest = gateway.asOf(9, read('/honest'), { ...asker, caller: '198.51.100.1' });
    await until(() => double.reads.includes('/honest'));
    answerAll();
    expect(await honest).not.toBeNull();
    const ended = await Promise.all(greedy);
    expect(ended.filter(name => name === 'TooManyWaiting')).toHaveLength(1_100 - 16 - 1_000);
  });
});

describe('what is as of a time', () => {
  it('is final once the time has passed, and nothing before it has come', async () => {
    const { double, clock, gateway } = setUp();
    const ask = (utime: number) => gateway.atTime(utime, read(`/block/utime/${utime}`), asker);
    expect(await ask(1_001)).toBeNull();
    await ask(1_000);
    await ask(999);
    expect(double.reads).toEqual(['/block/utime/1000', '/block/utime/999']);
    clock.ms = 2_000;
    await ask(1_000);
    await ask(999);
    expect(double.reads).toEqual(['/block/utime/1000', '/block/utime/999', '/block/utime/1000']);
  });
});

test('answers that a stranger asks for fill the cache and not the memory, and an honest call is answered', async () => {
  const { double, gateway } = setUp(10_000);
  const textOf = async (path: string) => (await gateway.asOf(5, read(path), asker))?.text;
  const asked = (path: string): number => double.reads.filter(each => each === path).length;
  await textOf('/honest');
  for (let n = 0; n < 100; n++) {
    await textOf(`/stranger/${n}`);
    // What is asked for again and again stays.
    expect(await textOf('/honest')).toBe('{"path":"/honest"}');
  }
  expect(asked('/honest')).toBe(1);
  await textOf('/stranger/0');
  expect(asked('/stranger/0')).toBe(2);
});
