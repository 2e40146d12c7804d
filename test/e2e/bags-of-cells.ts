import { beginCell, Cell, CellType } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { initOfV4, tonElement } from '../card/prove';
import { unixNow } from '../wallet-requests/wallet';
import { expectProblem, send, type Answer } from './client';
import { EXAMPLES } from './examples';
import type { Installation } from './installation';
import { pathOf } from './malformed-requests';

/** As `serialized_boc` of boc.tlb has it, of one root, with two bytes for each number. */
function bag(
  cells: readonly Buffer[],
  { flags = 0, count = cells.length, roots = 1, absent = 0, root = 0 } = {},
) {
  const body = Buffer.concat(cells);
  const numbers = [count, roots, absent, 0, body.length, root].flatMap((n, i) =>
    i === 3 ? [] : [n >> 8, n & 255],
  );
  return Buffer.concat([Buffer.from([0xb5, 0xee, 0x9c, 0x72, flags | 2, 2, ...numbers]), body]);
}
/** Of eight bits. */
const cell = (...refs: readonly number[]): Buffer =>
  Buffer.from([refs.length, 2, 0x71, ...refs.flatMap(ref => [ref >> 8, ref & 255])]);
const chain = (depth: number, uses: number): Buffer =>
  bag(
    Array.from({ length: depth }, (_, n) =>
      n === depth - 1 ? cell() : cell(...Array<number>(uses).fill(n + 1)),
    ),
  );
const leaf = cell();
const library = new Cell({
  exotic: true,
  bits: beginCell().storeUint(CellType.Library, 8).storeUint(0, 256).endCell().bits,
});

const BOMBS: readonly (readonly [name: string, boc: Buffer])[] = [
  ['nothing', Buffer.alloc(0)],
  ['no bag', Buffer.from('nonsense')],
  ['a tree deeper than any', chain(1_100, 1)],
  ['a tree much deeper than any', chain(8_000, 1)],
  ['36 doublings', chain(37, 2)],
  ['a thousand doublings', chain(1_000, 2)],
  ['cells that use the next one four times', chain(600, 4)],
  ['more cells than a message has', bag(Array<Buffer>(9_000).fill(leaf))],
  ['a cell that refers to itself', bag([cell(0)])],
  ['cells that refer to each other', bag([cell(1), cell(0)])],
  ['a reference beyond the last cell', bag([cell(7)])],
  ['more references than a cell has', bag([Buffer.from([7, 2, 0x71, ...Array<number>(14).fill(1)]), leaf])],
  ['no cell', bag([])],
  ['no root', bag([leaf], { roots: 0 })],
  ['sixty thousand roots', bag([leaf], { roots: 60_000 })],
  ['two roots', bag([leaf, leaf], { roots: 2 })],
  ['a root beyond the last cell', bag([leaf], { root: 9 })],
  ['a claim to many cells', bag([leaf], { count: 65_535 })],
  ['a claim to 2^28 cells', Buffer.from('b5ee9c7204040fffffff00000001', 'hex')],
  ['cells that are absent', bag([leaf], { absent: 1 })],
  ['an index that it does not have', bag([leaf], { flags: 0x80 })],
  ['an index of many cells', bag([leaf], { flags: 0x80, count: 65_535 })],
  ['a checksum that it does not have', bag([leaf], { flags: 0x40 })],
  ['numbers of no byte', Buffer.from([0xb5, 0xee, 0x9c, 0x72, 0, 0, 1, 1, 0, 3, 0, 0, 0, 0])],
  ['numbers of seven bytes', Buffer.from([0xb5, 0xee, 0x9c, 0x72, 7, 255, ...Array<number>(40).fill(255)])],
  ['an end before its last cell', bag([leaf, leaf]).subarray(0, -4)],
  ['a byte after its end', Buffer.concat([bag([leaf]), Buffer.alloc(1)])],
  ['a library for its root', library.toBoc()],
];

type Request = { readonly path: string; readonly body?: unknown };

