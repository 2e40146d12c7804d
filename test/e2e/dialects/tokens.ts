import { get, post, testnetQuery, type Row } from './requests';

const DECIMAL = expect.stringMatching(/^\d+$/);
const LOCAL = {
  name: 'Local Dollar',
  symbol: 'LOCAL',
  decimals: 6,
};
const IMAGE = 'https://local.invalid/local.png';

/** The rows of "TON tokens", and the NFT items that the app asks for. */
export const TOKEN_ROWS: readonly Row[] = [
  {
    row: 'GET /hints/{address}?version=1',
    accepts: ({ hints }) => hints,
    ask: world => ({
      app: get(`/hints/${encodeURIComponent(world.owner)}?version=1`),
      spec: get(`/hints/${world.rawOwner}?version=1&isTestnet=${world.network === 'testnet'}`),
      says: { hints: expect.arrayContaining([world.jetton.master]) },
    }),
  },
  {
    row: 'GET /hints/full/{address}',
    accepts: ({ fullHints }) => fullHints,
    ask: world => ({
      app: get(`/hints/full/${encodeURIComponent(world.owner)}${testnetQuery(world)}`),
      spec: get(`/hints/full/${world.rawOwner}?isTestnet=${world.network === 'testnet'}`),
      says: {
        hints: expect.arrayContaining([
          expect.objectContaining({
            balance: DECIMAL,
            walletAddress: expect.objectContaining({ address: world.jetton.wallet, isScam: false }),
            jetton: expect.objectContaining({
              ...LOCAL,
              address: world.jetton.master,
              image: IMAGE,
              verification: expect.any(String),
            }),
          }),
        ]),
        addressesIndex: {
          [world.jetton.master]: expect.any(Number),
          [world.jetton.wallet]: expect.any(Number),
        },
      },
    }),
  },
  {
    row: 'GET /hints/extra/{address}',
    accepts: ({ extraHints }) => extraHints,
    ask: world => ({
      app: get(`/hints/extra/${world.owner}${testnetQuery(world)}`),
      spec: get(`/hints/extra/${world.owner}`),
      says: [{ amount: DECIMAL, preview: { id: world.extraCurrency } }],
    }),
  },
  {
    row: 'GET /jettons/metadata?address={master}',
    accepts: ({ jettonMetadata }) => jettonMetadata,
    ask: ({ jetton: { master, rawMaster }, network }) => ({
      app: get(`/jettons/metadata?address=${master}`),
      spec: get(`/jettons/metadata?address=${rawMaster}&isTestnet=${network === 'testnet'}`),
      says: { ...LOCAL, originalImage: IMAGE },
    }),
  },
  {
    row: 'POST /jettons/wallet/address',
    accepts: ({ jettonWalletAddress }) => jettonWalletAddress,
    ask({ owner, network, seqno, jetton: { master, wallet } }) {
      const isTestnet = network === 'testnet';
      return {
        app: post('/jettons/wallet/address', { address: owner, master, isTestnet, seqno }),
        spec: post('/jettons/wallet/address', { address: owner, master, isTestnet, seqno }),
        says: { address: wallet },
      };
    },
  },
  {
    row: 'GET /jettons/wallet/{walletAddress}',
    accepts: ({ jettonWallet }) => jettonWallet,
    ask: world => ({
      app: get(`/jettons/wallet/${world.jetton.wallet}${testnetQuery(world, `seqno=${world.seqno}`)}`),
      spec: get(`/jettons/wallet/${world.jetton.wallet}?isTestnet=${world.network === 'testnet'}`),
      says: { balance: DECIMAL, master: world.jetton.master, metadata: LOCAL },
    }),
  },
  {
    row: 'POST /jettons/wallet/transactions',
    accepts: ({ jettonTransfers }) => jettonTransfers,
    ask: ({ owner, network, jetton: { master, wallet } }) => ({
      app: post('/jettons/wallet/transactions', {
        address: owner,
        master,
        isTestnet: network === 'testnet',
        limit: 16,
      }),
      // The specification names the address alone, and speaks of the history of a token wallet.
      spec: post('/jettons/wallet/transactions', { address: wallet }),
      says: expect.arrayContaining([
        expect.objectContaining({ jetton_master: master, amount: DECIMAL, transaction_aborted: false }),
      ]),
    }),
  },
  {
    row: 'GET /jettons/rates/{key}?isTestnet=',
    accepts: ({ jettonRates }) => jettonRates,
    ask: ({ network, jetton: { master, rawMaster } }) => ({
      app: get(`/jettons/rates/${encodeURIComponent(rawMaster)}?isTestnet=${network === 'testnet'}`),
      spec: get(`/jettons/rates/${master}?isTestnet=${network === 'testnet'}`),
      says: { USD: expect.any(Number), EUR: expect.any(Number) },
    }),
  },
  {
    row: 'GET /mintless/jettons/{address}',
    accepts: ({ mintlessJettons }) => mintlessJettons,
    ask: world => ({
      app: get(`/mintless/jettons/${world.owner}`),
      spec: get(`/mintless/jettons/${world.rawOwner}?isTestnet=${world.network === 'testnet'}`),
      says: [{ balance: '500000000', jetton: { symbol: 'LESS' }, extensions: ['custom_payload'] }],
    }),
  },
  {
    row: 'GET /mintless/jettons/..., of a payload',
    accepts: ({ jettonPayload }) => jettonPayload,
    ask({ mintless, owner }) {
      const path = `/mintless/jettons/${mintless}/transfer/${owner}/payload`;
      const server = encodeURIComponent('https://not.used.example/');
      return {
        app: get(`${path}?customPayloadApiUri=${server}`),
        spec: get(path),
        says: { customPayload: expect.any(String), stateInit: expect.any(String) },
      };
    },
  },
  {
    row: 'GET /nfts/{address}, which is the app’s alone',
    accepts: ({ nfts }) => nfts,
    ask: ({ owner, item, collection }) => ({
      app: get(`/nfts/${owner}?first=10&after=`),
      spec: get(`/nfts/${owner}`),
      says: {
        data: {
          items: expect.arrayContaining([
            expect.objectContaining({
              address: item,
              collection: expect.objectContaining({ id: collection }),
            }),
          ]),
        },
      },
    }),
  },
];
