import { Address } from '@ton/core';
import { MAX_RPC_ANSWER_BYTES } from '../../infra/engines/ton-nodes/v4-node';
import { formatTonAddress } from '../../contracts/account/address';
import { WrongNetwork } from '../../contracts/network/wrong-network';
import type { TonDevnet } from '../../infra/devnet/ton/devnet';
import { quietDevnet } from '../devnet/ton';
import { openReplacedServer, type Answer, type ReplacedServer } from '../doubles/replaced-server';
import { until } from '../until';
import { startRpcNode, type RpcNode } from '../ton/rpc-node';

/** What the RPC node makes of nodes that lie, lag, fork or go away. */

const ACCOUNT = 'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c';
let devnet: TonDevnet;
let bad: ReplacedServer;
let good: ReplacedServer;
const running: RpcNode[] = [];

beforeAll(async () => {
  devnet = await quietDevnet();
  await devnet.faucet(`0:${'5c'.repeat(32)}`, 1n);
  [bad, good] = [await openReplacedServer(devnet.url), await openReplacedServer(devnet.url)];
});
afterEach(async () => {
  for (const each of running.splice(0)) await each.close();
  for (const each of [bad, good]) {
    each.answer = null;
    each.replace(devnet.url);
    each.requests.splice(0);
  }
});
afterAll(async () => {
  await Promise.all([bad.close(), good.close()]);
  await devnet.close();
});

async function start(...args: Parameters<typeof startRpcNode>): Promise<RpcNode> {
  const rpc = await startRpcNode(...args);
  running.push(rpc);
  return rpc;
}

const text =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(status, headers).end(body);
    return true;
  };

type Json = Record<string, unknown>;
/** Answers as the network does, changed. */
const changed =
  (change: (json: Json, path: string) => unknown): Answer =>
  (request, response) => {
    void (async () => {
      const answer = await fetch(devnet.url + request.url);
      response
        .writeHead(answer.status)
        .end(JSON.stringify(change((await answer.json()) as Json, request.url!)));
    })();
    return true;
  };
/** All but the newest block, so that the node seems to be of the network. */
const notLatest =
  (answer: Answer): Answer =>
  (request, response) =>
    request.url !== '/block/latest' && answer(request, response);

const otherHash = (hash: string): string => Buffer.from(hash, 'base64').reverse().toString('base64');
/** The same zerostate, and other blocks from there on. */
const forked = changed((json, path) =>
  JSON.parse(JSON.stringify(json), (key, value: unknown) => {
    if (path === '/block/latest' && key === 'init') return json.init;
    return key === 'rootHash' ? otherHash(value as string) : value;
  }),
);

/** Asks for everything that has no cached answer. */
const paths = (seqno: number): string[] => [
  `/block/${seqno}`,
  `/block/${seqno}/${ACCOUNT}`,
  `/block/${seqno}/${ACCOUNT}/lite`,
  `/block/${seqno}/${ACCOUNT}/changed/1`,
  `/block/${seqno}/${ACCOUNT}/run/seqno`,
  `/block/${seqno}/config/0`,
];
const tip = async (): Promise<number> =>
  ((await (await fetch(`${devnet.url}/block/latest`)).json()) as { last: { seqno: number } }).last.seqno;

const FAULTS: readonly (readonly [string, Answer | 'gone' | 'silent'])[] = [
  ['answers HTML', text(200, '<html>', { 'content-type': 'text/html' })],
  ['answers other JSON', text(200, '{"ok":true}')],
  ['answers null', text(200, 'null')],
  ['answers 500', text(500, 'Internal Error')],
  ['answers 503', text(503, '')],
  ['answers 429', text(429, '', { 'retry-after': '2' })],
  ['redirects to another host', text(302, '', { location: 'http://169.254.169.254/latest/meta-data' })],
  ['ends before its announced length', text(200, '{"exist":', { 'content-length': '100' })],
  ['never ends', text(200, `{"a":"${'x'.repeat(9 * 2 ** 20)}"}`)],
  ['is on a fork', forked],
  ['answers about another block', notLatest(changed((_json, path) => ({ path, exist: true })))],
  ['has no block', notLatest(text(200, '{"exist":false}'))],
  ['answers garbage but its newest block', notLatest(text(200, '[[]]'))],
  ['is away', 'gone'],
  ['does not answer', 'silent'],
];
/** Less than the default: what does not end is waited for. */
const timeoutMs = 1_000;

function makeBad(fault: Answer | 'gone' | 'silent'): void {
  if (fault === 'gone') bad.replace('http://127.0.0.1:9');
  else bad.answer = fault === 'silent' ? () => true : fault;
}

