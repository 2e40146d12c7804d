import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ProgramsFirst from './sequencer';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-sequencer-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const long = write('long.test.ts', 'it();\n'.repeat(99));
const short = write('short.test.ts', 'it();\n');
const program = write('program.test.ts', "import '../starts-programs';\n");
const killed = write('made.crash.test.ts', '');
const tour = write('tour.test.ts', "import { runTour } from '../e2e/tour';\n");
const load = write(
  'load.test.ts',
  "import { fund } from '../crash/transfer-load';\nimport './tidemark/dedicated-servers';\n",
);
const servers = write('servers.test.ts', "import { start } from './tidemark/dedicated-servers';\n");

/** The order in which jest starts these, when it knows some durations in milliseconds. */
function order(paths: readonly string[], durations: Readonly<Record<string, number>> = {}): string[] {
  const sequencer = new ProgramsFirst({} as never);
  Object.assign(sequencer, { time: ({ path }: { path: string }) => durations[path], hasFailed: () => false });
  const sizes = { [long]: 999, [short]: 1, [program]: 2, [servers]: 3, [load]: 2, [tour]: 0, [killed]: 3 };
  const context = { hasteFS: { getSize: (path: string) => sizes[path] } };
  return sequencer.sort(paths.map(path => ({ path, context }))).map(({ path }: { path: string }) => path);
}

test('the tour is started first, then what kills programs, and what starts programs or servers; between them the others from the largest on', () => {
  expect(order([short, long, program, servers, load, killed, tour])).toEqual([
    tour,
    long,
    killed,
    short,
    load,
    servers,
    program,
  ]);
});

test('where jest knows how long tests took, they are started in that order', () => {
  expect(order([short, long, program], { [short]: 3_000, [long]: 1_000, [program]: 2_000 })).toEqual([
    short,
    program,
    long,
  ]);
});
