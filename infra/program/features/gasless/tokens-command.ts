import { Command } from 'commander';
import { z } from 'zod';
import { formatTonAddress } from '../../../../contracts/account/address';
import { tonAccount, type TonAccount } from '../../../../contracts/account/ton-account';
import { gaslessJettonStream } from '../../../../contracts/events/gasless-jetton';
import { tonAddress, tonNetwork } from '../../../../contracts/http/ton/fields';
import { Problem } from '../../../../contracts/problem/problem';
import { createHandle } from '../../../../services/commands/handle';
import {
  gaslessJettonKind,
  type JettonChange,
  type ListedJetton,
} from '../../../../services/gasless/jettons/decider';
import { withNodeProblems } from '../../../../services/gasless/node-problems';
import type { Config } from '../../../config/settings';
import { asOperator } from '../../commands/operator';
import { print } from '../../commands/output';
import { parseInput } from '../../commands/parse-input';
import { UsageError } from '../../commands/usage-error';
import type { Tools } from '../../commands/with-engines';
import { commandClient, withMasterReader } from './command-client';
import { jettonToList } from './jetton-to-list';
import { importJettons, jettonPlace, placeName } from './jettons';
import { assertPlaceOfData, hasList } from './place-of-data';
import { configuredJettons } from './relayers';
import { perTon } from './settings';
import { shownTokens, tokenLines } from './shown-tokens';

/** The jettons that pay for gasless transfers. What changes here counts at once, in every program of the instance. */
export function gaslessTokensCommand(config: () => Config): Command {
  return new Command('tokens')
    .description('the jettons that pay for transfers')
    .addCommand(
      new Command('list')
        .description('show the jettons, their rates, and whether their code is as it was listed')
        .action(async (_flags: object, command: Command) => {
          const tokens = await shownTokens(config());
          print({ tokens }, tokenLines(tokens), command);
        }),
      { isDefault: true },
    )
    .addCommand(addCommand(config))
    .addCommand(changing(config, 'pause', 'quote and accept no transfers of a jetton for now'))
    .addCommand(changing(config, 'resume', 'quote and accept transfers of a jetton again'))
    .addCommand(changing(config, 'remove', 'take a jetton off the list'))
    .addCommand(priceCommand(config));
}

const named = z.object({ master: tonAddress, network: tonNetwork.optional() });
const added = named.extend({
  decimals: z
    .string()
    .regex(/^(?:\d|1[0-8])$/, 'must be 0 to 18')
    .transform(Number)
    .optional(),
  perTon: perTon.optional(),
});
// By the name of the argument: faults are named by it.
const priced = named.extend({ 'per-ton': perTon.optional() });

const ofMaster = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .argument('<master>', 'address of the master; one that begins with - comes after --')
    .option('--network <network>', 'default: testnet for a test-only address, otherwise mainnet');

interface Flags {
  readonly network?: string;
}

const addCommand = (config: () => Config): Command =>
  ofMaster('add', 'list a jetton, with the code that its contracts have now')
    .option('--decimals <number>', 'default: as the jetton says')
    .option('--per-ton <amount>', 'so many of it are paid for a TON; default: as its pools say')
    .action(async (text: string, flags: Flags & { decimals?: string; perTon?: string }, command: Command) => {
      const given = parseInput(added, { ...flags, master: text });
      await change(config(), command, given, async (tools, { network, address }) => {
        const client = withNodeProblems(await commandClient(config(), tools, network), network);
        const found = await withMasterReader(config(), tools, reader =>
          jettonToList({ ...reader, client }, address, given.decimals),
        );
        return { type: 'list', ...found, perTon: given.perTon ?? null };
      });
    });

const changing = (config: () => Config, name: 'pause' | 'resume' | 'remove', description: string): Command =>
  ofMaster(name, description).action(async (text: string, flags: Flags, command: Command) => {
    const given = parseInput(named, { ...flags, master: text });
    await change(config(), command, given, async () => ({ type: name === 'remove' ? 'delist' : name }));
  });

const priceCommand = (config: () => Config): Command =>
  ofMaster('price', 'say how many of a jetton are paid for a TON')
    .argument('[per-ton]', 'so many of it, a decimal')
    .option('--by-prices', 'as its pools say')
    .action(
      async (
        text: string,
        amount: string | undefined,
        { byPrices = false, ...flags }: Flags & { byPrices?: boolean },
        command: Command,
      ) => {
        if (byPrices === (amount !== undefined)) throw new UsageError('give either an amount or --by-prices');
        const given = parseInput(priced, { ...flags, master: text, 'per-ton': amount });
        await change(config(), command, given, async () => ({
          type: 'price',
          perTon: given['per-ton'] ?? null,
        }));
      },
    );

async function change(
  config: Config,
  command: Command,
  given: z.output<typeof named>,
  decide: (tools: Tools, account: TonAccount) => Promise<JettonChange>,
): Promise<void> {
  const account = tonAccount(given.master, given.network, '/network');
  const { network, address: master } = account;
  const place = jettonPlace(config, network);
  const configured = await configuredJettons(config, network);
  const { jetton, changed } = await asOperator(
    config,
    command,
    { network, master },
    async (tools, { metadata, addSubject }) => {
      // On another machine than the program's there is no key, and need not be.
      if (!configured || !(configured.hasKey || (await hasList(tools.engines.store, place))))
        throw new Problem('gasless_off', `This instance has no relayer of its own on ${network}.`);
      await assertPlaceOfData(tools.engines, place, { isNew: command.name() === 'add' });
      const handle = createHandle(tools.engines);
      const change = await decide(tools, account);
      await importJettons(handle, place, configured.jettons, { ...metadata(), actor: 'settings' });
      const outcome = await handle(gaslessJettonKind, gaslessJettonStream(place), {
        ...change,
        place,
        master,
        metadata: metadata(),
      });
      if (outcome.refusal) throw Problem.of(outcome.refusal);
      const isChanged = outcome.events.length > 0;
      addSubject({ changed: String(isChanged) });
      return { jetton: outcome.state?.get(master) ?? null, changed: isChanged };
    },
  );
  const address = formatTonAddress(master, network);
  const state = stateOf(jetton);
  print(
    { network, realm: place.realm, master: address, changed, ...state },
    [`${address} of ${placeName(place)}: ${changed ? '' : 'is the same, '}${lineOf(jetton)}`],
    command,
  );
}

const stateOf = (jetton: ListedJetton | null) =>
  jetton && {
    decimals: jetton.decimals,
    perTon: jetton.perTon,
    paused: jetton.isPaused,
    code: jetton.code,
  };

function lineOf(jetton: ListedJetton | null): string {
  if (!jetton) return 'not listed';
  const { isPaused, decimals, perTon: amount } = jetton;
  const price = amount === null ? 'as many for a TON as its pools say' : `${amount} for a TON`;
  return `${isPaused ? 'paused' : 'listed'}, ${decimals} decimals, ${price}`;
}
