import { Command } from 'commander';
import { z } from 'zod';
import { visibleLine } from '../../contracts/visible-text';
import { voidSettlement } from '../../services/billing/settlement/void';
import { BILLING_PROJECTIONS } from '../../projections/billing/billing-projections';
import { createHandle } from '../../services/handle';
import { openPersonalTexts, type ErasureConfig } from '../program/erasure';
import { parseInput } from './parse-input';
import { asOperator } from './operator';
import { print } from './output';
import { projectionEngine } from './with-engines';

/** How long to wait until the projection has the settlement. */
const PROJECTION_WAIT_MS = 10_000;

const input = z.object({ id: z.uuid().toLowerCase(), reason: visibleLine(500) });

export function settlementsCommand(config: () => ErasureConfig): Command {
  return new Command('settlements').description('payouts to merchants').addCommand(
    new Command('void')
      .description(
        'void a settlement that is not paid, which frees its month; refused when a later one depends on it',
      )
      .argument('<id>')
      .requiredOption('--reason <text>', 'required: the reason; stored encrypted, like all personal text')
      .action(async (id: string, flags: { readonly reason: string }, command: Command) => {
        const { id: settlementId, reason } = parseInput(input, { ...flags, id });
        const settings = config();
        const { settlements } = await asOperator(
          settings,
          command,
          { settlementId },
          async (tools, operator) =>
            voidSettlement(
              {
                store: tools.engines.store,
                handle: createHandle(tools.engines),
                views: projectionEngine(BILLING_PROJECTIONS, tools).views,
                texts: await openPersonalTexts(settings, tools.engines),
                instanceId: settings.INSTANCE_ID,
                waitMs: PROJECTION_WAIT_MS,
              },
              settlementId,
              reason,
              operator.metadata(),
            ),
        );
        const { billingPeriod, merchantId, status, netAmount, currency } = settlements[0]!;
        print(
          { settlementId, billingPeriod, merchantId, status },
          [`${settlementId}: ${merchantId}, ${billingPeriod}, ${netAmount} ${currency} is void`],
          command,
        );
      }),
  );
}
