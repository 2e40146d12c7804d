import { ADMIN_ACCESS, FEES_ACCESS } from '../../contracts/http/billing-access';
import { isReport } from '../../contracts/http/billing-actions';
import { instanceAdmin, recordFees } from '../../contracts/http/billing';
import { formatPosition } from '../../contracts/position';
import type { Audited } from '../audited';
import { bind, WithHeaders, within, type Around, type Binding } from '../http/binding';
import { countCaller, limitAddress } from '../http/limits';
import { askedOfAdmin, askedOfFees, FEES_ACTION } from './asked';
import { command } from './commands';
import type { BillingDeps } from './deps';
import { carryOutFees } from './fee/commands';
import { minPosition } from './freshness';
import { permit } from './guard';
import { keyed } from './keyed';
import { createReporting } from './reporting';

export function billingRoutes(deps: BillingDeps): Binding[] {
  const report = createReporting(deps);

  return [
    bind(
      instanceAdmin,
      async call => {
        const { body, principal, header } = call;
        const access = ADMIN_ACCESS[body.action];
        const caller = permit(principal, access, deps.secureSession);
        await countCaller(deps.limits, caller, access, call);
        return isReport(body)
          ? report(body, minPosition(header))
          : command(body, deps, keyed(deps, call, caller, body.action));
      },
      around(deps, askedOfAdmin, instanceAdmin),
    ),

    bind(
      recordFees,
      async call => {
        const caller = permit(call.principal, FEES_ACCESS, deps.secureSession);
        await countCaller(deps.limits, caller, FEES_ACCESS, call);
        const carryOut = keyed(deps, call, caller, FEES_ACTION);
        return carryOut(async (own, metadata) => {
          const { results, position } = await carryOutFees(own, call.body.fees, metadata);
          return new WithHeaders(
            { results: [...results] },
            { 'X-Ledger-Position': formatPosition(position) },
          );
        });
      },
      around(deps, askedOfFees, recordFees),
    ),
  ];
}

const around = (
  { audited, limits }: BillingDeps,
  asked: Parameters<Audited>[0],
  { limitedByAddress = false }: { readonly limitedByAddress?: boolean },
): Around => within(audited(asked), limitAddress(limits, limitedByAddress));
