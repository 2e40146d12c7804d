import { instanceAdmin, recordFees } from '../../contracts/http/billing/billing';
import { isCommand, isReport } from '../../contracts/http/billing/actions';
import { formatPosition } from '../../contracts/position';
import { bind, type Binding } from '../http/binding';
import { Reply, type AnyCall } from '../http/call';
import { commandMetadata } from '../http/command-metadata';
import { callerKey } from '../http/limits';
import { adminSubject, feesSubject } from './audit-subject';
import { execute } from './commands';
import type { BillingDeps } from './deps';
import { executeFees } from './fee/commands';
import { withMerchantFound } from './merchant/named';
import { answerQuery } from './report/queries';
import { createOpenExports } from './export/open-exports';
import { createReporting } from './report/reporting';
import { waitingUntil } from '../commands/wait-until-folded';

export function billingRoutes(deps: BillingDeps): Binding[] {
  const openExports = createOpenExports();

  /**
   * Ids come from the attempt, so that a retried call creates the same ones. What only reads stops waiting when its client
   * goes away.
   */
  const depsOf = ({ attempt }: AnyCall): BillingDeps => ({ ...deps, newId: attempt.newId });
  const readDepsOf = (call: AnyCall): BillingDeps => ({
    ...deps,
    views: waitingUntil(deps.views, call.signal),
  });

  return [
    bind(
      instanceAdmin,
      async call => {
        const { minPosition } = call;
        const body = await withMerchantFound(call.body, readDepsOf(call), minPosition);
        if (isReport(body)) {
          const caller = callerKey(call);
          const openExport = () => openExports.begin(caller, call.signal);
          return createReporting(readDepsOf(call))(body, minPosition, caller, openExport);
        }
        const metadata = commandMetadata(call, deps.now());
        return isCommand(body)
          ? execute(body, depsOf(call), metadata)
          : answerQuery(body, readDepsOf(call), minPosition, metadata);
      },
      { auditSubject: adminSubject },
    ),

    bind(
      recordFees,
      async call => {
        const metadata = commandMetadata(call, deps.now());
        const { results, position } = await executeFees(depsOf(call), call.body.fees, metadata);
        return new Reply({ results: [...results] }, { 'X-Ledger-Position': formatPosition(position) });
      },
      { auditSubject: feesSubject },
    ),
  ];
}
