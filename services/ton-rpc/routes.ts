import { MESSAGES, NODE_READS } from '../../contracts/http/ton/rpc';
import type { Logger } from 'pino';
import { decodeAnyBase64 } from '../../contracts/encoding/base64';
import { immutable } from '../../contracts/http/immutable-response';
import * as rpc from '../../contracts/http/ton/rpc';
import { JsonText } from '../../contracts/json/json-text';
import { TON_NETWORKS, type TonNetwork } from '../../contracts/network/network';
import type { RateLimits } from '../../contracts/ports/rate-limits';
import { MessageRefused, ReadRefused, type NodeRead, type TonNodes } from '../../contracts/ports/ton-nodes';
import { Problem } from '../../contracts/problem/problem';
import { WrongNetwork } from '../../contracts/network/wrong-network';
import { addressKey } from '../../contracts/http/address-key';
import { TooManyWaiting } from '../../contracts/fair-semaphore';
import { bind, type Binding } from '../http/binding';
import { Reply, type AnyCall } from '../http/call';
import { limitAddress } from '../http/limits';
import { tonAccount } from '../../contracts/account/ton-account';
import { createBlockStream, type BlockFrames } from './block-stream';
import { createGateway, type Asker, type GatewayOptions } from './gateway';
import * as reads from './reads';

export interface TonRpcDeps extends Pick<GatewayOptions, 'latestTtlMs'> {
  /** The networks that the instance serves; default: all. */
  readonly networks?: readonly TonNetwork[];
  /** Those of one network are always the same. */
  readonly nodes: (network: TonNetwork) => TonNodes;
  /** Bytes of cached answers for each network. */
  readonly maxCachedBytes: number;
  /** Opened at the first use. */
  readonly limits: () => Promise<RateLimits>;
  readonly logger: Logger;
}

type Caller = Pick<AnyCall, 'ip' | 'appendHeader'>;

const FINAL = { 'Cache-Control': 'public, max-age=31536000, immutable' };
const A_SECOND = { 'Cache-Control': 'public, max-age=1' };
const NOT_YET = { 'Cache-Control': 'no-store' };
const NO_BLOCK = immutable(new JsonText<{ exist: false }>('{"exist":false}'));

const RETRY_AFTER_SECONDS = 2;
const HEX = /^[0-9a-f]{64}$/i;

/** Of a valid `hash256`. */
const hashOf = (text: string): Buffer => (HEX.test(text) ? Buffer.from(text, 'hex') : decodeAnyBase64(text)!);

/** The raw address. @throws Problem 400 when it is of another network */
const accountOf = (params: { readonly network: TonNetwork; readonly address: string }): string =>
  tonAccount(params.address, params.network, '/path/address').address;

