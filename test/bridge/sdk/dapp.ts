import { TonConnect, type IStorage } from '@tonconnect/sdk';
import type { Bridge } from '../client/request';

/** Storage of a page, which stays when the page is loaded again. @param written before writes are done */
export function pageStorage(written: Promise<void> = Promise.resolve()): IStorage {
  const items = new Map<string, string>();
  return {
    setItem: async (key, value) => {
      await written;
      items.set(key, value);
    },
    getItem: async key => items.get(key) ?? null,
    removeItem: async key => void items.delete(key),
  };
}

/** The list of wallets from which users of a dApp choose: one, which uses the bridge. */
const walletsList = ({ url }: Bridge): object[] => [
  {
    app_name: 'example',
    name: 'Example wallet',
    image: 'https://wallet.example/icon.png',
    about_url: 'https://wallet.example',
    universal_url: 'https://wallet.example/ton-connect',
    bridge: [{ type: 'sse', url }],
    platforms: ['ios', 'android'],
    features: [
      { name: 'SendTransaction', maxMessages: 4, extraCurrencySupported: false },
      { name: 'SignData', types: ['text', 'binary', 'cell'] },
    ],
  },
];

/** A dApp as its page loads it. */
export function loadDapp(bridge: Bridge, storage: IStorage = pageStorage()): TonConnect {
  return new TonConnect({
    manifestUrl: 'https://dapp.example/tonconnect-manifest.json',
    storage,
    walletsListSource: `data:application/json,${encodeURIComponent(JSON.stringify(walletsList(bridge)))}`,
    analytics: { mode: 'off' },
  });
}

/** Begins to connect, with the wallet of the list. @returns the link that a wallet opens */
export async function connectionLink(dapp: TonConnect, tonProof: string): Promise<string> {
  const [wallet] = await dapp.getWallets();
  if (!wallet || !('bridgeUrl' in wallet)) throw new Error('the list of wallets was not understood');
  const { bridgeUrl, universalLink } = wallet;
  return dapp.connect({ bridgeUrl, universalLink }, { request: { tonProof } });
}
