import { Command } from 'commander';
import { z } from 'zod';
import { Problem } from '../../../../contracts/problem/problem';
import type { Config } from '../../../config/settings';
import { asOperator } from '../../commands/operator';
import { print, table } from '../../commands/output';
import { parseInput } from '../../commands/parse-input';
import { missingProgram, notRunning } from '../../commands/running-program';
import { UsageError } from '../../commands/usage-error';
import { doubleSecrets, findDoubleUrl, NO_WEBHOOK_URL } from './issuer';

const played = z.object({ play: z.string() });
const listed = z.object({ scenarios: z.array(z.object({ name: z.string(), description: z.string() })) });
const given = z.object({
  card: z.uuid({
    error: ({ input }) =>
      input === undefined ? 'required: the card that it happens to' : 'must be the id of a card, a UUID',
  }),
  amount: z
    .string()
    .regex(/^[1-9]\d{0,17}$/, "must be an integer of the smallest unit of the card's currency"),
});

const TIMEOUT_MS = 10_000;

/** What the double of the issuer can be told to do with a card. */
export function cardScenarioCommand(config: () => Config): Command {
  return new Command('scenario')
    .description('have the double of the issuer do something with a card, or list what it can do')
    .argument('[name]')
    .option('--card <cardId>', 'one that the double has issued')
    .option('--amount <units>', "in the smallest unit of the card's currency", '1250')
    .action(
      async (scenario: string | undefined, flags: { card?: string; amount: string }, command: Command) => {
        const settings = config();
        const { scenarios } = listed.parse(await call(settings, null));
        if (scenario === undefined) {
          print(
            { scenarios },
            table([
              ['SCENARIO', 'WHAT HAPPENS'],
              ...scenarios.map(({ name, description }) => [name, description]),
            ]),
            command,
          );
          return;
        }
        const names = scenarios.map(({ name }) => name);
        if (!names.includes(scenario))
          throw new UsageError(`there is no scenario ${scenario}: must be one of ${names.join(', ')}`);
        const { card: cardId, amount } = parseInput(given, { card: flags.card, amount: flags.amount });
        const body = { scenario, cardId, amount };
        const { play } = await asOperator(settings, command, body, async () =>
          played.parse(await call(settings, body)),
        );
        print({ ...body, play }, [`${scenario} of ${cardId} has begun: ${play}`], command);
      },
    );
}

/** @throws Problem 503 without a double, or when it cannot send webhooks, 404 when it does not know the card; Error where no program runs */
async function call(config: Config, body: object | null): Promise<unknown> {
  const url = await findDoubleUrl(config);
  const response =
    url &&
    (await fetch(`${url}/scenarios`, {
      headers: { authorization: `Bearer ${(await doubleSecrets(config)).key}` },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => null));
  if (!response) throw await noDouble(config);
  if (response.ok) return response.json();
  if (response.status === 503)
    throw new Problem('card_issuer_unavailable', NO_WEBHOOK_URL, { retryAfter: 1 });
  throw new Problem('card_not_found', 'The double of the issuer has issued no such card.');
}

async function noDouble(config: Config): Promise<Error> {
  const missing = await missingProgram(config);
  return missing
    ? new Error(`${notRunning(missing)}; tidemark start runs one`)
    : new Problem('card_issuer_unavailable', NO_DOUBLE, { retryAfter: 1 });
}

const NO_DOUBLE = 'No double of the issuer answers: it runs in a program with the card service as a sandbox.';
