import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beginCell, Cell } from '@ton/core';
import fc from 'fast-check';
import type { Anchor, AnchorProof } from '../../contracts/ledger-tree/anchor';
import type { Checkpoint } from '../../contracts/ledger-tree/checkpoint';
import type { TonBlockId } from '../../contracts/ports/ton-blocks';
import type { TonDevnet } from '../../infra/devnet/ton/devnet';
import { createTonNodes } from '../../infra/engines/ton-nodes/ton-nodes';
import { createPlaceProofs } from '../../infra/program/features/ledger-tree/anchor/place-proofs';
import { placesByNodes } from '../../infra/program/features/ledger-tree/anchor/places-by-nodes';
import { verifyAnchors } from '../../infra/verifier/verify-anchor';
import { quietDevnet, silent } from '../devnet/ton';
import * as example from '../proofs/example-files';
import { writeJson } from '../proofs/exported-ledger';
import { ANCHOR_ACCOUNT, type AnchoringNetwork, anchoringNetwork } from '../proofs/local-anchor';
import { runs } from '../random';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';

type Anchors = Record<AnchorProof['level'], Anchor>;

interface Served {
  readonly status: number;
  readonly text: string;
}

/** Answers instead of the source; `served` is what the double has answered, or would. */
type Fault = (call: {
  readonly path: string;
  /** How often this path was asked for, from 1 on. */
  readonly nth: number;
  readonly response: ServerResponse;
  served(): Promise<Served>;
}) => Promise<void> | void;

const checkpoint = JSON.parse(example.checkpoint) as Checkpoint;
const file = join(temporaryFolder(), 'anchor.json');
const closing = new AbortController();
const known = new Map<string, Promise<Served>>();
let devnet: TonDevnet;
let network: AnchoringNetwork;
let anchors: Anchors;
let source: Server;
let url: string;
let fault: Fault;
let calls: Map<string, number>;

beforeAll(async () => {
  devnet = await quietDevnet();
  network = await anchoringNetwork(devnet);
  anchors = await network.anchor(checkpoint);
  source = createServer((request, response) => {
    const path = request.url!;
    const nth = (calls.get(path) ?? 0) + 1;
    calls.set(path, nth);
    void fault({ path, nth, response, served: () => servedBy(path) });
  }).listen(0, '127.0.0.1');
  await once(source, 'listening');
  url = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
});
beforeEach(() => {
  calls = new Map();
  fault = honest;
});
afterAll(async () => {
  closing.abort();
  source.closeAllConnections();
  source.close();
  await devnet.close();
});

/** What the double answers once not too many have asked it, and it knows the block, if there is one. */
function servedBy(path: string): Promise<Served> {
  const ask = async (): Promise<Served> => {
    for (let unknown = 0; ;) {
      const given = await fetch(devnet.url + path, { signal: closing.signal });
      const served = { status: given.status, text: await given.text() };
      if (served.status === 404) unknown += 1;
      if (served.status !== 429 && (served.status !== 404 || unknown > 1)) return served;
    }
  };
  const served = known.get(path) ?? ask();
  known.set(path, served);
  return served;
}

const answer = (response: ServerResponse, { status, text }: Served): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
};
const honest: Fault = async ({ response, served }) => answer(response, await served());

/** The answers to one method are others. */
const altered =
  (method: string, change: (json: Json) => unknown): Fault =>
  async ({ path, response, served }) => {
    const { status, text } = await served();
    const json = JSON.parse(text) as Json;
    answer(response, { status, text: path.includes(`/${method}/`) ? JSON.stringify(change(json)) : text });
  };

interface Json {
  readonly id: { readonly workchain: number; readonly seqno: number };
  readonly data: string;
  readonly masterchain_id: { readonly seqno: number; readonly root_hash: string };
  readonly links: readonly { readonly id: object; readonly proof: string }[];
}

const nodesOf = () =>
  createTonNodes({
    urls: [devnet.url],
    identity: { check: () => Promise.resolve() },
    logger: silent,
    signal: closing.signal,
  });

const blockText = ({ workchain, shard, seqno, rootHash, fileHash }: TonBlockId): string =>
  encodeURIComponent(`(${workchain},${shard},${seqno},${rootHash},${fileHash})`);

/** The file that is written with this source, verified offline. */
async function levelOf(
  { transaction: { transaction, proof } }: Anchors = anchors,
  attempts = 3,
): Promise<{ level: AnchorProof['level']; anchor: Anchor }> {
  const nodes = nodesOf();
  const proofs = createPlaceProofs({
    url,
    key: 'key',
    nodes,
    logger: silent,
    signal: closing.signal,
    attempts,
    backoffMs: 1,
    timeoutMs: 2_000,
  });
  try {
    const found = await proofs.proofOf(transaction, closing.signal);
    const anchor = { ...anchors.transaction, transaction, proof: found ?? proof };
    const [verified] = verifyAnchors([writeJson(file, anchor)], ANCHOR_ACCOUNT);
    expect(verified).toMatchObject({ ...transaction, checkpoint, level: anchor.proof.level });
    return { level: anchor.proof.level, anchor };
  } finally {
    await nodes.close();
  }
}

