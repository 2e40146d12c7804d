import { Command, InvalidArgumentError, Option } from 'commander';
import { TON_DEAD_LETTERS, TON_TRANSACTIONS, type TonDeadLetter } from '../../contracts/chain/ton';
import { TON_NETWORKS, type TonNetwork } from '../../contracts/network/network';
import { counted } from '../../contracts/text/counted';
import { readTonDeadLetters, replayTonDeadLetters } from '../../indexers/ton/dead-letters';
import type { Config } from '../config/settings';
import { list, print } from '../program/commands/output';
import { withEngines } from '../program/commands/with-engines';

interface Wanted {
  readonly network?: TonNetwork;
}

interface ListFlags extends Wanted {
  readonly limit: number;
}

const count = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 100_000)
    throw new InvalidArgumentError('A number from 1 to 100000.');
  return value;
};

const network = (): Option =>
  new Option('--network <network>', 'only those of one network; default: of all').choices(TON_NETWORKS);

/** TON transactions that could not be decoded when they were indexed. */
export function deadLettersCommand(config: () => Config): Command {
  return new Command('dead-letters')
    .description(
      'TON transactions that could not be decoded. Those of Solana are on the topic solana.transactions.dead, and no command shows them yet',
    )
    .addCommand(
      new Command('list')
        .description('show them and why; with --json also their bytes')
        .addOption(network())
        .option('--limit <count>', 'maximum number to show', count, 100)
        .action(async (flags: ListFlags, command: Command) => {
          const found = await find(config(), flags);
          print(found, lines(found), command);
        }),
    )
    .addCommand(
      new Command('replay')
        .description('decode them again, and publish those that can now be decoded; safe to repeat')
        .addOption(network())
        .action(async ({ network }: Wanted, command: Command) => {
          const replayed = await withEngines(config(), async ({ engines: { log }, signal }) => {
            await log.declare([TON_DEAD_LETTERS, TON_TRANSACTIONS]);
            return replayTonDeadLetters(log, { network, signal });
          });
          const { read, published } = replayed;
          const text =
            read === 0
              ? 'no dead letters'
              : `${counted(read, 'dead letter')}: ${published} decoded and published, ${read - published} still not decodable`;
          print(replayed, [text], command);
        }),
    );
}

interface Found {
  /** Also counts those that are not shown. */
  readonly total: number;
  readonly letters: readonly TonDeadLetter[];
}

const find = (config: Config, { network, limit }: ListFlags): Promise<Found> =>
  withEngines(config, async ({ engines: { log }, signal }) => {
    await log.declare([TON_DEAD_LETTERS]);
    let total = 0;
    const letters: TonDeadLetter[] = [];
    for await (const page of readTonDeadLetters(log, { network, signal })) {
      total += page.length;
      letters.push(...page.slice(0, limit - letters.length));
    }
    return { total, letters };
  });

const lines = ({ total, letters }: Found): string[] => [
  ...list('dead letters', [
    ['NETWORK', 'ACCOUNT', 'LT', 'BLOCK', 'DECODER', 'REASON'],
    ...letters.map(({ network, account, lt, seqno, decoder, reason }) => [
      network,
      account,
      lt,
      seqno === null ? 'backfill' : String(seqno),
      String(decoder),
      reason,
    ]),
  ]),
  ...(total === 0 ? [] : [`${letters.length} of ${counted(total, 'dead letter')}`]),
];
