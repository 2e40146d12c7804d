import { Address, beginCell, Cell, Dictionary, serializeTuple, TupleReader, type TupleItem } from '@ton/core';
import { TonClient4, type TonClient4Parameters } from '@ton/ton';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { atMost } from '../../../contracts/engine/cache-bounds';
import type { NetworkIdentity, VerifiedSources } from '../../../contracts/network/network-identity';
import { isBehind } from '../../../contracts/chain/ton-block-age';
import { isSmallTree } from '../../../contracts/chain/ton-cells';
import {
  GetMethodFailed,
  type TonAccountLite,
  type TonAccountState,
  type TonClient,
} from '../../../contracts/ports/ton-client';
import { redactedUrl } from '../../../contracts/url/redacted-url';
import { createSourceVerifier, unreadable, UNVERIFIED } from '../../../contracts/source-verifier';
import { COMPRESSED, HttpError, ResponseTooLarge, retryAfterMs } from '../../../indexers/http-response';
import { createOutageLog } from '../../../indexers/outage-log';
import { zerostateOf } from '../../../indexers/ton/v4-source/zerostate';
import { createFailover, type Failover } from '../failover';
import { createForkDetector } from './fork-detector';
import { withoutTrailingSlashes } from '../../../contracts/url/trailing-slashes';

export interface TonClientOptions {
  /** Base URLs of servers of the HTTP API v4, all of one network. */
  readonly urls: readonly string[];
  /** What each of them must be; default: they are not asked. */
  readonly identity?: NetworkIdentity;
  readonly logger: Logger;
  /** For one call; default 10,000. */
  readonly timeoutMs?: number;
  /** Maximum attempts of a call, each on the next server; default 4. */
  readonly attempts?: number;
  /** Before the second attempt, growing from there; default 200. */
  readonly backoffMs?: number;
  /** Calls at a time; default 32. */
  readonly maxConcurrent?: number;
  /** Answers about past blocks that are cached; default 5,000. */
  readonly maxCached?: number;
  readonly signal: AbortSignal;
}

/** HTTP statuses that are the same on every server. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 422]);

const isRefusal = (error: unknown): boolean =>
  error instanceof UnreadableStack ||
  error instanceof NoSuchBlock ||
  (error instanceof HttpError && REFUSALS.has(error.status));

/** A get method has returned more than can be read; it returns the same on every server. */
class UnreadableStack extends Error {}

class NoSuchBlock extends Error {}

class ServerBehind extends Error {
  override readonly message = 'its newest block is minutes old, and that of another server is not';
}

/** Of an account that anybody may name: servers answer 500 to what they cannot find, run or send, such as a stack with a continuation. */
class AccountUnanswered extends HttpError {}

const FAILED = 500;

/** Any answer names its block. */
const ANY_ACCOUNT = new Address(-1, Buffer.alloc(32));

/** Of the stack that a get method returns, each counted as often as it is used. */
const MAX_STACK_CELLS = 65_536;

