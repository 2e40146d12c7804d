import { pino } from 'pino';
import type { TonClient } from '../../contracts/ports/ton-client';
import { createTonClient } from '../../infra/engines/ton-client/ton-client';
import { describeTonClient } from '../contracts/ton-client';
import { startRpcNode, type RpcNode } from './rpc-node';

const stop = new AbortController();
const running: Promise<RpcNode>[] = [];
afterAll(async () => {
  stop.abort();
  for (const each of running) await (await each).close();
});

/** A client of an RPC node that is in front of the servers. */
function open(urls: readonly string[]): TonClient {
  const starting = startRpcNode(urls, { latestTtlMs: 0 });
  running.push(starting);
  const opening = starting.then(({ url }) =>
    createTonClient({ urls: [url], logger: pino({ level: 'silent' }), backoffMs: 1, signal: stop.signal }),
  );
  const call = (_: object, name: keyof TonClient) =>
    async function (...args: never[]): Promise<unknown> {
      return ((await opening)[name] as (...args: never[]) => Promise<unknown>)(...args);
    };
  return new Proxy({} as TonClient, { get: call as never });
}

describeTonClient('the RPC node', open, false);
