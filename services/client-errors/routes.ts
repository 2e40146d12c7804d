import { reportClientError } from '../../contracts/http/client-errors';
import { bind, type Binding } from '../http/binding';
import type { CallerSource } from '../http/caller-source';
import type { ErrorCounter } from './counter';
import { scrubReport } from './report';

interface ClientErrorDeps {
  readonly counter: Pick<ErrorCounter, 'add'>;
  readonly sourceOf: CallerSource;
  onReported(outcome: ReturnType<ErrorCounter['add']>): void;
}

/** Errors that wallets report. */
export function clientErrorRoutes({ counter, sourceOf, onReported }: ClientErrorDeps): Binding[] {
  return [
    bind(reportClientError, async ({ body, ip }) => {
      onReported(counter.add(scrubReport(body), sourceOf(ip)));
      return { ok: true as const };
    }),
  ];
}
