import { Router } from 'express';
import { html, type Html } from '../../services/http/pages/html';
import { sendPage } from '../../services/http/pages/page';
import { describeDevnet, type DevnetDescription } from './describe';
import type { LocalNetworks } from './local-networks';
import { solanaSection, table, tonSection } from './network-sections';
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

/** What one needs to begin; the JSON has everything. */
function page({ notice, seeded, ton, solana, faucet, control }: DevnetDescription): Html {
  const instructions = ['What', 'How'];
  return html`<p class="muted"><a href="/">Tidemark</a></p>
    <h1>Local networks</h1>
    <p class="muted">${notice}</p>
    ${seeded ? html`` : html`<p>Accounts are still being made: load this page again.</p>`}
    ${ton.map(tonSection)} ${solana.map(solanaSection)}
    <h2>Coins</h2>
    ${table(instructions, [
      ['TON, and its extra currency', faucet.ton],
      ['SOL', faucet.solana],
      ['Tokens of Solana', 'The account named faucet is the mint authority of all mints: mint with its key'],
    ])}
    <h2>Time and forks</h2>
    ${table(instructions, [
      ['Let time pass on TON', control.advance],
      ['Replace the newest blocks of Solana', control.fork],
      ['Leave slots of Solana without a block', control.skip],
    ])}
    <p class="muted">
      Programs get all of this, and more, as JSON: <code>curl</code> the address of this page.
    </p>`;
}
