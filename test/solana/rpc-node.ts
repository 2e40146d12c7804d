import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { RawBlock, RawTransaction } from '../../indexers/solana/raw';

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What the double sends instead of its answer. */
export interface Tampered {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

/** A double of a JSON-RPC node with a finished chain. */
export interface RpcNode {
  readonly url: string;
  /** HTTP requests so far; each may be a batch. */
  readonly requests: number;
  /** Requests that asked for a compressed answer. */
  readonly compressible: number;
  /** Calls so far by method, those of batches one by one. */
  readonly calls: Readonly<Record<string, number>>;
  /** Larger batches are refused; 0: all are. */
  maxBatch: number;
  /** Replaces an answer when it returns something. */
  tamper: (answer: string) => Tampered | null;
  close(): void;
}

const signatureOf = (raw: RawTransaction): string => raw.transaction.signatures[0]!;

/** @param blocks in the order of their slots, all final */
export async function startRpcNode(blocks: readonly RawBlock[]): Promise<RpcNode> {
  const bySlot = new Map(blocks.map(block => [block.slot, block]));
  const newestFirst = blocks
    .flatMap(({ slot, transactions }) =>
      transactions.map(raw => ({ slot, raw, signature: signatureOf(raw) })),
    )
    .reverse();
  const bySignature = new Map(newestFirst.map(each => [each.signature, each]));

  const methods: Readonly<Record<string, (...params: never[]) => unknown>> = {
    getGenesisHash: () => 'genesis-hash',
    getSlot: () => blocks.at(-1)!.slot,
    getBlocks: (from: number, to: number) =>
      blocks.map(({ slot }) => slot).filter(slot => slot >= from && slot <= to),
    getBlock: (slot: number, { transactionDetails }: { transactionDetails: string }) => {
      const { transactions, ...header } = bySlot.get(slot)!;
      if (transactionDetails === 'none') return header;
      return transactionDetails === 'full'
        ? { ...header, transactions }
        : { ...header, signatures: transactions.map(signatureOf) };
    },
    getTransaction: (signature: string) => {
      const found = bySignature.get(signature);
      return found ? { slot: found.slot, ...found.raw } : null;
    },
    getSignaturesForAddress: (
      account: string,
      { before, limit }: { readonly before?: string; readonly limit: number },
    ) => {
      const listed = newestFirst.filter(({ raw }) => raw.transaction.message.accountKeys.includes(account));
      const start = before === undefined ? 0 : listed.findIndex(({ signature }) => signature === before) + 1;
      return listed.slice(start, start + limit).map(({ signature, slot }) => ({
        signature,
        slot,
        err: null,
        memo: null,
        blockTime: null,
      }));
    },
    getTokenAccountsByOwner: () => ({ context: { slot: 1 }, value: [] }),
  };

  const state = { requests: 0, compressible: 0, calls: {} as Record<string, number> };
  const answer = ({ id, method, params }: Call): object => {
    state.calls[method] = (state.calls[method] ?? 0) + 1;
    const known = methods[method];
    return known
      ? { jsonrpc: '2.0', id, result: known(...(params as never[])) }
      : { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      state.requests += 1;
      const asked = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[];
      const refusal = { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'batch too large' } };
      const text = JSON.stringify(
        !Array.isArray(asked) ? answer(asked) : asked.length > node.maxBatch ? refusal : asked.map(answer),
      );
      const tampered = node.tamper(text);
      if (tampered)
        return void response.writeHead(tampered.status ?? 200, tampered.headers).end(tampered.body);
      const isCompressible = String(request.headers['accept-encoding']).includes('gzip');
      if (isCompressible) state.compressible += 1;
      response.setHeader('content-type', 'application/json');
      if (isCompressible) response.setHeader('content-encoding', 'gzip');
      response.end(isCompressible ? gzipSync(text) : text);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const node: RpcNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return state.requests;
    },
    get compressible() {
      return state.compressible;
    },
    get calls() {
      return state.calls;
    },
    maxBatch: 1_000,
    tamper: () => null,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return node;
}
