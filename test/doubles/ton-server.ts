import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Address, Cell, parseTuple, serializeTuple, type TupleItem } from '@ton/core';

/** The stack that a contract (raw) answers a get method with, as of a block; null: it has no such method. */
export type GetMethods = (
  call: { readonly contract: string; readonly method: string; readonly args: readonly TupleItem[] },
  seqno: number,
) => readonly TupleItem[] | null;

/** The newest block of the double, and its time; there is one every five seconds, and none older than the first. */
export const NEWEST = { seqno: 1_000, now: 1_767_225_600 } as const;
const BLOCK_SECONDS = 5;

/** The block of the double at an age in seconds. */
export function blockOfAge(seconds: number): number {
  return NEWEST.seqno - Math.ceil(seconds / BLOCK_SECONDS);
}

/** A double of a server of the HTTP API v4, on which contracts answer get methods as they are set; `null`: it is down. */
export async function openTonServer(contracts: () => GetMethods | null) {
  const calls: string[] = [];
  const id = (seqno: number) => ({ workchain: -1, shard: '0', seqno, fileHash: '', rootHash: '' });

  function answer(path: string): object {
    const [, , at, contract, , method, args] = path.split('/');
    if (path === '/block/latest')
      return {
        last: id(NEWEST.seqno),
        init: { fileHash: '', rootHash: '' },
        stateRootHash: '',
        now: NEWEST.now,
      };
    if (at === 'utime') {
      const seqno = blockOfAge(NEWEST.now - Number(contract));
      if (seqno < 1 || seqno > NEWEST.seqno) return { exist: false };
      return { exist: true, block: { shards: [{ ...id(seqno), transactions: [] }] } };
    }
    const raw = Address.parse(contract!).toRawString();
    const items =
      args === undefined ? [] : parseTuple(Cell.fromBase64(args.replace(/-/g, '+').replace(/_/g, '/')));
    const stack = contracts()!({ contract: raw, method: method!, args: items }, Number(at));
    calls.push(`${raw} ${method} ${at}`);
    return {
      exitCode: stack ? 0 : 11,
      result: [],
      resultRaw:
        stack &&
        serializeTuple([...stack])
          .toBoc()
          .toString('base64'),
      block: id(Number(at)),
      shardBlock: id(Number(at)),
    };
  }

  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (contracts()) response.end(JSON.stringify(answer(decodeURI(request.url!))));
    else response.writeHead(500).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** `contract method seqno`. */
    calls,
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}
