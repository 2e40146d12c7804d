import { reportClientError } from '../../contracts/http/client-errors';
import { bind, type Binding } from '../http/binding';
import type { ErrorCounter } from './counter';
import { scrubReport } from './report';

interface ClientErrorDeps {
  readonly counter: Pick<ErrorCounter, 'add'>;
  onReported(outcome: ReturnType<ErrorCounter['add']>): void;
}

/** Errors that wallets report. */
export function clientErrorRoutes({ counter, onReported }: ClientErrorDeps): Binding[] {
  return [
    bind(reportClientError, async ({ body }) => {
      onReported(counter.add(scrubReport(body)));
      return { ok: true as const };
    }),
  ];
}
