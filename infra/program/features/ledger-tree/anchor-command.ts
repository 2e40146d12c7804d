import { setTimeout as pause } from 'node:timers/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { formatTonAddress } from '../../../../contracts/account/address';
import { ledgerAnchorStream } from '../../../../contracts/events/ledger-anchor';
import {
  ANCHOR_LEVELS,
  reaches,
  type Anchor,
  type AnchorProof,
} from '../../../../contracts/ledger-tree/anchor';
import { networkName, type TonNetwork } from '../../../../contracts/network/network';
import { counted } from '../../../../contracts/text/counted';
import { recordedAnchors, type RecordedAnchor } from '../../../../services/ledger-tree/anchor/anchors';
import { type AnchorState, ledgerAnchorKind } from '../../../../services/ledger-tree/anchor/decider';
import { ANCHOR_NOW } from '../../../../services/ledger-tree/anchor/worker';
import { load } from '../../../../services/commands/load';
import { walletV5 } from '../../../../services/wallet-v5/wallet-v5';
import { networkMode } from '../../../config/network-settings';
import { WrongSettings, type Config } from '../../../config/settings';
import { missingProgram, notRunning } from '../../commands/running-program';
import { asOperator } from '../../commands/operator';
import { print, printTable } from '../../commands/output';
import { withEngines, type Tools } from '../../commands/with-engines';
import { outputOption, writeJson } from '../../commands/write-output';
import { ANCHOR_SETTINGS, anchorNetwork, openAnchorKeyFile } from './anchor/settings';
import { checkpointOfAll, TREE_WAIT_MS } from './checkpoint-of-all';
import { openLedgerTree } from './ledger-tree';

/** Longer than it takes until it is known that a message is in no block. */
const ANCHOR_WAIT_MS = 5 * 60_000;
const POLL_MS = 1_000;
/** A source of blocks is asked again. */
const PROOF_POLL_MS = 3_000;

type Level = AnchorProof['level'];