it('proves up to the masterchain, also by a source that is in trouble for a while', async () => {
  expect((await levelOf()).anchor).toEqual(anchors.masterchain);
  for (const trouble of [
    { status: 500, text: 'lite server error code 652: timeout' },
    { status: 404, text: '{"error":"lite server error code 651: block is not in db"}' },
    { status: 200, text: '<html><title>502 Bad Gateway</title></html>' },
    { status: 200, text: '{"data":"b5ee9c7201' },
  ]) {
    calls.clear();
    fault = async call => (call.nth === 1 ? answer(call.response, trouble) : honest(call));
    expect((await levelOf()).level).toBe('masterchain');
  }
  calls.clear();
  fault = async call =>
    call.nth === 1
      ? void call.response.writeHead(429, { 'retry-after': '1' }).end('{"error":"rate limit"}')
      : honest(call);
  expect((await levelOf()).level).toBe('masterchain');
  fault = async ({ response, served }) => {
    const { text, status } = await served();
    answer(response, {
      status,
      text: text.replace(/"(?:[0-9a-f]{2})+"/g, each => each.toUpperCase()),
    });
  };
  expect((await levelOf()).anchor).toEqual(anchors.masterchain);
});

/** By such a double, as it is, the anchors of all these tests are proven first. */
it('is late with the newest blocks, as lite servers are', async () => {
  await devnet.advanceTime(1);
  await devnet.simulation.pause();
  const nodes = nodesOf();
  const { seqno } = (await nodes.latest()).last;
  const id = blockText((await placesByNodes(nodes).masterchainBlock(seqno))!);
  await nodes.close();
  const statuses: number[] = [];
  await until(async () => {
    const { status } = await fetch(`${devnet.url}/v2/liteserver/get_block/${id}`);
    // Not too often.
    if (status !== 429) statuses.push(status);
    return status === 200;
  });
  expect(statuses).toEqual([404, 200]);
  await devnet.simulation.resume();
});

it('proves up to the masterchain where shards split and merge, and to the block without the blocks after it', async () => {
  for (const reshard of ['splitShards', 'mergeShards'] as const) {
    const all = await network.anchorInBlockOf(reshard, checkpoint);
    fault = honest;
    expect((await levelOf(all)).anchor).toEqual(all.masterchain);
    fault = altered('get_shard_block_proof', json => ({ ...json, links: [json.links.at(-1)] }));
    expect((await levelOf(all)).level).toBe('block');
  }
});

/** Another block of the masterchain with the same shards, which nobody but the source has. */
function withOtherSeed(data: string): Cell {
  const block = Cell.fromHex(data);
  const [info, flow, update, extra] = block.refs as [Cell, Cell, Cell, Cell];
  const bits = extra.beginParse().skip(32 + 256);
  const other = beginCell().storeUint(0x4a33f6fd, 32).storeUint(7, 256).storeSlice(bits).endCell();
  const copy = beginCell().storeBits(block.bits);
  for (const ref of [info, flow, update, other]) copy.storeRef(ref);
  return copy.endCell();
}

const hexOf = (cell: Cell): string => cell.toBoc().toString('hex');

it('proves up to the block when the block of the masterchain is not to be had, or is not one that nodes have', async () => {
  const ofMasterchain = (change: (data: string) => string): Fault =>
    altered('get_block', json => (json.id.workchain === -1 ? { ...json, data: change(json.data) } : json));
  const named = (change: (json: Json) => object): Fault => altered('get_shard_block_proof', change);
  const faults: [string, Fault][] = [
    ['cut off', ofMasterchain(data => data.slice(0, -20))],
    ['another block', ofMasterchain(data => hexOf(withOtherSeed(data)))],
    ['no way', named(() => ({ error: 'none' }))],
    ['too many links', named(json => ({ ...json, links: Array(40).fill(json.links[0]) }))],
    [
      'another hash',
      named(json => ({ ...json, masterchain_id: { ...json.masterchain_id, root_hash: 'ab'.repeat(32) } })),
    ],
    ['a block of a shard', named(json => ({ ...json, masterchain_id: json.links[0]!.id }))],
  ];
  for (const [name, each] of faults) {
    fault = each;
    expect([name, (await levelOf(anchors, 1)).level]).toEqual([name, 'block']);
  }
  // A whole masterchain of its own.
  let forged: Cell | null = null;
  fault = async ({ path, response, served }) => {
    if (path.includes('get_block') && forged) {
      answer(response, { status: 200, text: JSON.stringify({ data: hexOf(forged) }) });
      return;
    }
    const given = await served();
    const json = JSON.parse(given.text) as Json;
    if (path.includes('get_block')) return answer(response, given);
    const { masterchain_id: id } = json;
    const raw = id as unknown as Record<string, string>;
    const asked = `(-1,${raw['shard']},${id.seqno},${raw['root_hash']},${raw['file_hash']})`;
    const { text } = await servedBy(`/v2/liteserver/get_block/${encodeURIComponent(asked)}`);
    forged = withOtherSeed((JSON.parse(text) as Json).data);
    const file_hash = createHash('sha256').update(forged.toBoc()).digest('hex');
    const masterchain_id = { ...id, root_hash: forged.hash().toString('hex'), file_hash };
    answer(response, { status: 200, text: JSON.stringify({ ...json, masterchain_id }) });
  };
  calls.clear();
  expect((await levelOf(anchors, 1)).level).toBe('block');
  expect(forged).not.toBeNull();
  // Asked first, the nodes do not know it: none of its blocks is read.
  expect([...calls.keys()].map(path => path.split('/')[3])).toEqual(['get_block', 'get_shard_block_proof']);
});

