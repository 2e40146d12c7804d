import type { QueueCounts } from '../../contracts/ports/jobs';
import { counted } from '../../contracts/text/counted';
import type { StoredIndexerStatus } from '../../indexers/indexer';
import type { ProjectionStatus } from '../../projections/engine/status';
import { table } from '../program/commands/output';
import { notRunning, type ProgramHealth } from '../program/commands/running-program';

export interface DiskStatus {
  readonly folder: string;
  /** Of all files in the folder. */
  readonly bytes: number;
  readonly freeBytes: number;
}

export interface Status {
  readonly program: ProgramHealth;
  /** Networks that are not served, such as `ton testnet`. */
  readonly off: readonly string[];
  /** The position of the event store. */
  readonly events: number;
  readonly projections: readonly ProjectionStatus[];
  readonly indexers: readonly StoredIndexerStatus[];
  readonly ledgerTree: { readonly events: number; readonly includedUpTo: number };
  readonly jobs: QueueCounts;
  readonly deadLetters: number;
  readonly lostData: string | null;
  readonly disk: DiskStatus | null;
}

/** Of a note, which may be an error of any length; `--json` has all of it. */
const MAX_NOTE = 100;
/** What is worst comes first; the rest is counted. */
const MAX_PROJECTIONS = 8;

/** What an operator looks at, on one screen: what is wrong first. */
export function statusLines(status: Status): string[] {
  const { program, events, projections, jobs, deadLetters, lostData, disk } = status;
  const troubled = projections.filter(isTroubled).sort((a, b) => weight(b) - weight(a) || b.lag - a.lag);
  const rows: [string, string][] = [
    ['lost data', lostData ?? 'none'],
    ['events', `position ${events}`],
    ['ledger tree', treeText(status)],
    ['jobs', jobsText(jobs)],
    ['dead letters', deadLetters === 0 ? 'none' : `${deadLetters}: tidemark dead-letters list`],
    ...(disk
      ? ([['disk', `${size(disk.bytes)} in ${disk.folder}, ${size(disk.freeBytes)} free`]] as [
          string,
          string,
        ][])
      : []),
  ];
  return [
    ...programLines(status),
    ...(program.running ? [] : ['What follows is what is stored.']),
    '',
    ...table(rows.map(([name, text]) => [name, clipped(text)])),
    '',
    ...projectionLines(troubled, projections.length),
    ...indexerLines(status.indexers),
  ];
}

/** It has a checkpoint of its own: a program that was killed may leave it behind while all projections are up to date. */
function treeText({ program, events, ledgerTree: { events: size, includedUpTo } }: Status): string {
  const found = counted(size, 'event');
  if (includedUpTo >= events) return found;
  const who = program.running ? 'the program' : 'the next start';
  return `${found} up to position ${includedUpTo}; ${who} adds what follows`;
}

/** Jobs for later, such as those of schedules, always wait: only those that are due are a backlog. */
const jobsText = ({ waiting, delayed, running, failed }: QueueCounts): string =>
  `${waiting - delayed} due, ${running} running, ${failed} failed, ${delayed} for later`;

/** What the program says of itself. */
export function programLines({ program, off }: Pick<Status, 'program' | 'off'>): string[] {
  const networks = off.length > 0 ? [`off: ${off.join(', ')}`] : [];
  if (!program.running)
    return [
      program.starting
        ? `tidemark has claimed the data folder and does not answer at ${program.url}: ${program.reason}`
        : notRunning(program),
      ...(program.killed ? [killedLine(program.killed)] : []),
      ...networks,
    ];
  const { url, status, pid, startedAt, checks } = program;
  const since = startedAt === null ? '' : ` since ${toSeconds(startedAt)}`;
  const failed = Object.entries(checks).filter(([, result]) => result !== 'ok' && result !== 'off');
  const sources = Object.keys(checks).filter(name => name.endsWith(SOURCES));
  const working = sources.filter(name => checks[name] === 'ok').map(networkOf);
  return [
    `tidemark is ${status.replace('_', ' ')} at ${url}${pid === null ? '' : ` (pid ${pid}${since})`}`,
    ...(working.length > 0 ? [`sources: ${working.join(', ')}`] : []),
    ...failed.map(([name, reason]) => clipped(`! ${name}: ${reason}`)),
    ...networks,
  ];
}