function count(text: string): number {
  if (/^[1-9]\d{0,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('A number of events, from 1 on.');
}

export function anchorCommand(config: () => Config): Command {
  return new Command('anchor')
    .description(
      'heads of the ledger in transactions on TON: once one is there, a rewritten history of what was before does not verify',
    )
    .addCommand(nowCommand(config))
    .addCommand(walletCommand(config))
    .addCommand(listCommand(config))
    .addCommand(exportCommand(config));
}

function nowCommand(config: () => Config): Command {
  return new Command('now')
    .description(
      'have the running program send a head that covers the whole ledger, and wait until it is on the chain',
    )
    .addOption(levelOption('wait until it is proven at least up to there'))
    .action(async ({ level }: { readonly level: Level }, command: Command) => {
      const settings = config();
      const anchored = await asOperator(settings, command, {}, async (tools, { addSubject }) => {
        const found = await anchorNow(settings, tools, level);
        addSubject({ size: String(found.checkpoint.size) });
        return found;
      });
      const { checkpoint, transaction, proof } = anchored;
      print(
        { ...checkpoint, level: proof.level, transaction },
        [
          `anchored: the head of ${counted(checkpoint.size, 'event')}, proven up to the level ${proof.level}`,
          ...(reaches(proof, 'masterchain') ? [] : [furtherHint(settings)]),
        ],
        command,
      );
    });
}

/** How somebody gets a proof that reaches further. */
const furtherHint = (settings: Config): string =>
  hasBlocks(settings)
    ? 'it is proven further later: `tidemark anchor now --level masterchain` waits for that'
    : `not further: ${NO_BLOCKS}`;

const levelOption = (description: string): Option =>
  new Option('--level <level>', description).choices(ANCHOR_LEVELS).default('transaction');

function walletCommand(config: () => Config): Command {
  return new Command('wallet')
    .description(
      'show the wallet that sends heads, and needs coins for that; its key is created if there is none',
    )
    .action(async (_options: object, command: Command) => {
      const settings = config();
      const network = networkOf(settings);
      const account = await accountOf(settings, network);
      const address = formatTonAddress(account, network, false);
      const name = networkName({ chain: 'ton', network });
      print({ network, account, address }, [`${address}  ${name}`], command);
    });
}

function listCommand(config: () => Config): Command {
  return new Command('list')
    .description('list the heads that were anchored, the newest first')
    .action((_options: object, command: Command) =>
      withEngines(config(), ({ engines: { store } }) =>
        printTable(
          'anchors',
          rowsOf(recordedAnchors(store)),
          ['AT', 'EVENTS', 'LEVEL', 'NETWORK', 'ACCOUNT', 'TRANSACTION'],
          ({ at, events, level, takenBack, network, account, transaction }) => [
            at,
            String(events),
            takenBack ? 'taken back' : level,
            network,
            account,
            transaction,
          ],
          command,
        ),
      ),
    );
}

interface ExportFlags {
  readonly events?: number;
  readonly level: Level;
  readonly output?: string;
}

function exportCommand(config: () => Config): Command {
  return new Command('export')
    .description('write the newest anchor, for `tidemark-verify --anchor`')
    .option('--events <count>', 'the newest one that covers at most so many events', count)
    .addOption(levelOption('the newest one that is proven at least up to there'))
    .addOption(outputOption())
    .action(async ({ events = Infinity, level, output }: ExportFlags, command: Command) => {
      const settings = config();
      const anchor = await withEngines(settings, ({ engines: { store } }) =>
        newest(settings, store, { events, level }),
      );
      if (!reaches(anchor.proof, 'masterchain'))
        process.stderr.write(
          `proven up to the level ${anchor.proof.level}, not up to the masterchain: ${shortfall(settings)}\n`,
        );
      await writeJson(anchor, output, command);
    });
}

/** Why an anchor is not proven up to the masterchain, as far as the settings tell. */
function shortfall(settings: Config): string {
  return hasBlocks(settings)
    ? 'the source of blocks has not shown them yet, or has failed, and the log says why; `tidemark anchor now --level masterchain` tries again'
    : NO_BLOCKS;
}

const NO_BLOCKS = 'LEDGER_ANCHOR_BLOCKS_URL names no source of blocks';

/** A local network has its own. */
function hasBlocks(settings: Config): boolean {
  const network = anchorNetwork(settings);
  const isReal = network !== null && networkMode(settings, { chain: 'ton', network }) === 'real';
  return !isReal || settings.of(ANCHOR_SETTINGS).LEDGER_ANCHOR_BLOCKS_URL !== undefined;
}

async function* rowsOf(anchors: AsyncIterable<RecordedAnchor>) {
  for await (const { at, anchor, isTakenBack } of anchors) {
    const { network, checkpoint, transaction, proof } = anchor;
    yield {
      at,
      events: checkpoint.size,
      level: proof.level,
      takenBack: isTakenBack,
      network: networkName({ chain: 'ton', network }),
      account: transaction.account,
      transaction: transaction.hash,
    };
  }
}

/** The newest anchor that is on the chain, covers at most so many events and is proven up to a level. @throws Error where there is none */
async function newest(
  settings: Config,
  store: Tools['engines']['store'],
  { events, level }: { readonly events: number; readonly level: Level },
): Promise<Anchor> {
  let isAnchored = false;
  for await (const { anchor, isTakenBack } of recordedAnchors(store)) {
    if (isTakenBack || anchor.checkpoint.size > events) continue;
    if (reaches(anchor.proof, level)) return anchor;
    isAnchored = true;
  }
  throw new Error(
    isAnchored
      ? `no anchor is proven up to the level ${level}: ${shortfall(settings)}`
      : 'no head of the ledger was anchored yet: see `tidemark anchor now`',
  );
}

/** @throws WrongSettings where heads are not anchored */
function networkOf(settings: Config): TonNetwork {
  const network = anchorNetwork(settings);
  if (network !== null) return network;
  throw new WrongSettings('LEDGER_ANCHOR_NETWORK: heads of the ledger are not anchored by these settings');
}

/** Of the wallet, raw. */
async function accountOf(settings: Config, network: TonNetwork): Promise<string> {
  const { publicKey } = await openAnchorKeyFile(settings);
  return walletV5(publicKey, network).address.toRawString();
}

type Anchored = NonNullable<AnchorState['anchored']>;

/** @throws WrongSettings; Error when it is not on the chain in time, or not proven as far */
async function anchorNow(settings: Config, { engines, signal }: Tools, level: Level): Promise<Anchored> {
  const network = networkOf(settings);
  if (level !== 'transaction' && !hasBlocks(settings))
    throw new WrongSettings(`nothing is proven up to the level ${level}: ${NO_BLOCKS}`);
  const missing = await missingProgram(settings);
  if (missing) process.stderr.write(`${notRunning(missing)}: waiting for one that sends the head\n`);
  const tree = await openLedgerTree(settings, engines, TREE_WAIT_MS);
  const { size } = await checkpointOfAll(engines, tree, TREE_WAIT_MS);
  if (size === 0) throw new Error('the ledger has no events');
  const stream = ledgerAnchorStream(network, await accountOf(settings, network));
  const end = Date.now() + ANCHOR_WAIT_MS;
  for (;;) {
    const { anchored = null } = (await load(engines.store, ledgerAnchorKind, stream)) ?? {};
    const found = anchored && anchored.checkpoint.size >= size ? anchored : null;
    if (found && reaches(found.proof, level)) {
      // Proven further by the job, where that has failed before.
      if (!reaches(found.proof, 'masterchain')) await engines.jobs.add(ANCHOR_NOW);
      return found;
    }
    if (Date.now() > end) throw new Error(found ? lateProof(found, settings) : LATE);
    // Again and again: a job that was under way has another goal, or a source of blocks has failed in it.
    await engines.jobs.add(ANCHOR_NOW);
    await pause(found ? PROOF_POLL_MS : POLL_MS, undefined, { signal });
  }
}

const LATE = 'it is not on the chain yet: the check `ledger_anchor` of a running program may say why';

const lateProof = ({ proof }: Anchored, settings: Config): string =>
  `it is on the chain, and proven up to the level ${proof.level}: ${shortfall(settings)}`;
