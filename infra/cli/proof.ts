import { Command, InvalidArgumentError } from 'commander';
import { isBillingPeriod } from '../../contracts/billing-period';
import type { Checkpoint } from '../../contracts/seal/checkpoint';
import { proveMerchant } from '../../services/seal/merchant-proof';
import { sealed } from '../../services/seal/prove';
import type { Config } from '../program/config';
import type { Engines } from '../engines/engines';
import { openSeal, type Seal } from '../program/seal';
import { print } from './output';
import { withEngines } from './with-engines';

/** Milliseconds that a command waits for the sealer of a program that is running. */
const PATIENCE = 10_000;

function month(text: string): string {
  if (isBillingPeriod(text)) return text;
  throw new InvalidArgumentError('A month, YYYY-MM.');
}

export function proofCommand(config: () => Config): Command {
  return new Command('proof')
    .description('what others can verify the ledger by, without this program')
    .addCommand(
      new Command('merchant')
        .description(
          "write a merchant's own events with what proves each to be in the ledger, and nothing of others",
        )
        .argument('<id>')
        .option('--period <month>', 'only fees of this month', month)
        .action(async (merchantId: string, { period }: { period?: string }) => {
          const settings = config();
          const proof = await withEngines(settings, async ({ engines }) => {
            const seal = await openSeal(settings, engines, PATIENCE);
            const checkpoint = await checkpointOfAll(engines, seal);
            const of = { merchantId, billingPeriod: period ?? null };
            return proveMerchant({ store: engines.store, reading: seal.reading }, of, checkpoint);
          });
          print(proof, [], { json: true });
        }),
    )
    .addCommand(
      new Command('checkpoint')
        .description('write a signed checkpoint of all that is recorded, for somebody else to keep')
        .action(async () => {
          const settings = config();
          const checkpoint = await withEngines(settings, async ({ engines }) =>
            checkpointOfAll(engines, await openSeal(settings, engines, PATIENCE)),
          );
          print(checkpoint, [], { json: true });
        }),
    );
}

/** Signed now, unless the last one is of all there is. Needs a sealer: the program itself has to be running. */
async function checkpointOfAll({ store }: Pick<Engines, 'store'>, seal: Seal): Promise<Checkpoint> {
  const head = await store.head();
  await sealed(seal.reading, head, PATIENCE);
  return seal.checkpoints.sign(await seal.reading.historyAt(head), new Date().toISOString());
}