it.each(FAULTS)(
  'a node that %s is left for another, and nothing that it said is served',
  async (_, fault) => {
    const rpc = await start([bad.url, good.url], { timeoutMs });
    await until(async () => (await rpc.get('/block/latest')).status === 200);
    makeBad(fault);
    const seqno = await tip();
    const before = bad.requests.length;
    for (const path of paths(seqno)) {
      const { status, body } = await rpc.get(path);
      expect([path, status, body]).toEqual([path, 200, await (await fetch(devnet.url + path)).json()]);
    }
    expect(bad.requests.length).toBeGreaterThan(before);
  },
);

it('accounts that are larger than an answer may be keep nobody from reading, however many ask for them', async () => {
  const rpc = await start([bad.url], { timeoutMs: 60_000 });
  await until(async () => (await rpc.get('/block/latest')).status === 200);
  const seqno = await tip();
  const hostile = `0:${'66'.repeat(32)}`;
  const path = (block: number, account: string) => `/block/${block}/${encodeURIComponent(account)}`;
  bad.answer = (request, response) => {
    if (!request.url!.includes(Address.parseRaw(hostile).toString({ urlSafe: true }))) return false;
    response.end(' '.repeat(MAX_RPC_ANSWER_BYTES + 1));
    return true;
  };
  const attack = Array.from({ length: 40 }, (_, n) =>
    rpc.get(path(Math.max(1, seqno - n), hostile), '192.0.2.66'),
  );
  for (let n = 0; n < 20; n++)
    expect((await rpc.get(path(seqno, `0:${String(n).padStart(64, '0')}`), '192.0.2.1')).status).toBe(200);
  for (const { status } of await Promise.all(attack)) expect(status).toBe(502);
});

/** As the network was when it was asked for its newest block first. */
function lagging(): Answer {
  let newest: Promise<{ last: { seqno: number } }> | null = null;
  return (request, response) => {
    newest ??= fetch(`${devnet.url}/block/latest`).then(async answer => answer.json() as never);
    const asked = Number(/^\/block\/(\d+)/.exec(request.url!)?.[1]);
    void newest.then(async block => {
      if (request.url === '/block/latest') response.end(JSON.stringify(block));
      else if (asked > block.last.seqno) response.end('{"exist":false}');
      else response.end(await (await fetch(devnet.url + request.url)).text());
    });
    return true;
  };
}

describe('watchers of /block/watch/changed', () => {
  const account = `0:${'5e'.repeat(32)}`;

  const kinds = [
    'answers 503',
    'ends before its announced length',
    'has no block',
    'answers garbage but its newest block',
    'is away',
    'does not answer',
  ];
  it.each([...FAULTS.filter(([name]) => kinds.includes(name)), ['lags', lagging()] as const])(
    'have every block while a node %s, and after it has taken the place of the other',
    async (_, fault) => {
      const rpc = await start([bad.url, good.url], { timeoutMs });
      const watched = await rpc.watch();
      await until(() => watched.frames.length > 0);
      const expectAll = async (): Promise<void> => {
        await devnet.faucet(account, 1n);
        await devnet.simulation.produceBlock();
        const end = await tip();
        await until(() => watched.frames.at(-1)!.seqno >= end);
        const { frames } = watched;
        expect(frames.map(({ seqno }) => seqno)).toEqual(frames.map((_, i) => frames[0]!.seqno + i));
        expect(frames.every(({ lastUtime }) => lastUtime > 0)).toBe(true);
        const answer = await fetch(`${devnet.url}/block/${end}/${friendly}/lite`);
        const { last } = ((await answer.json()) as { account: { last: { lt: string; hash: string } } })
          .account;
        expect(frames.filter(({ changed }) => friendly in changed).at(-1)!.changed[friendly]).toEqual(last);
      };
      const friendly = formatTonAddress(account, 'mainnet');
      makeBad(fault);
      await expectAll();
      bad.answer = null;
      bad.replace(devnet.url);
      good.answer = text(503, '');
      await expectAll();
    },
  );

  it('that do not read are disconnected, and others have every block', async () => {
    // Blocks so large that the buffers of a connection have no room for them.
    const accounts = Array.from({ length: 8_000 }, (_, n) => `0:${String(n).padStart(64, '0')}`);
    const hash = Buffer.alloc(32, 1).toString('base64');
    bad.answer = changed((json, path) => {
      if (!/^\/block\/\d+$/.test(path)) return json;
      const { shards } = json.block as { shards: { transactions: unknown[] }[] };
      shards[0]!.transactions = accounts.map(each => ({ account: each, lt: '1', hash }));
      return json;
    });
    const rpc = await start([bad.url]);
    const [reading, paused] = [await rpc.watch(), await rpc.watch()];
    await until(() => reading.frames.length > 0 && paused.frames.length > 0);
    paused.socket.pause();
    let isCut = false;
    void paused.closed.then(() => (isCut = true));
    for (let n = 0; n < 15; n++) {
      const made = await devnet.simulation.produceBlock();
      await until(() => reading.frames.at(-1)!.seqno === made);
    }
    paused.socket.resume();
    await until(() => isCut);
    expect(paused.frames.length).toBeLessThan(reading.frames.length);
    expect(paused.frames.map(({ seqno }) => seqno)).toEqual(
      paused.frames.map((_, i) => paused.frames[0]!.seqno + i),
    );
  });
});