/** The API of the nodes, cached, and the streams of their blocks. */
export function tonRpcRoutes(deps: TonRpcDeps): Binding[] {
  const { limits, logger, networks = TON_NETWORKS } = deps;
  const opened = new Map(networks.map(network => [network, open(network, deps)]));
  // Calls to other networks are refused before.
  const of = (network: TonNetwork): ReturnType<typeof open> => opened.get(network)!;

  /** What nodes throw as the problem that it is for a caller. */
  async function fromNodes<T>(network: TonNetwork, answer: Promise<T>): Promise<T> {
    return answer.catch((error: unknown) => {
      throw problemOf(network, error, logger);
    });
  }

  const askerOf = (caller: Caller): Asker => ({
    caller: addressKey(caller.ip),
    admit: async () => limitAddress(await limits(), NODE_READS, caller),
  });

  async function asOf<Answer>(
    caller: Caller,
    { network, seqno }: { readonly network: TonNetwork; readonly seqno: string },
    readAt: (seqno: number) => NodeRead<Answer>,
  ) {
    const at = Number(seqno);
    const body = await fromNodes(network, of(network).gateway.asOf(at, readAt(at), askerOf(caller)));
    return body ? new Reply(body, FINAL) : new Reply(NO_BLOCK, NOT_YET);
  }

  async function page<Answer>(caller: Caller, network: TonNetwork, read: NodeRead<Answer>) {
    const body = await fromNodes(network, of(network).gateway.byHash(read, askerOf(caller)));
    if (!body)
      throw new Problem('transaction_not_found', 'No node has a transaction of this account with this hash.');
    return new Reply(body, FINAL);
  }

  return [
    bind(rpc.latestBlock, async ({ params: { network } }) => {
      const { body, ageMs } = await fromNodes(network, of(network).gateway.latest());
      return new Reply(body, ageMs === 0 ? A_SECOND : { ...NOT_YET, Age: String(Math.floor(ageMs / 1_000)) });
    }),
    bind(rpc.block, call => asOf(call, call.params, reads.readBlock)),
    bind(rpc.blockAtTime, async call => {
      const { network, utime } = call.params;
      const at = Number(utime);
      const { gateway } = of(network);
      const body = await fromNodes(network, gateway.atTime(at, reads.readBlockAtTime(at), askerOf(call)));
      if (!body) return new Reply(NO_BLOCK, NOT_YET);
      const { block } = await fromNodes(network, gateway.latest());
      return new Reply(body, at < block.now ? FINAL : A_SECOND);
    }),
    bind(rpc.account, call => {
      const account = accountOf(call.params);
      return asOf(call, call.params, seqno => reads.readAccount(seqno, account));
    }),
    bind(rpc.accountLite, call => {
      const account = accountOf(call.params);
      return asOf(call, call.params, seqno => reads.readAccountLite(seqno, account));
    }),
    bind(rpc.accountChanged, call => {
      const account = accountOf(call.params);
      return asOf(call, call.params, seqno => reads.readAccountChanged(seqno, account, call.params.lt));
    }),
    bind(rpc.networkConfig, call => asOf(call, call.params, reads.readConfig)),
    bind(rpc.configParameters, call =>
      asOf(call, call.params, seqno => reads.readConfig(seqno, call.params.ids)),
    ),
    bind(rpc.runMethod, call => {
      const account = accountOf(call.params);
      return asOf(call, call.params, seqno => reads.readMethod(seqno, account, call.params.method));
    }),
    bind(rpc.runMethodWithArguments, call => {
      const { method, args } = call.params;
      const account = accountOf(call.params);
      return asOf(call, call.params, seqno => reads.readMethod(seqno, account, method, args));
    }),
    bind(rpc.accountTransactions, call => {
      const { network, lt, hash } = call.params;
      return page(call, network, reads.readTransactions(accountOf(call.params), lt, hashOf(hash)));
    }),
    bind(rpc.parsedTransactions, call => {
      const { network, lt, hash } = call.params;
      const account = accountOf(call.params);
      return page(call, network, reads.readParsedTransactions(account, lt, hashOf(hash), call.query.count));
    }),
    bind(rpc.sendMessage, async call => {
      const { network } = call.params;
      await limitAddress(await limits(), MESSAGES, call);
      return { status: await fromNodes(network, of(network).nodes.send(decodeAnyBase64(call.body.boc)!)) };
    }),
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
  if (error instanceof TooManyWaiting)
    return new Problem(
      'upstream_unavailable',
      `Too many of your calls wait for the nodes of ${network}; try again.`,
      {
        retryAfter: RETRY_AFTER_SECONDS,
      },
    );
  if (error instanceof MessageRefused)
    return new Problem('message_refused', 'No node accepted the message; the account may have rejected it.');
  if (error instanceof ReadRefused)
    return new Problem('upstream_refused', `The nodes of ${network} refused: ${error.message}.`);
  logger.debug({ network, err: error }, 'no ton node answered');
  return new Problem('upstream_unavailable', `No node of ${network} answers; try again.`, {
    retryAfter: RETRY_AFTER_SECONDS,
  });
}
