import type { Logger } from 'pino';
import { decodeAnyBase64 } from '../../contracts/base64';
import { immutable } from '../../contracts/http/immutable-response';
import * as rpc from '../../contracts/http/ton-rpc';
import { JsonText } from '../../contracts/json-text';
import type { TonNetwork } from '../../contracts/network';
import { MessageRefused, type NodeRead, type TonNodes } from '../../contracts/ports/ton-nodes';
import { Problem } from '../../contracts/problem';
import { WrongNetwork } from '../../contracts/wrong-network';
import { bind, type Binding } from '../http/binding';
import { Reply } from '../http/call';
import { tonAccount } from '../ton-account';
import { createBlockStream, type BlockFrames } from './block-stream';
import { createGateway, type GatewayOptions } from './gateway';
import * as reads from './reads';

export interface TonRpcDeps extends Pick<GatewayOptions, 'latestTtlMs'> {
  /** Those of one network are always the same. */
  readonly nodes: (network: TonNetwork) => TonNodes;
  /** Bytes of cached answers for each network. */
  readonly maxCachedBytes: number;
  readonly logger: Logger;
}

const FINAL = { 'Cache-Control': 'public, max-age=31536000, immutable' };
const A_SECOND = { 'Cache-Control': 'public, max-age=1' };
const NOT_YET = { 'Cache-Control': 'no-store' };
const NO_BLOCK = immutable(new JsonText<{ exist: false }>('{"exist":false}'));

const RETRY_AFTER_SECONDS = 2;
const HEX = /^[0-9a-f]{64}$/i;

/** Of a valid `hash256`. */
const hashOf = (text: string): Buffer => (HEX.test(text) ? Buffer.from(text, 'hex') : decodeAnyBase64(text)!);

const raw = (address: string, network: TonNetwork): string =>
  tonAccount(address, network, '/path/address').address;

/** The API of the nodes, cached, and the streams of their blocks. */
export function tonRpcRoutes(deps: TonRpcDeps): Binding[] {
  const { logger } = deps;
  const opened = new Map<TonNetwork, ReturnType<typeof open>>();
  const of = (network: TonNetwork): ReturnType<typeof open> => {
    const found = opened.get(network) ?? open(network, deps);
    opened.set(network, found);
    return found;
  };

  /** What nodes throw as the problem that it is for a caller. */
  async function asked<T>(network: TonNetwork, answer: Promise<T>): Promise<T> {
    return answer.catch((error: unknown) => {
      throw problemOf(network, error, logger);
    });
  }

  async function asOf<Answer>(
    network: TonNetwork,
    seqno: string,
    readAt: (seqno: number) => NodeRead<Answer>,
  ) {
    const at = Number(seqno);
    const body = await asked(network, of(network).gateway.asOf(at, readAt(at)));
    return body ? new Reply(body, FINAL) : new Reply(NO_BLOCK, NOT_YET);
  }

  async function page<Answer>(network: TonNetwork, read: NodeRead<Answer>) {
    const body = await asked(network, of(network).gateway.byHash(read));
    if (!body)
      throw new Problem('transaction_not_found', 'No node has a transaction of this account with this hash.');
    return new Reply(body, FINAL);
  }

  return [
    bind(rpc.latestBlock, async ({ params: { network } }) => {
      const { body, ageMs } = await asked(network, of(network).gateway.latest());
      return new Reply(body, ageMs === 0 ? A_SECOND : { ...NOT_YET, Age: String(Math.floor(ageMs / 1_000)) });
    }),
    bind(rpc.block, ({ params: { network, seqno } }) => asOf(network, seqno, reads.readBlock)),
    bind(rpc.blockAtTime, async ({ params: { network, utime } }) => {
      const at = Number(utime);
      const { gateway } = of(network);
      const body = await asked(network, gateway.atTime(at, reads.readBlockAtTime(at)));
      if (!body) return new Reply(NO_BLOCK, NOT_YET);
      const { block } = await asked(network, gateway.latest());
      return new Reply(body, at < block.now ? FINAL : A_SECOND);
    }),
    bind(rpc.account, ({ params: { network, seqno, address } }) => {
      const account = raw(address, network);
      return asOf(network, seqno, at => reads.readAccount(at, account));
    }),
    bind(rpc.accountLite, ({ params: { network, seqno, address } }) => {
      const account = raw(address, network);
      return asOf(network, seqno, at => reads.readAccountLite(at, account));
    }),
    bind(rpc.accountChanged, ({ params: { network, seqno, address, lt } }) => {
      const account = raw(address, network);
      return asOf(network, seqno, at => reads.readAccountChanged(at, account, lt));
    }),
    bind(rpc.networkConfig, ({ params: { network, seqno } }) => asOf(network, seqno, reads.readConfig)),
    bind(rpc.configParameters, ({ params: { network, seqno, ids } }) =>
      asOf(network, seqno, at => reads.readConfig(at, ids)),
    ),
    bind(rpc.runMethod, ({ params: { network, seqno, address, method } }) => {
      const account = raw(address, network);
      return asOf(network, seqno, at => reads.readMethod(at, account, method));
    }),
    bind(rpc.runMethodWithArguments, ({ params: { network, seqno, address, method, args } }) => {
      const account = raw(address, network);
      return asOf(network, seqno, at => reads.readMethod(at, account, method, args));
    }),
    bind(rpc.accountTransactions, ({ params: { network, address, lt, hash } }) =>
      page(network, reads.readTransactions(raw(address, network), lt, hashOf(hash))),
    ),
    bind(rpc.parsedTransactions, ({ params: { network, address, lt, hash }, query: { count } }) =>
      page(network, reads.readParsedTransactions(raw(address, network), lt, hashOf(hash), count)),
    ),
    bind(rpc.sendMessage, async ({ params: { network }, body: { boc } }) => ({
      status: await asked(network, of(network).nodes.send(decodeAnyBase64(boc)!)),
    })),
    bind(rpc.watchBlocks, ({ params: { network }, signal }, socket) =>
      watched(of(network).stream, signal, ({ notification }) => socket.send(notification)),
    ),
    bind(rpc.watchChanges, ({ params: { network }, signal }, socket) =>
      watched(of(network).stream, signal, ({ changes }) => socket.send(changes)),
    ),
  ];
}

function open(network: TonNetwork, deps: TonRpcDeps) {
  const { logger } = deps;
  const nodes = deps.nodes(network);
  const gateway = createGateway({ ...deps, nodes, now: () => performance.now() });
  return { nodes, gateway, stream: createBlockStream({ gateway, nodes, logger, now: Date.now }) };
}

/** Sends every block until the connection ends. A client that does not read is disconnected: it cannot skip blocks. */
function watched(
  { watch }: ReturnType<typeof createBlockStream>,
  signal: AbortSignal,
  send: (frames: BlockFrames) => Promise<void>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return resolve();
    const stop = watch({ onBlock: frames => void send(frames).catch(reject), onEnd: reject });
    signal.addEventListener(
      'abort',
      () => {
        stop();
        resolve();
      },
      { once: true },
    );
  });
}

function problemOf(network: TonNetwork, error: unknown, logger: Logger): unknown {
  if (error instanceof Problem) return error;
  if (error instanceof WrongNetwork)
    return new Problem('source_wrong_network', `The nodes of ${network} serve another network.`, {
      retryAfter: RETRY_AFTER_SECONDS,
    });
  if (error instanceof MessageRefused)
    return new Problem('message_refused', 'No node took the message: the account may not accept it.');
  logger.warn({ network, err: error }, 'no ton node answered');
  return new Problem('upstream_unavailable', `No node of ${network} answers; try again.`);
}
