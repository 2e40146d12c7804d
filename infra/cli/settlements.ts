import { Command } from 'commander';
import { z } from 'zod';
import { text } from '../../contracts/http/billing-fields';
import { voidSettlement } from '../../services/billing/settlement/void';
import { createHandle } from '../../services/handle';
import type { Config } from '../program/config';
import { openPersonalTexts } from '../program/erasure';
import { checked } from './checked';
import { asOperator } from './operator';
import { print } from './output';

/** Milliseconds to wait for the read model to know the settlement. */
const PATIENCE = 10_000;

const asked = z.object({ id: z.uuid().toLowerCase(), reason: text(500) });

export function settlementsCommand(config: () => Config): Command {
  return new Command('settlements').description('what is paid out to merchants').addCommand(
    new Command('void')
      .description(
        'void a settlement that is not paid, which frees its month; refused when a later one has built upon it',
      )
      .argument('<id>')
      .requiredOption('--reason <text>', 'why; kept sealed, as all personal text')
      .action(async (id: string, flags: { readonly reason: string }, command: Command) => {
        const { id: settlementId, reason } = checked(asked, { ...flags, id });
        const settings = config();
        const { settlements } = await asOperator(
          settings,
          command,
          { settlementId },
          async ({ engines, engine }, operator) =>
            voidSettlement(
              {
                store: engines.store,
                handle: createHandle(engines),
                views: engine.views,
                texts: await openPersonalTexts(settings, engines),
                instanceId: settings.INSTANCE_ID,
                patience: PATIENCE,
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
          command.optsWithGlobals<{ json: boolean }>(),
        );
      }),
  );
}