const killedLine = ({ pid, startedAt }: { readonly pid: number; readonly startedAt: string }): string =>
  `the last one (pid ${pid} since ${toSeconds(startedAt)}) was killed, or the machine failed: a start continues where it was`;

const toSeconds = (instant: string): string => `${instant.slice(0, 19)}Z`;

const SOURCES = '_sources';
/** The networks that a running program says are off. */
export function offSources(checks: Readonly<Record<string, string>>): string[] {
  return Object.keys(checks)
    .filter(name => name.endsWith(SOURCES) && checks[name] === 'off')
    .map(networkOf);
}

const networkOf = (check: string): string => check.slice(0, -SOURCES.length).replace('_', ' ');

/** Of the projections of observations. */
const OBSERVED = 'observed-';

/** There are dozens of observations, which are behind together: those that nothing is wrong with are one. */
function foldObserved(troubled: readonly ProjectionStatus[]): ProjectionStatus[] {
  const isFolded = (each: ProjectionStatus): boolean => each.name.startsWith(OBSERVED) && weight(each) < 2;
  const folded = troubled.filter(isFolded);
  const [first] = folded;
  if (first === undefined || folded.length === 1) return [...troubled];
  const one = {
    ...first,
    name: `${folded.length} of ${OBSERVED}…`,
    lag: Math.max(...folded.map(({ lag }) => lag)),
    building: sumOf(folded.flatMap(({ building }) => building ?? [])),
  };
  return troubled.flatMap(each => (each === first ? one : isFolded(each) ? [] : each));
}

type Building = NonNullable<ProjectionStatus['building']>;

function sumOf([first, ...others]: readonly Building[]): Building | null {
  if (first === undefined) return null;
  return others.reduce(
    (sum, { done, total }) => ({ ...sum, done: sum.done + done, total: sum.total + total }),
    first,
  );
}

function projectionLines(troubled: readonly ProjectionStatus[], count: number): string[] {
  const rest = count - troubled.length;
  const ok =
    rest === count
      ? `all ${count} projections are up to date`
      : `${rest === 1 ? '1 other is' : `${rest} others are`} up to date`;
  if (troubled.length === 0) return [ok];
  const shown = foldObserved(troubled);
  const hidden = shown.length - MAX_PROJECTIONS;
  return [
    ...table([
      ['PROJECTION', 'STATE', 'LAG', 'NOTE'],
      ...shown
        .slice(0, MAX_PROJECTIONS)
        .map(({ name, state, lag, fault, incomplete, building }) => [
          name,
          state,
          String(lag),
          clipped(
            fault
              ? `${fault.at}: ${fault.error}`
              : incomplete
                ? `lacks ${counted(incomplete.events, 'event')} up to position ${incomplete.upTo}: tidemark rebuild ${name}`
                : building
                  ? `building ${building.done}/${building.total}`
                  : '',
          ),
        ]),
    ]),
    ...(hidden > 0 ? [`and ${hidden} more that are behind`] : []),
    ...(rest > 0 ? [ok] : []),
  ];
}

const isTroubled = ({ state, lag, fault, incomplete, building }: ProjectionStatus): boolean =>
  fault !== null || incomplete !== null || building !== null || lag > 0 || state !== 'live';

const weight = ({ state, incomplete }: ProjectionStatus): number =>
  state === 'stopped' || incomplete ? 2 : state === 'live' ? 0 : 1;

const indexerLines = (indexers: readonly StoredIndexerStatus[]): string[] =>
  indexers.length === 0
    ? []
    : [
        '',
        ...table([
          ['INDEXER', 'INDEXED HEIGHT', 'TIP', 'LAG', 'GAP'],
          ...indexers.map(({ indexer, indexedHeight, tip, gap }) => [
            indexer,
            String(indexedHeight),
            tip === null ? '' : String(tip),
            tip === null ? '' : String(Math.max(tip - indexedHeight, 0)),
            clipped(gap ?? ''),
          ]),
        ]),
      ];

const clipped = (text: string): string =>
  text.length <= MAX_NOTE ? text : `${text.slice(0, MAX_NOTE - 1)}…`;

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** With decimal units. */
function size(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return `${(bytes / 1000 ** power).toFixed(power === 0 || bytes / 1000 ** power >= 100 ? 0 : 1)} ${UNITS[power]}`;
}
