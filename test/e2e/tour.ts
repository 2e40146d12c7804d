import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { openSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PROJECTIONS } from '../../infra/program/features';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import { send } from './client';
import { untilProjected } from './projected';
import { environment, type Settings } from './tidemark';
import { isAnswerShown, tourStops, type TourStop } from './tour-stops';

const ROOT = join(__dirname, '..', '..');

/** Ends a tour that hangs, before the test is ended, which could not say where. */
const MAX_TOUR_MS = 1_800_000;
/** For the test that runs the README's calls and the tour. */
export const TOUR_TEST_MS = 2 * MAX_TOUR_MS;

/** Of an answer in the message of a failed tour. */
const MAX_SHOWN_CHARACTERS = 2_000;

/** Addresses that replace the default one of the pages. */
export interface TourUrls {
  readonly api: string;
  /** Of `GET /devnet`. */
  readonly devnet: string;
  /** Of a process that has the role of projections. */
  readonly projections: string;
}

/** The README's calls, and the tour: a person types the first, then opens the second. */
function pages({ api, devnet }: TourUrls): string[] {
  const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
  const [calls] = /^## Five calls$[^]*?(?=^## )/m.exec(read('README.md'))!;
  return [calls, read('docs/tour.md')].map(page =>
    page.replaceAll('$TIDEMARK/devnet', `${devnet}/devnet`).replaceAll('http://localhost:3000', api),
  );
}

/** Ends what a block printed. */
const MARK_STOP = String.raw`printf '\x1d'`;
/**
 * Makes bash write each command before it runs, between two separators; functions are not entered. Before those that are typed it
 * asks a URL, which answers once everything is folded, as it is when a person has read an answer and typed the next command.
 */
const markCommands = (pause: string): string =>
  [
    `trap '[ $BASH_SUBSHELL -ne 0 ] || {`,
    `[[ $BASH_COMMAND == "printf "* ]] || curl -s ${pause};`,
    String.raw`printf "\x1e%s\x1f" "$BASH_COMMAND"; }' DEBUG`,
  ].join(' ');

/** What was printed before the first command, and each command with what it printed. */
const commandsOf = (output: string): [command: string, printed: string][] =>
  output.split('\x1e').map((part, at) => (at === 0 ? `\x1f${part}` : part).split('\x1f') as [string, string]);
const withoutCommands = (output: string): string =>
  commandsOf(output)
    .map(([, printed]) => printed)
    .join('');
const readable = (output: string): string =>
  commandsOf(output)
    .map(([command, printed]) => `\n$ ${command}\n${printed}`)
    .join('')
    .slice(-MAX_SHOWN_CHARACTERS);

/**
 * Types the README's calls and the tour, and compares what they print with what is shown there.
 * @throws naming the first command that fails, or what is shown and not printed
 */
export async function runTour(places: TourUrls, settings: Settings): Promise<void> {
  // A person reads the first paragraphs meanwhile.
  await until(
    () => send(places.devnet, 'GET', '/devnet'),
    ({ body }) => (body as { seeded: boolean }).seeded,
  );
  const folder = temporaryFolder();
  const pause = createServer((_, response) => {
    void untilProjected(places.projections)
      .catch(() => undefined)
      .finally(() => response.end());
  }).listen(0, '127.0.0.1');
  await once(pause, 'listening');
  const { port } = pause.address() as AddressInfo;
  try {
    for (const page of pages(places))
      expectShown(tourStops(page), await typed(page, folder, settings, `http://127.0.0.1:${port}`));
  } finally {
    pause.close();
  }
}

async function typed(page: string, folder: string, settings: Settings, pause: string): Promise<string> {
  const file = join(folder, 'output');
  // One file for both, so that all is in the order in which it was written.
  const output = openSync(file, 'w');
  const script = tourStops(page).map(stop => `${stop.script}${MARK_STOP}\n`);
  const child = spawn('bash', ['-eu', '-o', 'pipefail', '-c', [markCommands(pause), ...script].join('\n')], {
    cwd: ROOT,
    // Where `mktemp` makes folders.
    env: { ...environment(settings), TMPDIR: folder },
    stdio: ['ignore', output, output],
    timeout: MAX_TOUR_MS,
    killSignal: 'SIGKILL',
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  const printed = readFileSync(file, 'utf8');
  if (code !== 0) throw new Error(`the tour ended with ${code ?? signal} at ${readable(printed)}`);
  return printed;
}

function expectShown(stops: readonly TourStop[], output: string): void {
  const printed = output.split('\x1d');
  for (const [index, { script, shown }] of stops.entries()) {
    const answer = withoutCommands(printed[index]!);
    if (shown !== undefined && !isAnswerShown(shown, answer))
      throw new Error(`the tour shows ${shown}\nand ${script} printed ${readable(printed[index]!)}`);
    if (script.includes('rebuild --all')) expectAllEqual(answer);
  }
}

/** What the page cannot list: every projection was rebuilt, and none differs. */
function expectAllEqual(answer: string): void {
  const equal = answer.match(/, 0 different/g)?.length ?? 0;
  if (equal < PROJECTIONS.length)
    throw new Error(`${equal} of ${PROJECTIONS.length} projections equal their rebuild: ${readable(answer)}`);
}
