import { readdirSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { SOLANA_DEAD_LETTERS } from '../../contracts/chain/solana';
import { TON_DEAD_LETTERS } from '../../contracts/chain/ton';
import type { NetworkRef } from '../../contracts/network/network';
import type { Documents } from '../../contracts/ports/documents';
import type { Jobs, QueueCounts } from '../../contracts/ports/jobs';
import type { Log } from '../../contracts/ports/log';
import type { StoredIndexerStatus } from '../../indexers/indexer';
import { createLedgerTreeReader } from '../../services/ledger-tree/reader';
import { isDistributed, type Engines } from '../engines/engines';
import { FEATURES, PROJECTIONS, TOPICS } from '../program/features';
import { workedQueues } from '../program/health/health-checks';
import { createLossDetector } from '../program/loss/lost-data';
import { networksOf } from '../config/network-settings';
import type { Config } from '../config/settings';
import { print } from '../program/commands/output';
import { askProgram, urlOption, type ProgramHealth } from '../program/commands/running-program';
import { offSources, programLines, statusLines, type DiskStatus, type Status } from './status-lines';
import { withProjections } from '../program/commands/with-engines';

export function statusCommand(config: () => Config): Command {
  return new Command('status')
    .description(
      'show whether the program runs and is ready: sources, projections that are behind or stopped, indexers, ledger tree, jobs, dead letters, disk and lost data',
    )
    .addOption(urlOption())
    .addHelpText(
      'after',
      '\nStored data is shown even if no program runs. With --url, only what the process\nat that URL says.\n\nExit codes: 0 ready; 1 not ready, or no program runs.',
    )
    .action(async ({ url }: { readonly url?: string }, command: Command) => {
      const settings = config();
      const program = await askProgram(settings, url);
      const status =
        url === undefined
          ? { program, ...(await storedStatus(settings, program)) }
          : { program, off: program.running ? offSources(program.checks) : [] };
      print(status, 'events' in status ? statusLines(status) : programLines(status), command);
      if (!program.running || program.status === 'not_ready') process.exitCode = 1;
    });
}

const offNetworks = (config: Config, program: ProgramHealth): string[] =>
  program.running ? offSources(program.checks) : networksOf(config, 'off').map(indexerName);

/** What is in the engines of the settings. */
async function storedStatus(config: Config, program: ProgramHealth): Promise<Omit<Status, 'program'>> {
  const off = offNetworks(config, program);
  const stored = await withProjections(config, PROJECTIONS, async ({ engines, engine }) => {
    // A program that was stopped while it first started has declared none.
    await engines.log.declare(TOPICS);
    return {
      events: await engines.store.head(),
      projections: await engine.status(),
      indexers: (await storedIndexerStatus(engines.documents)).filter(
        ({ indexer }) => !off.includes(indexer),
      ),
      ledgerTree: await ledgerTreeStatus(engines),
      jobs: await jobCounts(engines.jobs, config),
      deadLetters: await countDeadLetters(engines.log),
      lostData: program.running
        ? reasonOf(program.checks, 'lost_data')
        : ((await createLossDetector(engines)())?.message ?? null),
    };
  });
  return { off, ...stored, disk: await diskStatus(config) };
}

const indexerName = ({ chain, network }: NetworkRef): string => `${chain} ${network}`;

const reasonOf = (checks: Readonly<Record<string, string>>, name: string): string | null => {
  const result = checks[name];
  return result === undefined || result === 'ok' ? null : result;
};

/** From the stored state of the indexers, which another process may run. */
async function storedIndexerStatus(documents: Documents): Promise<StoredIndexerStatus[]> {
  const statuses: StoredIndexerStatus[] = [];
  for (const { indexers } of FEATURES.all) {
    if (!indexers) continue;
    await documents.declare(indexers.collections);
    statuses.push(...(await indexers.status(documents)));
  }
  return statuses;
}

async function ledgerTreeStatus({ documents }: Pick<Engines, 'documents'>) {
  const reader = createLedgerTreeReader(documents);
  const includedUpTo = await reader.includedUpTo();
  return { events: await reader.sizeAt(includedUpTo), includedUpTo };
}

/** Of all queues that are worked on. */
async function jobCounts(jobs: Jobs, config: Config): Promise<QueueCounts> {
  const sum = { waiting: 0, delayed: 0, running: 0, failed: 0 };
  for (const queue of await workedQueues(jobs, config)) {
    const { waiting, delayed, running, failed } = await jobs.counts(queue);
    sum.waiting += waiting;
    sum.delayed += delayed;
    sum.running += running;
    sum.failed += failed;
  }
  return sum;
}

/** All that were ever written. */
async function countDeadLetters(log: Log): Promise<number> {
  const topics = [TON_DEAD_LETTERS, SOLANA_DEAD_LETTERS];
  const ends = await Promise.all(topics.map(({ name }) => log.endOffsets(name)));
  return ends.flat().reduce((sum, end) => sum + end, 0);
}

/** Null where the engines are servers. */
async function diskStatus(config: Config): Promise<DiskStatus | null> {
  if (isDistributed(config)) return null;
  const { DATA_DIR: folder } = config;
  const bytes = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    // A running program may remove a file meanwhile.
    .map(entry => statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
  const { bavail, bsize } = await statfs(folder);
  return { folder, bytes, freeBytes: bavail * bsize };
}