it('names the node that is on a fork in its health, until it is on the right chain again', async () => {
  const rpc = await start([good.url, bad.url], { slowestMs: 5_000, latestTtlMs: 50 });
  await rpc.get('/block/latest');
  await until(() => good.requests.length > 0 && bad.requests.length > 0);
  expect(rpc.faults()).toEqual([]);
  bad.answer = forked;
  await until(
    async () => (await rpc.get('/block/latest'), rpc.faults()),
    faults => faults.length > 0,
  );
  expect(rpc.faults()).toEqual([
    expect.stringMatching(`^${bad.url} is not used: its block \\d+ is another than`),
  ]);
  bad.answer = null;
  await until(
    async () => (await rpc.get('/block/latest'), rpc.faults()),
    faults => faults.length === 0,
  );
});

describe('a node alone', () => {
  it.each<[string, Answer, number, string]>([
    ['answers garbage', text(200, '{"a":1}'), 502, 'upstream_unavailable'],
    ['fails', text(500, ''), 502, 'upstream_refused'],
    ['refuses', text(400, ''), 502, 'upstream_refused'],
    ['is away', (_request, response) => (response.destroy(), true), 502, 'upstream_unavailable'],
  ])('that %s is a problem of the gateway, and none once it is back', async (_, answer, status, code) => {
    const rpc = await start([bad.url]);
    await rpc.get('/block/latest');
    const seqno = await tip();
    bad.answer = answer;
    for (const path of paths(seqno)) {
      const { status: found, body } = await rpc.get(path);
      expect([path, found, (body as { code: string }).code]).toEqual([path, status, code]);
    }
    bad.answer = null;
    for (const path of paths(seqno)) await until(async () => (await rpc.get(path)).status === 200);
  });

  it('that is away leaves the newest block and what was read, with its age', async () => {
    const rpc = await start([bad.url]);
    const { body: newest } = await rpc.get('/block/latest');
    const read = await rpc.get('/block/1');
    bad.answer = (_request, response) => (response.destroy(), true);
    const { headers, body } = await until(
      () => rpc.get('/block/latest'),
      answer => answer.headers.get('age') !== null,
    );
    expect(Number(headers.get('age'))).toBeGreaterThanOrEqual(1);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual(newest);
    expect((await rpc.get('/block/1')).body).toEqual(read.body);
  });

  it('of another network is refused, and its transactions and messages with it', async () => {
    const rpc = await start([bad.url], {
      identity: {
        async check() {
          throw new WrongNetwork('it serves another network');
        },
      },
    });
    for (const path of ['/block/latest', ...paths(1), `/account/${ACCOUNT}/tx/1/${'ab'.repeat(32)}`]) {
      const { status, body, headers } = await rpc.get(path);
      expect([path, status, (body as { code: string }).code]).toEqual([path, 503, 'source_wrong_network']);
      expect(headers.get('retry-after')).not.toBeNull();
    }
    const boc = 'te6cckEBAQEAJQAARYgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEuN2rAw==';
    expect(await rpc.send({ boc })).toMatchObject({ status: 503, body: { code: 'source_wrong_network' } });
    expect(new Set(bad.requests)).toEqual(new Set(['GET /block/latest']));
  });

  it('that is rolled back is followed: what was cached is dropped, and watchers begin again', async () => {
    const rpc = await start([bad.url]);
    const before = await tip();
    await devnet.faucet(`0:${'5d'.repeat(32)}`, 7n);
    const watched = await rpc.watch();
    await until(() => watched.frames.length > 0);
    const path = `/block/${before + 1}/0:${'5d'.repeat(32)}/lite`;
    expect((await rpc.get(path)).body).toMatchObject({ account: { balance: { coins: '7' } } });

    await devnet.simulation.rollbackTo(before);
    await devnet.simulation.produceBlock();
    expect(await watched.closed).toBe(1013);
    await until(
      () => rpc.get(path),
      ({ body }) => (body as { account: { balance: { coins: string } } }).account.balance.coins === '0',
    );
    const again = await rpc.watch();
    await until(() => again.frames.length > 0);
    again.socket.terminate();
  });
});

