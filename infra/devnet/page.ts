import { Router } from 'express';
import { networkName } from '../../contracts/network/network';
import { html, type Html } from '../../services/http/pages/html';
import { sendPage } from '../../services/http/pages/page';
import { describeDevnet, type DevnetDescription } from './describe';
import type { LocalNetworks } from './local-networks';
import { solanaControl } from './solana/control';
import { tonControl } from './ton/control';
import type { LocalTraffic } from './traffic';

/** `GET /devnet`: the local networks with the keys of their accounts, as a page for browsers and as JSON for programs. */
export function devnetPage(local: LocalNetworks, traffic: LocalTraffic): Router {
  const router = Router();
  router.get('/devnet', (request, response) => {
    const described = describeDevnet(local, traffic);
    response.vary('Accept');
    if (request.accepts(['json', 'html']) === 'html')
      sendPage(response, 'Local networks · Tidemark', page(described));
    else response.json(described);
  });
  return router.use(solanaControl(local.solana)).use(tonControl(local.ton));
}

/** The accounts and tokens that one needs to begin; the JSON has everything. */
function page({ notice, seeded, ton, solana, faucet, control }: DevnetDescription): Html {
  return html`<p class="muted"><a href="/">Tidemark</a></p>
    <h1>Local networks</h1>
    <p class="muted">${notice}</p>
    ${seeded ? html`` : html`<p>Accounts are still being made: load this page again.</p>`}
    ${ton.map(
      ({ network, endpoint, accounts = [], jettons = [] }) =>
        html`<h2>${networkName({ chain: 'ton', network })}</h2>
          <p>HTTP API v4: <code>${endpoint}</code></p>
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
          )}`,
    )}
    ${solana.map(
      ({ network, endpoint, accounts = [], mints = [] }) =>
        html`<h2>${networkName({ chain: 'solana', network })}</h2>
          <p>JSON-RPC: <code>${endpoint}</code></p>
          ${table(
            ['Account', 'Address', 'Secret key'],
            accounts.map(({ name, address, secretKey }) => [name, address, secretKey]),
          )}
          ${table(
            ['Token', 'Mint', 'Decimals'],
            mints.map(({ symbol, mint, decimals }) => [symbol, mint, decimals]),
          )}`,
    )}
    <h2>Coins</h2>
    ${instructions(faucet)}
    <h2>Time and forks</h2>
    ${instructions(control)}
    <p class="muted">
      Programs get all of this, and more, as JSON: <code>curl</code> the address of this page.
    </p>`;
}

const instructions = (texts: Readonly<Record<string, string>>): Html =>
  table(['What', 'How'], Object.entries(texts));

/** Nothing without rows. */
function table(header: readonly string[], rows: readonly (readonly (string | number)[])[]): Html {
  if (rows.length === 0) return html``;
  return html`<table>
    <tr>
      ${header.map(name => html`<th>${name}</th>`)}
    </tr>
    ${rows.map(
      row =>
        html`<tr>
          ${row.map(cell => html`<td><code>${cell}</code></td>`)}
        </tr>`,
    )}
  </table>`;
}
