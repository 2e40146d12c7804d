import { apps } from './apps';
import { badInput } from './bad-input';
import { bagsOfCells } from './bags-of-cells';
import { billing } from './billing';
import { clientErrors } from './client-errors';
import { exchange } from './exchange';
import { feeImport } from './fee-import';
import { installation } from './installation';
import { openApi } from './openapi';
import { otherMethods } from './other-methods';
import { push } from './push';
import { firstPrice, rates } from './rates';
import { replayAndExport } from './replay-and-export';
import { routes } from './routes';
import { solana } from './solana';
import { walletRequests } from './wallet-requests';
import '../starts-programs';

/**
 * Suites that share one start of the program. Each adds what it reads, and passes alone as well:
 * `npm run test:programs -- test/e2e/program --testNamePattern '^bad input'`.
 */
const main = installation({
  // Examples continue lists at places that this chain does not have yet: each waits for as long as a list may.
  settings: { CLIENT_ERROR_FLUSH_SECONDS: '1', LIST_WAIT_SECONDS: '2' },
});
const first = firstPrice(main, ({ TON, EUR }) => TON !== undefined && EUR !== undefined);

describe('billing', () => billing(main));
describe('replay and export', () => replayAndExport(main));
describe('fee import', () => feeImport(main));
describe('bad input', () => badInput(main));
describe('bags of cells', () => bagsOfCells(main));
describe('other methods', () => otherMethods(main));
describe('Solana', () => solana(main));
describe('rates', () => rates(main, first));
describe('reviews of applications', () => apps(main));
describe('notifications', () => push(main));
describe('client errors', () => clientErrors(main));
describe('wallet requests', () => walletRequests(main));
describe('exchange', () => exchange(main));
describe('routes', () => routes(main));
describe('OpenAPI document', () => openApi(main));
