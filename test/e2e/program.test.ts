import { apps } from './apps';
import { badInput } from './bad-input';
import { billing } from './billing';
import { clientErrors } from './client-errors';
import { exchange } from './exchange';
import { feeImport } from './fee-import';
import { installation } from './installation';
import { openApi } from './openapi';
import { push } from './push';
import { rates } from './rates';
import { replayAndExport } from './replay-and-export';
import { routes } from './routes';
import { solana } from './solana';
import { walletRequests } from './wallet-requests';
import '../starts-programs';

/**
 * Suites that share one start of the program. Each adds what it reads, and passes alone as well:
 * `npx jest test/e2e/program --testNamePattern '^bad input'`.
 */
const main = installation({ settings: { CLIENT_ERROR_FLUSH_SECONDS: '1' } });

describe('billing', () => billing(main));
describe('replay and export', () => replayAndExport(main));
describe('fee import', () => feeImport(main));
describe('bad input', () => badInput(main));
describe('Solana', () => solana(main));
describe('rates', () => rates(main));
describe('reviews of applications', () => apps(main));
describe('notifications', () => push(main));
describe('client errors', () => clientErrors(main));
describe('wallet requests', () => walletRequests(main));
describe('exchange', () => exchange(main));
describe('routes', () => routes(main));
describe('OpenAPI document', () => openApi(main));
