import { request as httpRequest } from 'node:http';
import { Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import fc from 'fast-check';
import { devnetForTests, funded, post, rpc } from '../../../test/devnet/solana';
import { base58 } from './svm/base58';
import { TOKEN } from './svm/programs';
import { runs } from '../../../test/random';

const network = devnetForTests();
const address = Keypair.generate().publicKey.toBase58();
const signature = base58(Buffer.alloc(64, 7));

const FAUCET = 'DENwnS2shcrzEY6HTYyKvUWdUBNMtzSBW93Lrt2XZufk';
const USDC = 'Gh9ZwEmdLJ8DscKNTkTqPbNwLNNBjuSzaG9Vp2KGtKJr';

interface Answer {
  readonly error?: { readonly code: number; readonly message: string };
}

afterEach(async () => {
  expect(await rpc(network.devnet.url, 'getHealth')).toMatchObject({ result: 'ok' });
});

it.each([
  ['nothing', '', -32700],
  ['half an object', '{"jsonrpc":"2.0","id":1,"method":"getSlot"', -32700],
  ['a method twice', '{"jsonrpc":"2.0","id":1,"method":"getSlot","method":"getBlockHeight"}', -32700],
  ['bytes that are not text', '\u0000\u00ff\ufffe', -32700],
  ['a number', '5', -32600],
  ['null', 'null', -32600],
  ['an empty batch', '[]', -32600],
  ['a batch that is too long', JSON.stringify(Array(101).fill({ id: 1, method: 'getSlot' })), -32600],
  ['no method', '{"id":1}', -32600],
  ['a method that is a number', '{"id":1,"method":5}', -32600],
  ['an id that is an object', '{"id":{},"method":"getSlot"}', -32600],
  ['an unknown method', '{"id":1,"method":"getNothing"}', -32601],
  ['a method of Object', '{"id":1,"method":"constructor"}', -32601],
  ['params that are an object', '{"id":1,"method":"getBalance","params":{}}', -32602],
])('answers %s with an error', async (_, body, code) => {
  const response = await post(network.devnet.url, body);
  expect(response.status).toBe(200);
  expect((await response.json()) as Answer).toMatchObject({ error: { code } });
});

it('answers each request of a batch separately', async () => {
  const batch = [{ id: 'a', method: 'getSlot' }, 7, { id: 2, method: 'getBalance', params: [address] }];
  const response = await post(network.devnet.url, JSON.stringify(batch));
  expect(await response.json()).toMatchObject([
    { id: 'a', result: expect.any(Number) as unknown },
    { id: null, error: { code: -32600 } },
    { id: 2, result: { value: 0 } },
  ]);
});

it('answers no notification', async () => {
  const { url } = network.devnet;
  expect((await post(url, '{"jsonrpc":"2.0","method":"ping"}')).status).toBe(204);
  const response = await post(url, '[{"method":"getSlot"},{"id":1,"method":"getHealth"}]');
  expect(await response.json()).toEqual([{ jsonrpc: '2.0', id: 1, result: 'ok' }]);
});

it('rejects requests that are too large, and other HTTP methods', async () => {
  const { url } = network.devnet;
  const large = await post(url, 'x'.repeat(300_000)).catch(() => null);
  expect(large?.status ?? 413).toBe(413);
  expect((await fetch(url)).status).toBe(405);
  expect((await fetch(url, { method: 'OPTIONS' })).headers.get('access-control-allow-origin')).toBe('*');
});

it('survives a client that disconnects during a request', async () => {
  await new Promise<void>(resolve => {
    const request = httpRequest(network.devnet.url, { method: 'POST', headers: { 'content-length': 1000 } });
    request.on('error', () => undefined).on('close', resolve);
    request.write('{"id":1,', () => request.destroy());
  });
});

const WRONG_PARAMS: readonly (readonly [method: string, ...params: unknown[]])[] = [
  ['getSlot', { commitment: 'soon' }],
  ['getSlot', { minContextSlot: -1 }],
  ['getSlot', {}, {}],
  ['getBlock'],
  ['getBlock', -1],
  ['getBlock', 1.5],
  ['getBlock', '1'],
  ['getBlock', 1e300],
  ['getBlock', 0, { encoding: 'xml' }],
  ['getBlock', 0, { maxSupportedTransactionVersion: 'all' }],
  ['getBlock', 0, { transactionDetails: 5 }],
  ['getBlocks', 0, -1],
  ['getBlocks', 0, 1_000_000],
  ['getBlocksWithLimit', 0, 1e9],
  ['getBalance'],
  ['getBalance', null],
  ['getBalance', ''],
  ['getBalance', '0OIl'],
  ['getBalance', address.slice(1, 20)],
  ['getBalance', `${address}1111`],
  ['getBalance', '1'.repeat(100_000)],
  ['getBalance', [address]],
  ['getAccountInfo', address, { encoding: 'base64+zstd' }],
  ['getAccountInfo', address, { dataSlice: { offset: -1, length: 1 } }],
  ['getAccountInfo', address, { dataSlice: { offset: 0 } }],
  ['getMultipleAccounts', address],
  ['getMultipleAccounts', Array(101).fill(address)],
  ['getProgramAccounts', address, { filters: [{ dataSize: 'x' }] }],
  ['getProgramAccounts', address, { filters: [{ memcmp: { offset: 0, bytes: '0OIl' } }] }],
  ['getProgramAccounts', address, { filters: Array(5).fill({ dataSize: 1 }) }],
  ['getTokenAccountsByOwner', address],
  ['getTokenAccountsByOwner', address, { mint: 'x' }],
  ['getSignatureStatuses', signature],
  ['getSignatureStatuses', ['abc']],
  ['getSignatureStatuses', Array(257).fill(signature)],
  ['getSignaturesForAddress', address, { limit: 0 }],
  ['getSignaturesForAddress', address, { limit: 1001 }],
  ['getSignaturesForAddress', address, { before: signature }],
  ['getTransaction', address],
  ['getFeeForMessage', ''],
  ['getFeeForMessage', 'AAAA'],
  ['getFeeForMessage', '****'],
  ['isBlockhashValid', 'x'],
  ['getMinimumBalanceForRentExemption', -5],
  ['getMinimumBalanceForRentExemption', 1e12],
  ['requestAirdrop', address, -1],
  ['requestAirdrop', address, 1e18],
  ['requestAirdrop', FAUCET, 1],
  ['sendTransaction'],
  ['sendTransaction', ''],
  ['sendTransaction', 'AQ==', { encoding: 'base64' }],
  ['sendTransaction', 'AQ==', { encoding: 'hex' }],
  ['sendTransaction', Buffer.alloc(1233, 1).toString('base64'), { encoding: 'base64' }],
  ['sendTransaction', Buffer.alloc(1232, 255).toString('base64'), { encoding: 'base64' }],
  ['sendTransaction', 'z'.repeat(1600)],
  ['simulateTransaction', 'AQID'],
  ['simulateTransaction', 'AQID', { accounts: { addresses: 5 } }],
];

it.each(WRONG_PARAMS.map(each => [JSON.stringify(each).slice(0, 100), each] as const))(
  'refuses %s',
  async (_, [method, ...params]) => {
    const { error } = await rpc(network.devnet.url, method, params);
    expect(error?.code).toBe(-32602);
    expect(error?.message).toMatch(/^Invalid params: ./);
  },
);

const METHODS = [
  ...new Set(WRONG_PARAMS.map(([method]) => method)),
  ...['getEpochInfo', 'getBlockTime', 'getTokenSupply', 'getTokenAccountBalance', 'getTokenLargestAccounts'],
  ...['getRecentPrioritizationFees', 'getBlockHeight', 'getLatestBlockhash', 'getFirstAvailableBlock'],
];
const anything = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    1,
    -1,
    3,
    2 ** 53,
    '',
    address,
    signature,
    FAUCET,
    USDC,
    TOKEN.address,
    [address],
  ),
  fc.jsonValue(),
  fc.record(
    {
      commitment: fc.constantFrom('processed', 'confirmed', 'finalized', 'x'),
      encoding: fc.constantFrom('base58', 'base64', 'json', 'jsonParsed', 'binary'),
      maxSupportedTransactionVersion: fc.constantFrom(0, 1, null),
      transactionDetails: fc.constantFrom('full', 'accounts', 'signatures', 'none'),
      limit: fc.nat(2000),
      mint: fc.constantFrom(USDC, address),
      programId: fc.constant(TOKEN.address),
      filters: fc.array(fc.record({ memcmp: fc.record({ offset: fc.nat(), bytes: fc.string() }) })),
      dataSlice: fc.record({ offset: fc.nat(), length: fc.nat() }),
      minContextSlot: fc.nat(5),
    },
    { requiredKeys: [] },
  ),
);

