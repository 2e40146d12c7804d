import type { Config } from '../../../config/settings';
import { Command, InvalidArgumentError } from 'commander';
import { isBillingPeriod } from '../../../../contracts/time/billing-period';
import { feesProjection } from '../../../../projections/billing/fees';
import { merchantNames } from '../../../../projections/billing/revenue-buckets';
import { noFees, proveMerchant } from '../../../../services/ledger-tree/merchant-proof';
import { checkpointOfAll, treeWaitMs } from './checkpoint-of-all';
import { openLedgerTree } from './ledger-tree';
import { assertLedgerComplete } from '../../loss/lost-data';
import { givenMerchantId } from '../billing/given-merchant';
import { withReads } from '../../commands/reading';
import { withEngines } from '../../commands/with-engines';
import { outputOption, writeJson } from '../../commands/write-output';

function month(text: string): string {
  if (isBillingPeriod(text)) return text;
  throw new InvalidArgumentError('A month, YYYY-MM.');
}

interface MerchantFlags {
  readonly period?: string;
  readonly output?: string;
}

export function proofCommand(config: () => Config): Command {
  return new Command('proof')
    .description('write proofs and checkpoints that others can verify without this program')
    .addCommand(
      new Command('merchant')
        .description('write the events of one merchant, each with a proof that it is in the ledger')
        .argument('<merchant>', 'its id, or a slug of its fees')
        .option('--period <month>', 'only fees of this month', month)
        .addOption(outputOption())
        .action(async (merchant: string, { period, output }: MerchantFlags, command: Command) => {
          const settings = config();
          const proof = await withReads(settings, [feesProjection], async ({ engines, engine }) => {
            await assertLedgerComplete(engines);
            const merchantId = await givenMerchantId(engine.views, merchant);
            const names = await merchantNames(engine.views, { merchant_id: merchantId });
            if (names.length === 0) throw noFees({ merchantId, billingPeriod: null });
            const waitMs = treeWaitMs(settings);
            const tree = await openLedgerTree(settings, engines, waitMs);
            const checkpoint = await checkpointOfAll(engines, tree, waitMs);
            const of = { merchantId, billingPeriod: period ?? null };
            return proveMerchant({ store: engines.store, reader: tree.reader }, of, checkpoint);
          });
          await writeJson(proof, output, command);
        }),
    )
    .addCommand(
      new Command('checkpoint')
        .description('write a signed checkpoint of the whole ledger, to be stored elsewhere')
        .addOption(outputOption())
        .action(async ({ output }: { readonly output?: string }, command: Command) => {
          const settings = config();
          const checkpoint = await withEngines(settings, async ({ engines }) => {
            await assertLedgerComplete(engines);
            const waitMs = treeWaitMs(settings);
            return checkpointOfAll(engines, await openLedgerTree(settings, engines, waitMs), waitMs);
          });
          await writeJson(checkpoint, output, command);
        }),
    );
}