const hex = (boc: Buffer): string => boc.toString('hex');
const exampleOf = (path: string) => EXAMPLES.find(example => example.path === path)!;
const withBody = (path: string, more: object): Request => {
  const example = exampleOf(path);
  return { path: pathOf(example), body: { ...(example.body as object), ...more } };
};

/** Every endpoint that takes a bag of cells, and the place in which it does. */
const TAKEN: readonly (readonly [path: string, pointer: string, request: (boc: Buffer) => Request])[] = [
  [
    '/rpc/{network}/send',
    '/body/boc',
    boc => withBody('/rpc/{network}/send', { boc: boc.toString('base64') }),
  ],
  [
    '/rpc/{network}/block/{seqno}/{address}/run/{method}/{args}',
    '/path/args',
    boc => ({
      path: pathOf(exampleOf('/rpc/{network}/block/{seqno}/{address}/run/{method}/{args}'), {
        args: boc.toString('base64url') || '-',
      }),
    }),
  ],
  [
    '/gasless/{network}/estimate',
    '/body/data',
    boc => {
      const { data } = exampleOf('/gasless/{network}/estimate').body as { data: object };
      return withBody('/gasless/{network}/estimate', { data: { ...data, messages: [{ boc: hex(boc) }] } });
    },
  ],
  ['/gasless/{network}/send', '/body/boc', boc => withBody('/gasless/{network}/send', { boc: hex(boc) })],
  [
    '/v2/gasless/estimate/{master_id}',
    '/body/messages',
    boc => withBody('/v2/gasless/estimate/{master_id}', { messages: [{ boc: hex(boc) }] }),
  ],
  ['/v2/gasless/send', '/body/boc', boc => withBody('/v2/gasless/send', { boc: hex(boc) })],
  ['/connect/command', '/body/job', boc => withBody('/connect/command', { job: boc.toString('base64') })],
];

/** A proof with such a state, which is that of no wallet. */
function proofWith(boc: Buffer, url: string): object {
  const keys = keyPairFromSeed(Buffer.alloc(32, 3));
  const proof = { keys, init: initOfV4(keys), domain: new URL(url).host, timestamp: unixNow() };
  const text = JSON.stringify(tonElement(proof), (name, value: unknown) =>
    name === 'walletStateInit' ? boc.toString('base64') : value,
  );
  return JSON.parse(text) as object;
}

export function bagsOfCells(main: Installation): void {
  /** Beside it, somebody else is served. */
  const ask = async ({ path, body }: Request): Promise<Answer> => {
    const { url } = main.program;
    const method = body === undefined ? 'GET' : 'POST';
    const [answer, beside] = await Promise.all([
      send(url, method, path, { body: JSON.stringify(body) }),
      send(url, 'GET', '/appconfig/mainnet'),
    ]);
    expect(beside.status).toBe(200);
    return answer;
  };

  it('are made as others are', () => {
    expect(Cell.fromBoc(bag([cell(1), leaf]))[0]!.refs).toHaveLength(1);
    expect(Cell.fromBoc(chain(20, 2))[0]!.depth()).toBe(19);
  });

  it.each(TAKEN)(
    '%s refuses each that is no bag, or could never be read, and names the field',
    async (_, pointer, request) => {
      for (const [name, boc] of BOMBS) {
        const answer = await ask(request(boc));
        // Too large for the endpoint, or its path.
        if ([413, 414].includes(answer.status)) continue;
        const { errors = [] } = expectProblem(answer);
        const isNamed = errors.some(each => each.pointer.startsWith(pointer));
        expect([name, answer.status, isNamed]).toEqual([name, 400, true]);
      }
    },
  );

  it('a proof of a wallet with one for its state is none', async () => {
    for (const [name, boc] of BOMBS) {
      const body = proofWith(boc, main.program.url);
      const answer = await ask({ path: '/card/v2/user/wallet/connect', body });
      if ([400, 413].includes(answer.status)) continue;
      expect([name, answer.status, expectProblem(answer).code]).toEqual([name, 403, 'signature_invalid']);
    }
  });
}