it('answers any input with a result or a client error, never an internal error', async () => {
  const call = fc.record({
    id: fc.nat(),
    method: fc.constantFrom(...METHODS),
    params: fc.array(anything, { maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 100 }), async calls => {
      const answers = (await (await post(network.devnet.url, JSON.stringify(calls))).json()) as Answer[];
      expect(answers.map(({ error }) => error?.code)).not.toContain(-32603);
    }),
    runs(30),
  );
});

it('reports a context slot that is not reached', async () => {
  expect(await rpc(network.devnet.url, 'getBalance', [address, { minContextSlot: 1e9 }])).toMatchObject({
    error: { code: -32016, data: { contextSlot: expect.any(Number) as unknown } },
  });
});

it('rejects or drops a transaction with any byte changed', async () => {
  const from = await funded(network.devnet);
  const { blockhash } = await network.connection().getLatestBlockhash();
  const transaction = new Transaction({ feePayer: from.publicKey, recentBlockhash: blockhash }).add(
    SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: from.publicKey, lamports: 5 }),
  );
  transaction.sign(from);
  const wire = transaction.serialize();
  const codes = new Set<number | undefined>();
  for (let at = 0; at < wire.length; at += 1) {
    for (const byte of [wire[at]! ^ 0x80, wire[at]! ^ 1]) {
      const changed = Buffer.from(wire);
      changed[at] = byte;
      const params = [changed.toString('base64'), { encoding: 'base64' }];
      codes.add((await rpc(network.devnet.url, 'sendTransaction', params)).error?.code);
    }
  }
  expect([...codes].sort()).toEqual([-32002, -32003, -32602]);
});