describe('several nodes', () => {
  it('are as new as the newest, and read where the block is', async () => {
    const rpc = await start([bad.url, good.url], { slowestMs: 5_000, latestTtlMs: 50 });
    await rpc.get('/block/latest');
    const old = (await (await fetch(`${devnet.url}/block/latest`)).json()) as Json;
    const seqno = (old.last as { seqno: number }).seqno;
    bad.answer = (request, response) => {
      const asked = Number(/^\/block\/(\d+)/.exec(request.url!)?.[1] ?? 0);
      if (request.url !== '/block/latest' && asked <= seqno) return false;
      response.end(JSON.stringify(request.url === '/block/latest' ? old : { exist: false }));
      return true;
    };
    const made = await devnet.simulation.produceBlock();
    await until(
      async () => ((await rpc.get('/block/latest')).body as { last: { seqno: number } }).last.seqno,
      found => found === made,
    );
    for (const path of paths(made)) expect((await rpc.get(path)).status).toBe(200);
  });

  it('decide by majority which blocks are right', async () => {
    const third = await openReplacedServer(devnet.url);
    try {
      // The fork is the first that answers, and alone.
      bad.answer = forked;
      good.answer = third.answer = text(503, '');
      const rpc = await start([bad.url, good.url, third.url], { slowestMs: 5_000, latestTtlMs: 50 });
      const path = `/block/${await tip()}`;
      const truth = JSON.stringify(await (await fetch(devnet.url + path)).json());
      const read = async (): Promise<string> => JSON.stringify((await rpc.get(path)).body);
      await until(read, body => body.includes('shards'));
      expect(await read()).not.toBe(truth);
      good.answer = third.answer = null;
      await until(
        async () => (await rpc.get('/block/latest'), read()),
        body => body === truth,
      );
    } finally {
      await third.close();
    }
  });

  it('that are rolled back are followed once most are, while one still has later blocks', async () => {
    const third = await openReplacedServer(devnet.url);
    try {
      const rpc = await start([bad.url, good.url, third.url], { slowestMs: 5_000, latestTtlMs: 50 });
      const newest = async (): Promise<number> =>
        ((await rpc.get('/block/latest')).body as { last: { seqno: number } }).last.seqno;
      const before = await tip();
      const old = new Map<string, string>();
      for (let seqno = before + 1; seqno <= before + 3; seqno++) {
        await devnet.simulation.produceBlock();
        await until(newest, found => found === seqno);
        for (const path of [`/block/${seqno}`, '/block/latest'])
          old.set(path, await (await fetch(devnet.url + path)).text());
      }
      bad.answer = (request, response) => {
        const answer = old.get(request.url!);
        if (answer !== undefined) response.end(answer);
        return answer !== undefined;
      };
      await devnet.simulation.rollbackTo(before);
      await devnet.faucet(`0:${'5e'.repeat(32)}`, 7n);
      expect(await tip()).toBeLessThan(before + 3);
      await until(async () => (await newest()) === (await tip()));
    } finally {
      await third.close();
    }
  });

  it('all get a message, and one that takes it is enough', async () => {
    const rpc = await start([bad.url, good.url]);
    const taken: string[] = [];
    const take =
      (name: string, status: number): Answer =>
      (request, response) => {
        if (request.method !== 'POST') return false;
        taken.push(name);
        response.writeHead(status).end('{"status":1}');
        return true;
      };
    bad.answer = take('bad', 500);
    good.answer = take('good', 200);
    const boc = 'te6cckEBAQEAJQAARYgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEuN2rAw==';
    expect(await rpc.send({ boc })).toMatchObject({ status: 200, body: { status: 1 } });
    expect(taken.sort()).toEqual(['bad', 'good']);
  });
});

it('reads the amounts of extra currencies that open-source servers send as numbers', async () => {
  bad.answer = notLatest(
    changed(json => {
      (json.account as { balance: Json }).balance.currencies = { '7': 12_345, '9': '18446744073709551616' };
      return json;
    }),
  );
  const rpc = await start([bad.url]);
  expect((await rpc.get(`/block/1/${ACCOUNT}/lite`)).body).toMatchObject({
    account: { balance: { currencies: { '7': '12345', '9': '18446744073709551616' } } },
  });
});