/** Several servers of one network as one, over `TonClient4`. */
export function createTonClient(options: TonClientOptions): TonClient & VerifiedSources {
  const { urls, identity, logger, timeoutMs = 10_000, maxCached = 5_000 } = options;
  const servers = urls.map(url => openServer(withoutTrailingSlashes(url), timeoutMs, identity));
  const outages = createOutageLog(logger, 'ton server', 'url');
  const failover = createFailover({
    ...options,
    endpoints: servers,
    isRefusal,
    mayBeOfCall: error => error instanceof AccountUnanswered || error instanceof ResponseTooLarge,
    pauseMs: error => (error instanceof HttpError ? error.retryAfterMs : null),
    onFailure: ({ url }, error) => outages.failed(redactedUrl(url), error),
    onAnswer: ({ url }, began) => outages.answered(redactedUrl(url), began),
  });
  const run = <T>(call: (api: TonClient4) => Promise<T>): Promise<T> =>
    failover.run(({ api, verifier }) => verifier.verified(() => withoutRequests(call(api))));

  const cache = new LRUCache<string, object, () => Promise<object>>({
    ...atMost(maxCached),
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: read }) => read(),
  });
  const forks = createForkDetector(seqno =>
    run(async api => (await api.isAccountChanged(seqno, ANY_ACCOUNT, 0n)).block.rootHash),
  );
  /** Answers that change only with a fork; calls for the same one at once are one call. */
  const cached = async <T extends object>(key: readonly unknown[], read: () => Promise<T>): Promise<T> =>
    (await cache.fetch([forks.count, ...key].join('/'), { context: read })) as T;

  const getLastBlock: TonClient['getLastBlock'] = async () => {
    const { last, now } = await newestBlock(servers, failover, {
      async read({ api, verifier }) {
        const latest = await withoutRequests(api.getLastBlock());
        // The response names the identity.
        if (identity) await verifier.check(zerostateOf(latest));
        return latest;
      },
      onBehind: ({ url }) => outages.failed(redactedUrl(url), new ServerBehind()),
    });
    await forks.look(last);
    return { seqno: last.seqno, now };
  };
  const runMethod: TonClient['runMethod'] = async (seqno, address, method, args = []) => {
    const given =
      args.length === 0
        ? ''
        : serializeTuple([...args])
            .hash()
            .toString('hex');
    const items = await cached(['run', seqno, address, method, given], async () => {
      const contract = Address.parseRaw(address);
      const { exitCode, result } = await run(api =>
        ofAccount(api.runMethod(seqno, contract, method, [...args])),
      );
      if (exitCode !== 0 && exitCode !== 1) throw new GetMethodFailed(method, exitCode);
      return result;
    });
    return new TupleReader([...items]);
  };

  return {
    async verifySources() {
      await Promise.all(servers.map(({ verifier }) => verifier.verify().catch(() => undefined)));
    },
    unreadableSources: () => unreadable(servers),
    getLastBlock,
    async getBlockAt(utime) {
      try {
        const { seqno } = await cached(['block-at', utime], () => run(api => blockAt(api, utime)));
        return seqno;
      } catch (error) {
        if (error instanceof NoSuchBlock) return null;
        throw error;
      }
    },
    runMethod,
    getAccount: (seqno, address) =>
      cached(['account', seqno, address], async () => {
        const { account } = await run(api => ofAccount(api.getAccount(seqno, Address.parseRaw(address))));
        return accountState(account);
      }),
    getAccountLite: (seqno, address) =>
      cached(['account-lite', seqno, address], async () => {
        const { account } = await run(api => ofAccount(api.getAccountLite(seqno, Address.parseRaw(address))));
        return accountLite(account);
      }),
    getConfig: (seqno, parameters) =>
      cached(['config', seqno, parameters], async () => {
        const { config } = await run(api => api.getConfig(seqno, parameters && [...parameters]));
        const cell = Cell.fromBase64(config.cell);
        return new Map(Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), cell));
      }),
    async sendMessage(boc) {
      await run(api => api.sendMessage(boc));
    },
    async getJettonWallet(master, owner, seqno) {
      const { wallet } = await cached(['jetton-wallet', master, owner], async () => {
        const block = seqno ?? (await getLastBlock()).seqno;
        const argument: TupleItem = {
          type: 'slice',
          cell: beginCell().storeAddress(Address.parseRaw(owner)).endCell(),
        };
        const result = await runMethod(block, master, 'get_wallet_address', [argument]);
        return { wallet: result.readAddress().toRawString() };
      });
      return wallet;
    },
  };
}

type LatestBlock = Awaited<ReturnType<TonClient4['getLastBlock']>>;

interface LatestReads {
  read(server: Server): Promise<LatestBlock>;
  /** Called with each server that is behind where another one is not. */
  onBehind(server: Server): void;
}

/** Of the server in use; one that is behind is passed over where another one is not, and all calls go there from then on. */
async function newestBlock(
  servers: readonly Server[],
  { run, passOver }: Pick<Failover<Server>, 'run' | 'passOver'>,
  { read, onBehind }: LatestReads,
): Promise<LatestBlock> {
  const behind: { readonly server: Server; readonly latest: LatestBlock }[] = [];
  while (behind.length < servers.length) {
    const found = await run(async server => ({ server, latest: await read(server) })).catch(
      (error: unknown) => {
        if (behind.length === 0) throw error;
        return null;
      },
    );
    if (!found) break;
    if (!isBehind(found.latest, new Date())) {
      for (const { server } of behind) onBehind(server);
      return found.latest;
    }
    behind.push(found);
    passOver(found.server);
  }
  return behind
    .map(({ latest }) => latest)
    .reduce((best, each) => (each.last.seqno > best.last.seqno ? each : best));
}

/** What is asked of an account. @throws AccountUnanswered */
function ofAccount<T>(call: Promise<T>): Promise<T> {
  return withoutRequests(call).catch((error: unknown) => {
    throw error instanceof HttpError && error.status === FAILED ? new AccountUnanswered(FAILED) : error;
  });
}

/** @throws NoSuchBlock */
async function blockAt(api: TonClient4, utime: number): Promise<{ readonly seqno: number }> {
  const { shards } = await api.getBlockByUtime(utime).catch((error: unknown) => {
    throw (error as Error).message === 'Block is out of scope' ? new NoSuchBlock() : error;
  });
  const masterchain = shards.find(({ workchain }) => workchain === -1);
  if (!masterchain) throw new Error(`the block of ${utime} has no masterchain`);
  return masterchain;
}