it('proves the transaction alone when the source has no block with it', async () => {
  const other = await network.anchor(checkpoint);
  const elsewhere = JSON.stringify(other.masterchain.proof);
  const faults: [string, Fault][] = [
    ['HTML', ({ response }) => answer(response, { status: 200, text: '<html>' })],
    ['an error', ({ response }) => answer(response, { status: 500, text: '{}' })],
    ['not known', ({ response }) => answer(response, { status: 404, text: '{}' })],
    ['no key', ({ response }) => answer(response, { status: 401, text: '{}' })],
    ['no answer', () => undefined],
    ['a closed connection', ({ response }) => void response.destroy()],
    ['too much', ({ response }) => answer(response, { status: 200, text: ' '.repeat(9 * 1024 * 1024) })],
    ['cut off', altered('get_block', ({ data }) => ({ data: data.slice(0, -8) }))],
    ['odd hex', altered('get_block', ({ data }) => ({ data: data.slice(0, -1) }))],
    ['no cells', altered('get_block', () => ({ data: 'b5ee9c72' }))],
    ['a proof', altered('get_block', () => ({ data: Buffer.from(elsewhere).toString('hex') }))],
    ['another block', altered('get_block', ({ data }) => ({ data: hexOf(withOtherSeed(data)) }))],
    [
      'the proof of the block, not the block',
      altered('get_block', () => ({
        data: Buffer.from(
          (anchors.block.proof as { transactionProof: string }).transactionProof,
          'base64',
        ).toString('hex'),
      })),
    ],
    [
      'the block with all but the transaction left out',
      altered('get_block', () => ({
        data: hexOf(
          Cell.fromBase64((anchors.block.proof as { transactionProof: string }).transactionProof).refs[0]!,
        ),
      })),
    ],
  ];
  for (const [name, each] of faults) {
    fault = each;
    expect([name, (await levelOf(anchors, 1)).level]).toEqual([name, 'transaction']);
  }
});

it('ends at the signal, however late the source is', async () => {
  const nodes = nodesOf();
  const slow = { url, key: undefined, nodes, logger: silent, signal: closing.signal, timeoutMs: 3_600_000 };
  const proofs = createPlaceProofs(slow);
  for (const method of ['get_block', 'get_shard_block_proof']) {
    const ending = new AbortController();
    fault = call => (call.path.includes(method) ? ending.abort() : honest(call));
    const proof = await proofs.proofOf(anchors.transaction.transaction, ending.signal);
    expect(proof).toEqual(method === 'get_block' ? null : anchors.block.proof);
  }
  await nodes.close();
});

it('is answered for a block of the masterchain that nothing stands for it but itself', async () => {
  const { masterchain } = anchors.masterchain.proof as Extract<AnchorProof, { level: 'masterchain' }>;
  const nodes = nodesOf();
  const block = (await placesByNodes(nodes).masterchainBlock(masterchain.seqno))!;
  const { status, text } = await servedBy(`/v2/liteserver/get_shard_block_proof/${blockText(block)}`);
  expect(status).toBe(200);
  const { seqno, rootHash, fileHash } = block;
  const id = { workchain: -1, shard: '8000000000000000', seqno, root_hash: rootHash, file_hash: fileHash };
  expect(JSON.parse(text)).toEqual({ masterchain_id: id, links: [] });
  await nodes.close();
});

it('follows no redirect, and asks nobody again who refuses', async () => {
  for (const status of [302, 308, 400, 401, 403]) {
    calls.clear();
    fault = ({ path, response }) => void response.writeHead(status, { location: devnet.url + path }).end();
    expect((await levelOf()).level).toBe('transaction');
    expect([...calls.values()]).toEqual([1]);
  }
});

it('writes no file that is not verified, whichever byte of an answer is another one', async () => {
  const property = fc.asyncProperty(fc.nat(), fc.nat(), fc.nat(15), async (call, at, digit) => {
    let left = call % 3;
    fault = async ({ response, served }) => {
      const given = await served();
      const place = at % given.text.length;
      const text =
        left-- === 0
          ? given.text.slice(0, place) + digit.toString(16) + given.text.slice(place + 1)
          : given.text;
      answer(response, { status: given.status, text });
    };
    // Verified in it.
    const { level, anchor } = await levelOf(anchors, 1);
    expect(anchor).toEqual(anchors[level]);
  });
  await fc.assert(property, runs(40));
});
