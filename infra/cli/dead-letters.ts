import { Command, InvalidArgumentError, Option } from 'commander';
import {
  decodeSolanaDeadLetter,
  SOLANA_DEAD_LETTERS,
  type SolanaDeadLetter,
} from '../../contracts/chain/solana';
import {
  decodeTonDeadLetter,
  TON_DEAD_LETTERS,
  TON_TRANSACTIONS,
  type TonDeadLetter,
} from '../../contracts/chain/ton';
import {
  SOLANA_NETWORKS,
  TON_NETWORKS,
  type SolanaNetwork,
  type TonNetwork,
} from '../../contracts/network/network';
import type { Log } from '../../contracts/ports/log';
import { counted } from '../../contracts/text/counted';
import { readDeadLetters } from '../../indexers/dead-letters';
import { replayTonDeadLetters } from '../../indexers/ton/dead-letters';
import type { Config } from '../config/settings';
import { list, print } from '../program/commands/output';
import { withEngines } from '../program/commands/with-engines';

interface ListFlags {
  readonly network?: TonNetwork | SolanaNetwork;
  readonly limit: number;
}

interface ReplayFlags {
  readonly network?: TonNetwork;
}

const count = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 100_000)
    throw new InvalidArgumentError('A number from 1 to 100000.');
  return value;
};

const network = (names: readonly string[]): Option =>
  new Option('--network <network>', 'only those of one network; default: of all').choices(names);

/** Transactions that could not be decoded when they were indexed. */
export function deadLettersCommand(config: () => Config): Command {
  return new Command('dead-letters')
    .description('transactions of TON and Solana that could not be decoded')
    .addCommand(
      new Command('list')
        .description('show them and why; with --json also their bytes')
        .addOption(network([...new Set([...TON_NETWORKS, ...SOLANA_NETWORKS])]))
        .option('--limit <count>', 'maximum number to show', count, 100)
        .action(async (flags: ListFlags, command: Command) => {
          const found = await find(config(), flags);
          print(found, lines(found), command);
        }),
    )
    .addCommand(
      new Command('replay')
        .description(
          'decode those of TON again, and publish those that can now be decoded; safe to repeat. Those of Solana cannot be replayed yet',
        )
        .addOption(network(TON_NETWORKS))
        .action(async ({ network }: ReplayFlags, command: Command) => {
          const replayed = await withEngines(config(), async ({ engines: { log }, signal }) => {
            await log.declare([TON_DEAD_LETTERS, TON_TRANSACTIONS]);
            return replayTonDeadLetters(log, { network, signal });
          });
          const { read, published } = replayed;
          const text =
            read === 0
              ? 'no dead letters of TON'
              : `${counted(read, 'dead letter')}: ${published} decoded and published, ${read - published} still not decodable`;
          print(replayed, [text], command);
        }),
    );
}

type Listed = ({ readonly chain: 'ton' } & TonDeadLetter) | ({ readonly chain: 'solana' } & SolanaDeadLetter);

interface Found {
  /** Also counts those that are not shown. */
  readonly total: number;
  readonly letters: readonly Listed[];
}

const find = (config: Config, { network, limit }: ListFlags): Promise<Found> =>
  withEngines(config, async ({ engines: { log }, signal }) => {
    await log.declare([TON_DEAD_LETTERS, SOLANA_DEAD_LETTERS]);
    let total = 0;
    const letters: Listed[] = [];
    for await (const page of readAll(log, signal)) {
      const wanted = page.filter(letter => network === undefined || letter.network === network);
      total += wanted.length;
      letters.push(...wanted.slice(0, limit - letters.length));
    }
    return { total, letters };
  });

async function* readAll(log: Log, signal: AbortSignal): AsyncGenerator<Listed[]> {
  for await (const page of readDeadLetters(log, TON_DEAD_LETTERS.name, signal))
    yield page.map(value => ({ chain: 'ton', ...decodeTonDeadLetter(value) }));
  for await (const page of readDeadLetters(log, SOLANA_DEAD_LETTERS.name, signal))
    yield page.map(value => ({ chain: 'solana', ...decodeSolanaDeadLetter(value) }));
}

const lines = ({ total, letters }: Found): string[] => [
  ...list('dead letters', [
    ['CHAIN', 'NETWORK', 'BLOCK', 'TRANSACTION', 'DECODER', 'REASON'],
    ...letters.map(letter => [
      letter.chain,
      letter.network,
      ...placeOf(letter),
      String(letter.decoder),
      letter.reason,
    ]),
  ]),
  ...(total === 0 ? [] : [`${letters.length} of ${counted(total, 'dead letter')}`]),
];

/** The block, and the transaction: on TON by account and logical time. */
const placeOf = (letter: Listed): string[] =>
  letter.chain === 'ton'
    ? [letter.seqno === null ? 'backfill' : String(letter.seqno), `${letter.account} ${letter.lt}`]
    : [String(letter.slot), `index ${letter.index}`];
