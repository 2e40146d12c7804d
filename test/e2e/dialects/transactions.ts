import { formatTonAddress } from '../../../contracts/account/address';
import { get, post, type Row } from './requests';

const DECIMAL = expect.stringMatching(/^\d+$/);
const GAS_PRICES = expect.objectContaining({ gasPrice: DECIMAL, gasLimit: DECIMAL, flatPrice: DECIMAL });
const MESSAGE_PRICES = expect.objectContaining({ lumpPrice: DECIMAL, bitPrice: DECIMAL, cellPrice: DECIMAL });
const ELECTION = { id: expect.any(Number), totalStake: DECIMAL, bonuses: DECIMAL };

/** The rows of "TON: transactions, status, configuration, contracts". */
export const TRANSACTION_ROWS: readonly Row[] = [
  {
    row: 'GET /transactions/{address}',
    accepts: ({ historyV1 }) => historyV1,
    async ask({ owner, last }) {
      const { lt, hash } = await last();
      return {
        app: post(`/transactions/${owner}`, { lt, hash }),
        spec: get(`/transactions/${owner}`),
        says: { transactions: expect.arrayContaining([expect.objectContaining({ lt, hash })]) },
      };
    },
  },
  {
    row: 'GET /transactions/v2/{address}',
    accepts: ({ historyV2 }) => historyV2,
    async ask({ owner, last }) {
      const { lt, hash } = await last();
      return {
        app: post(`/transactions/v2/${owner}`, { cursor: { ton: { lt, hash } } }),
        spec: get(`/transactions/v2/${owner}`),
        says: {
          data: expect.arrayContaining([{ type: 'ton', data: expect.objectContaining({ lt, hash }) }]),
        },
      };
    },
  },
  {
    row: 'POST /transactions/v3',
    accepts: ({ historyV3 }) => historyV3,
    async ask({ network, owner, solana, last }) {
      const ton = await last();
      const account = { tonAddress: owner, solanaAddress: solana };
      return {
        app: post('/transactions/v3', {
          account,
          network,
          cursor: { ton, solana: { before: null } },
          limit: 32,
        }),
        spec: post('/transactions/v3', { account, network, cursor: {}, limit: 32 }),
        says: {
          data: expect.arrayContaining([
            { type: 'ton', data: expect.objectContaining(ton) },
            { type: 'solana', data: expect.anything() },
          ]),
        },
      };
    },
  },
  {
    row: 'POST /ton/transactions/status/{network}',
    accepts: ({ transactionStatus }) => transactionStatus,
    async ask({ network, sent }) {
      const { messageHash, hash } = await sent();
      return {
        app: post(`/ton/transactions/status/${network}`, { txHash: messageHash }),
        spec: post(`/ton/transactions/status/${network}`, { txHash: hash }),
        says: { found: true, inProgress: false, status: 'confirmed', success: true },
      };
    },
  },
  {
    row: 'POST /ton/transactions/status/{network}, of a message that nobody has sent',
    accepts: ({ transactionStatus }) => transactionStatus,
    ask({ network }) {
      const asked = post(`/ton/transactions/status/${network}`, { txHash: 'ab'.repeat(32) });
      return { app: asked, spec: asked, says: { found: false, inProgress: true, status: 'processing' } };
    },
  },
  {
    row: 'GET /config',
    accepts: ({ config }) => config,
    ask: ({ network }) => ({
      app: get(network === 'mainnet' ? '/config' : '/config?network=testnet'),
      spec: get(`/config?network=${network}`),
      says: {
        network,
        config: {
          storage: expect.arrayContaining([expect.objectContaining({ bit: DECIMAL, cell: DECIMAL })]),
          gas: { masterchain: GAS_PRICES, workchain: GAS_PRICES },
          messages: { masterchain: MESSAGE_PRICES, workchain: MESSAGE_PRICES },
          limits: expect.objectContaining({ maxBits: expect.any(Number), maxCells: expect.any(Number) }),
        },
      },
    }),
  },
  {
    row: 'GET /config/{address}',
    accepts: ({ walletConfig }) => walletConfig,
    ask: ({ owner, rawOwner, network }) => ({
      app: get(`/config/${owner}`),
      spec: get(`/config/${rawOwner}?network=${network}`),
      says: { version: 'v5r1', type: 'wallet', messagesPerTransaction: 255 },
    }),
  },
  ...(
    [
      ['a wallet', ({ owner }) => owner, { kind: 'wallet', version: 'v5r1' }],
      ['a jetton master', ({ jetton }) => jetton.master, { kind: 'jetton-master' }],
      ['a jetton wallet', ({ jetton }) => jetton.wallet, { kind: 'jetton-wallet' }],
      ['an NFT item', ({ item }) => item, { kind: 'nft-item' }],
    ] as const satisfies readonly (readonly [string, (world: Parameters<Row['ask']>[0]) => string, object])[]
  ).map(([what, addressOf, says]): Row => ({
    row: `GET /contract/info/{address}, of ${what}`,
    accepts: ({ contractInfo }) => contractInfo,
    ask(world) {
      const asked = get(`/contract/info/${addressOf(world)}`);
      return {
        app: asked,
        spec: asked,
        says: { ...says, name: expect.any(String), state: 'active', codeHash: expect.any(String) },
      };
    },
  })),
  {
    row: 'GET /contract/info/{address}, of an address where nothing is',
    accepts: ({ contractInfo }) => contractInfo,
    ask({ network }) {
      const asked = get(`/contract/info/${formatTonAddress(`0:${'07'.repeat(32)}`, network)}`);
      return { app: asked, spec: asked, says: null };
    },
  },
  {
    row: 'GET /metadata/{address}, of a jetton master',
    accepts: ({ contractMetadata }) => contractMetadata,
    ask({ jetton: { master } }) {
      const asked = get(`/metadata/${master}`);
      const says = {
        name: 'Local Dollar',
        symbol: 'LOCAL',
        image: 'https://local.invalid/local.png',
        jettonMaster: { totalSupply: '5000000000000', mintalbe: true, content: { type: 'onchain' } },
      };
      return { app: asked, spec: asked, says };
    },
  },
  {
    row: 'GET /metadata/{address}, of a jetton wallet',
    accepts: ({ contractMetadata }) => contractMetadata,
    ask({ jetton: { wallet, master } }) {
      const asked = get(`/metadata/${wallet}`);
      return {
        app: asked,
        spec: asked,
        says: { jettonWallet: { balance: DECIMAL, master, address: wallet } },
      };
    },
  },
  {
    row: 'GET /net/{network}/elections/latest',
    accepts: ({ latestElections }) => latestElections,
    ask: ({ network }) => ({
      app: get(`/net/${network === 'mainnet' ? network : 'sandbox'}/elections/latest`),
      spec: get(`/net/${network}/elections/latest`),
      says: { elections: expect.arrayContaining([expect.any(Number)]) },
    }),
  },
  {
    row: 'GET /net/{network}/elections/{id}',
    accepts: ({ election }) => election,
    async ask({ network, election }) {
      const id = await election();
      return {
        app: get(`/net/${network === 'mainnet' ? network : 'sandbox'}/elections/${id}`),
        spec: get(`/net/${network}/elections/${id}`),
        says: { election: { ...ELECTION, id } },
      };
    },
  },
  {
    row: 'GET /net/{network}/elections/latest/apy',
    accepts: ({ apy }) => apy,
    ask: ({ network }) => ({
      app: get(`/net/${network}/elections/latest/apy`),
      spec: get(`/net/${network === 'mainnet' ? network : 'sandbox'}/elections/latest/apy`),
      says: { apy: expect.stringMatching(/^\d+\.\d+$/) },
    }),
  },
];
