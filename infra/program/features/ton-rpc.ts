import { MEBIBYTE } from '../../config/bytes';
import { WAIT_BYTES } from '../memory-use';
import { NODE_READS, MESSAGES } from '../../../contracts/http/ton/rpc';
import { TON_NETWORKS } from '../../../contracts/network/network';
import { MAX_RPC_ANSWER_BYTES } from '../../engines/ton-nodes/v4-node';
import { MAX_WAITING_NODE_READS, NODE_READS_AT_ONCE } from '../../../services/ton-rpc/gateway';
import { tonRpcRoutes } from '../../../services/ton-rpc/routes';
import type { Feature } from '../feature';
import { rateLimits } from '../requests/rate-limits';
import { count, port } from '../../config/settings';

const settings = {
  /** Of cached answers, for each network. */
  TON_RPC_CACHE_MEBIBYTES: count.min(1).default(32),
  TON_RPC_PORT_MAINNET: port.optional(),
  TON_RPC_PORT_TESTNET: port.optional(),
};

const ANSWERS = `What other servers send is not measured: as many answers as are read at a time have as many bytes as they may.`;

/** The RPC node: the HTTP API v4 of the configured nodes, cached. */
export const tonRpc: Feature = {
  name: 'ton-rpc',
  settings,
  quotas: [NODE_READS, MESSAGES],
  bounds: [
    {
      of: 'calls that a process has TON nodes answer at a time, for each network',
      owner: 'all callers of the TON RPC node',
      max: `${NODE_READS_AT_ONCE}, and ${MAX_WAITING_NODE_READS.toLocaleString('en')} that wait`,
      share:
        'a quarter; callers take turns, each with its oldest call; what several wait for comes with the first turn',
      beyond: '503 `upstream_unavailable` for the newest of the caller with most',
      attack: {
        file: 'services/ton-rpc/gateway.test.ts',
        test: 'are asked by one caller a share of the questions at a time, while that of another is answered',
      },
    },
    {
      of: 'answers of the TON RPC node in memory',
      owner: 'all callers',
      max: '`TON_RPC_CACHE_MEBIBYTES` for each network',
      share: 'no share',
      beyond: 'the least recently used is removed',
      attack: {
        file: 'services/ton-rpc/gateway.test.ts',
        test: 'answers that a stranger asks for fill the cache and not the memory, and an honest call is answered',
      },
    },
  ],
  memory: [
    {
      of: 'calls of TON nodes that wait, of two networks',
      max: TON_NETWORKS.length * MAX_WAITING_NODE_READS,
      bytesEach: WAIT_BYTES,
      besideConnection: true,
    },
    {
      of: 'answers that TON nodes are sending, of two networks',
      max: TON_NETWORKS.length * NODE_READS_AT_ONCE,
      bytesEach: MAX_RPC_ANSWER_BYTES,
      measured: ANSWERS,
    },
    {
      of: 'mebibytes of answers of the TON RPC node, which two networks have each',
      max: { setting: 'TON_RPC_CACHE_MEBIBYTES' },
      bytesEach: TON_NETWORKS.length * MEBIBYTE,
    },
  ],
  routes: ({ config, sources, networks, logger, use }) =>
    tonRpcRoutes({
      networks: networks.followed.ton,
      nodes: sources.tonNodes,
      limits: () => use(rateLimits),
      maxCachedBytes: config.of(settings).TON_RPC_CACHE_MEBIBYTES * MEBIBYTE,
      logger,
    }),
  hosts: config =>
    TON_NETWORKS.flatMap(network => {
      const setting = `TON_RPC_PORT_${network === 'mainnet' ? 'MAINNET' : 'TESTNET'}` as const;
      const given = config.of(settings)[setting];
      return given === undefined ? [] : [{ role: 'api', basePath: `/rpc/${network}`, port: given, setting }];
    }),
};
