import { Router } from 'express';
import { networkName, type NetworkRef } from '../../contracts/network/network';
import { html, type Html } from '../../services/http/pages/html';
import { sendPage } from '../../services/http/pages/page';
import { isReady, type CheckHealth } from './health/health';

/** What `/` shows. */
export interface HomePageOptions {
  /** Of the program. */
  readonly version: string;
  readonly instance: string;
  readonly hasConsole: boolean;
  readonly hasLocalNetworks: boolean;
  /** The networks that the instance does not serve. */
  readonly off: readonly NetworkRef[];
  readonly checkHealth: CheckHealth;
}

/** `/`: what runs, whether it is healthy, and where to go from here. */
export function homePage(options: HomePageOptions): Router {
  const router = Router();
  router.get('/', async (_request, response) =>
    sendPage(response, 'Tidemark', home(options, await options.checkHealth())),
  );
  return router;
}

type CheckResults = Awaited<ReturnType<CheckHealth>>;

function home(options: HomePageOptions, results: CheckResults): Html {
  const { version, instance, hasConsole, hasLocalNetworks, off } = options;
  const failing = results.filter(({ reason }) => reason !== null);
  return html`<h1>Tidemark</h1>
    <p class="muted">
      Version ${version}. Backend of a TON and Solana wallet, and billing ledger of the instance
      <code>${instance}</code>.
    </p>
    <h2>Health</h2>
    <p class="${failing.length === 0 ? 'good' : 'bad'}">${summary(results)}</p>
    ${failing.length === 0 ? html`` : html`<p>What is wrong is shown by <code>tidemark status</code>.</p>`}
    ${off.length === 0 ? html`` : html`<p>Networks that are off: ${off.map(networkName).join(', ')}</p>`}
    <h2>Pages</h2>
    <table>
      ${[
        ['/docs', 'Every endpoint, to browse and to try'],
        ...(hasConsole ? [['/console', 'Billing and cards, to administer in the browser']] : []),
        ['/openapi.json', 'The OpenAPI document, to generate clients from'],
        ['/problems', 'What each problem code means'],
        ['/health/ready', 'Whether the program is ready, as JSON'],
        ...(hasLocalNetworks ? [['/devnet', 'Accounts, tokens and faucets of the local networks']] : []),
      ].map(
        ([path, says]) =>
          html`<tr>
            <td><a href="${path!}">${path!}</a></td>
            <td>${says!}</td>
          </tr>`,
      )}
    </table>`;
}

function summary(results: CheckResults): string {
  if (!isReady(results)) return 'The program is not ready.';
  return results.some(({ reason }) => reason !== null)
    ? 'The program answers, and a part of it does not work.'
    : 'Everything works.';
}
