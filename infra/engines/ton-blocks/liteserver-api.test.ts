import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beginCell } from '@ton/core';
import type { TonBlockId } from '../../../contracts/ports/ton-blocks';
import { createLiteserverApi } from './liteserver-api';

const KEY = 'the-key-of-the-source';
const closing = new AbortController();
let source: Server;
let url: string;
let text: string;
let asked: string | undefined;

beforeAll(async () => {
  source = createServer((request, response) => {
    asked = request.url;
    response.end(text);
  }).listen(0, '127.0.0.1');
  await once(source, 'listening');
  url = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
});
afterAll(() => {
  closing.abort();
  source.closeAllConnections();
  source.close();
});

const api = (path = '') =>
  createLiteserverApi({ url: url + path, key: KEY, attempts: 1, signal: closing.signal });

const CELL = beginCell().storeUint(7, 32).endCell();
const idOf = (boc: Buffer): TonBlockId => ({
  workchain: 0,
  shard: '8000000000000000',
  seqno: 5,
  rootHash: CELL.hash().toString('hex'),
  fileHash: createHash('sha256').update(boc).digest('hex'),
});
const served = (boc: Buffer): void => void (text = JSON.stringify({ data: boc.toString('hex') }));

it('reads a block, also where the endpoints are under a path', async () => {
  served(CELL.toBoc());
  const id = idOf(CELL.toBoc());
  const path = `/v2/liteserver/get_block/${encodeURIComponent(`(0,${id.shard},5,${id.rootHash},${id.fileHash})`)}`;
  for (const mount of ['', '/ton', '/ton/']) {
    expect((await api(mount).block(id)).equals(CELL)).toBe(true);
    expect(asked).toBe(`${mount.replace(/\/$/, '')}${path}`);
  }
});

it('refuses other bytes than those of the block before it reads cells, also ones with its cells', async () => {
  const id = idOf(CELL.toBoc());
  for (const bytes of [Buffer.from('b5ee9c72', 'hex'), CELL.toBoc({ idx: true })]) {
    served(bytes);
    await expect(api().block(id)).rejects.toThrow('the bytes are not those of the block');
  }
});

it('does not read a bag of more cells than a block has', async () => {
  // 200,001 cells in three bytes.
  const bytes = Buffer.from('b5ee9c72030301000000', 'hex');
  bytes.writeUIntBE(200_001, 6, 3);
  const bag = Buffer.concat([bytes, Buffer.alloc(100)]);
  served(bag);
  await expect(api().block(idOf(bag))).rejects.toThrow('more cells than a block has');
});

it('does not repeat what the source has answered, which may be the key', async () => {
  const id = idOf(CELL.toBoc());
  for (const answer of [
    KEY,
    `{"${KEY}`,
    JSON.stringify(KEY),
    JSON.stringify({ data: KEY, [KEY]: KEY }),
    JSON.stringify({ data: Buffer.from(KEY).toString('hex') }),
    JSON.stringify({ masterchain_id: KEY, links: [KEY] }),
  ]) {
    text = answer;
    const blocks = api();
    for (const read of [blocks.block, blocks.wayFromMasterchain]) {
      const message = await read(id).then(() => '', String);
      expect(message).toMatch(/^BlocksUnavailable: get_\w+ of \(0,8000000000000000,5\): ./);
      // Node has the beginning of what is no JSON in its message.
      expect(message).not.toContain(KEY.slice(0, 7));
    }
  }
});

it('takes digits in either case, and those of a shard without leading zeros', async () => {
  const [root_hash, file_hash] = ['Ab'.repeat(32), 'cD'.repeat(32)];
  const raw = { workchain: 0, seqno: 1, root_hash, file_hash };
  text = JSON.stringify({
    masterchain_id: { ...raw, workchain: -1, shard: '8000000000000000' },
    links: [
      { id: { ...raw, shard: '800000000000000' } },
      { id: { ...raw, shard: '0800000000000000' } },
      { id: { ...raw, shard: 'C000000000000000' } },
    ],
  });
  const { later, masterchain } = await api().wayFromMasterchain(idOf(CELL.toBoc()));
  expect(masterchain).toMatchObject({ rootHash: 'ab'.repeat(32), fileHash: 'cd'.repeat(32) });
  expect(later.map(({ shard }) => shard)).toEqual([
    '0800000000000000',
    '0800000000000000',
    'c000000000000000',
  ]);
});