/** Of one answer: the account of a pool with 10,000 members has about 1.5 MB. Anybody can deploy one with 8 MB. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** Of all requests of `TonClient4`: axios decompresses, but has no bound of its own. */
const compressed: NonNullable<TonClient4Parameters['requestInterceptor']> = config => {
  config.headers.set(COMPRESSED);
  config.maxContentLength = MAX_ANSWER_BYTES;
  const parse = [config.transformResponse ?? []].flat();
  config.transformResponse = [
    (data: unknown) => (typeof data === 'string' ? withTextAmounts(data) : data),
    ...parse,
    (data: unknown) => {
      refuseUnreadableStack(data);
      return data;
    },
  ];
  return config;
};

/** A contract may return a few cells that use each other without end: `TonClient4` would never finish to read them. */
function refuseUnreadableStack(data: unknown): void {
  const { resultRaw } = (data ?? {}) as { readonly resultRaw?: unknown };
  if (typeof resultRaw !== 'string') return;
  if (Cell.fromBoc(Buffer.from(resultRaw, 'base64')).every(root => isSmallTree(root, MAX_STACK_CELLS)))
    return;
  throw new UnreadableStack('the stack has too many cells');
}

/**
 * The open-source server answers with numbers for amounts of extra currencies: `TonClient4` refuses every account that has
 * some, and parsed they would lose digits.
 */
function withTextAmounts(json: string): string {
  return json.replace(/"currencies"\s*:\s*\{[^{}]*\}/g, currencies =>
    currencies.replace(/:\s*(\d+)(?=\s*[,}])/g, ':"$1"'),
  );
}

type Server = ReturnType<typeof openServer>;

function openServer(url: string, timeout: number, identity: NetworkIdentity | undefined) {
  const api = new TonClient4({ endpoint: url, timeout, requestInterceptor: compressed });
  const verifier = identity
    ? createSourceVerifier({
        ask: async () => zerostateOf(await withoutRequests(api.getLastBlock())),
        check: found => identity.check(url, found),
        isRefusal,
      })
    : UNVERIFIED;
  return { url, api, verifier };
}

/** A call whose errors come without the request and response that axios attaches: too large to log, and the server's to write. */
function withoutRequests<T>(call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    throw withoutRequest(error);
  });
}

/** What has no request in it. */
const KNOWN = [UnreadableStack, NoSuchBlock, HttpError, ResponseTooLarge];

function withoutRequest(error: unknown): Error {
  if (KNOWN.some(known => error instanceof known)) return error as Error;
  const { response, message, code } = error as {
    response?: { status: number; headers: Record<string, unknown> };
    message?: string;
    code?: string;
  };
  if (message?.startsWith('maxContentLength')) return new ResponseTooLarge(MAX_ANSWER_BYTES);
  if (!response) return Object.assign(new Error(message ?? String(error)), code !== undefined && { code });
  return new HttpError(response.status, retryAfterMs(response.headers['retry-after']));
}

type ApiAccount = Awaited<ReturnType<TonClient4['getAccount']>>['account'];
type ApiAccountLite = Awaited<ReturnType<TonClient4['getAccountLite']>>['account'];

function accountState(account: ApiAccount): TonAccountState {
  const { state } = account;
  const cell = (base64: string | null): Cell | null => (base64 === null ? null : Cell.fromBase64(base64));
  return {
    ...known(account),
    currencies: account.balance.currencies,
    code: state.type === 'active' ? cell(state.code) : null,
    data: state.type === 'active' ? cell(state.data) : null,
  };
}

function accountLite(account: ApiAccountLite): TonAccountLite {
  const { state } = account;
  return {
    ...known(account),
    codeHash: state.type === 'active' ? state.codeHash : null,
    dataHash: state.type === 'active' ? state.dataHash : null,
  };
}

/** Newer nodes no longer count public cells. */
function storageOf({
  lastPaid,
  duePayment,
  used,
}: NonNullable<ApiAccountLite['storageStat']>): TonAccountLite['storage'] {
  const { bits, cells, publicCells = 0 } = used;
  return {
    lastPaid,
    duePayment: duePayment === null ? null : BigInt(duePayment),
    used: { bits, cells, publicCells },
  };
}

const known = ({ balance, state, last, storageStat }: ApiAccount | ApiAccountLite) => ({
  balance: BigInt(balance.coins),
  status: state.type === 'uninit' ? ('uninitialized' as const) : state.type,
  lastTransaction: last,
  stateHash: state.type === 'frozen' ? state.stateHash : null,
  storage: storageStat && storageOf(storageStat),
});
