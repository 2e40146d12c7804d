import { networkName } from '../../contracts/network/network';
import { html, type Html } from '../../services/http/pages/html';
import type { DevnetDescription } from './describe';

/** What a TON network has, once it is there. */
export function tonSection(of: DevnetDescription['ton'][number]): Html {
  const { network, endpoint, faucet, accounts = [], jettons = [], nfts = [], extraCurrency } = of;
  return html`<h2>${networkName({ chain: 'ton', network })}</h2>
    ${places([
      ['HTTP API v4', endpoint],
      ['Faucet', faucet],
    ])}
    ${table(
      ['Account', 'Address', 'Words of its wallet'],
      accounts.map(({ name, address, walletVersion, mnemonic }) => [
        `${name} (${walletVersion})`,
        address,
        mnemonic,
      ]),
    )}
    ${table(
      ['Jetton', 'Master', 'Decimals'],
      jettons.map(({ name, symbol, master, decimals }) => [`${name} (${symbol})`, master, decimals]),
    )}
    ${table(
      ['NFTs', 'Address'],
      nfts.flatMap(({ name, collection, items }) => [
        [`${name}, the collection`, collection],
        ...items.map((item, index) => [`${name}, item ${index}`, item]),
      ]),
    )}
    ${table(['Contract', 'Address'], contractsOf(of))}
    ${extraCurrency === undefined ? html`` : html`<p>Extra currency: <code>${extraCurrency}</code></p>`}`;
}

function contractsOf(of: DevnetDescription['ton'][number]): [name: string, address: string][] {
  const { jettons = [], dex, stakingPools = [], liquidStakingPool, usde } = of;
  const symbolOf = (jetton: string) => jettons.find(({ master }) => master === jetton)?.symbol ?? jetton;
  const contracts: [string, string | undefined][] = [
    ['Exchange, the factory', dex?.factory],
    ...(dex?.pools ?? []).map(({ jetton, pool }): [string, string] => [
      `Exchange, the pool of ${symbolOf(jetton)}`,
      pool,
    ]),
    ['USDe', usde?.master],
    ['Staked USDe', usde?.stakedMaster],
    ['Vault of USDe', usde?.vault],
    ['Liquid staking pool', liquidStakingPool],
    ...stakingPools.map((pool, index): [string, string] => [`Staking pool ${index + 1}`, pool]),
  ];
  return contracts.filter((each): each is [string, string] => each[1] !== undefined);
}

/** What a Solana network has, once it is there. */
export function solanaSection(of: DevnetDescription['solana'][number]): Html {
  const { network, endpoint, websocket, accounts = [], mints = [], faucet, lookupTable } = of;
  const authority = faucet && [{ ...faucet.account, name: 'faucet, which mints all tokens' }];
  return html`<h2>${networkName({ chain: 'solana', network })}</h2>
    ${places([
      ['JSON-RPC, also the faucet', endpoint],
      ['WebSocket', websocket],
    ])}
    ${table(
      ['Account', 'Address', 'Secret key'],
      [...accounts, ...(authority ?? [])].map(({ name, address, secretKey }) => [name, address, secretKey]),
    )}
    ${table(
      ['Token', 'Mint', 'Decimals'],
      mints.map(({ symbol, mint, decimals }) => [symbol, mint, decimals]),
    )}
    ${lookupTable === undefined ? html`` : html`<p>Address lookup table: <code>${lookupTable}</code></p>`}`;
}

const places = (of: readonly (readonly [name: string, url: string | undefined])[]): Html =>
  html`${of.map(([name, url]) => (url === undefined ? html`` : html`<p>${name}: <code>${url}</code></p>`))}`;

/** Nothing without rows. */
export function table(header: readonly string[], rows: readonly (readonly (string | number)[])[]): Html {
  if (rows.length === 0) return html``;
  return html`<table>
    <tr>
      ${header.map(name => html`<th>${name}</th>`)}
    </tr>
    ${rows.map(
      ([name, ...values]) =>
        html`<tr>
          <td>${name!}</td>
          ${values.map(value => html`<td><code>${value}</code></td>`)}
        </tr>`,
    )}
  </table>`;
}
