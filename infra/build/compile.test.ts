import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import '../../test/starts-programs';
import { temporaryFolder } from '../../test/temporary-folder';

const ROOT = join(__dirname, '..', '..');

/** A repository of few files, with the compiler of this one. */
function repository(files: Record<string, string>) {
  const root = temporaryFolder();
  const write = (file: string, text: string): void => {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  for (const file of ['infra/build/compile.js', 'infra/config/supported-node.js'])
    cpSync(join(ROOT, file), join(root, file));
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  for (const [file, text] of Object.entries(files)) write(file, text);
  const npm = (...args: string[]) => spawnSync('npm', args, { cwd: root, encoding: 'utf8' });
  const compile = () =>
    spawnSync(process.execPath, [join(root, 'infra/build/compile.js')], { encoding: 'utf8' });
  return {
    root,
    write,
    npm,
    compile,
    run: (file: string) => execFileSync(process.execPath, [join(root, 'dist', file)], { encoding: 'utf8' }),
  };
}

const ONE = `export const one: number = 1;`;
const MAIN = `import { one } from '../contracts/one';\nprocess.stdout.write(String(one));`;

describe('the compiler of npm start', () => {
  it('compiles all files once, and then what has changed', () => {
    const { write, compile, run } = repository({ 'contracts/one.ts': ONE, 'infra/main.ts': MAIN });
    expect(compile()).toMatchObject({ status: 0, stderr: expect.stringContaining('compiling 3 of 3 files') });
    expect(run('infra/main.js')).toBe('1');
    expect(compile()).toMatchObject({ status: 0, stderr: '' });
    write('contracts/one.ts', ONE.replace('= 1', '= 2'));
    expect(compile().stderr).toContain('compiling 1 of 3 files');
    expect(run('infra/main.js')).toBe('2');
  });

  it('loads what a command names once it is used, and what other files name with them', () => {
    const loaded = `process.stdout.write('loaded '); export const one = 1;`;
    const use = `process.stdout.write('begun '); export const two = one + 1; process.stdout.write(String(two));`;
    const { compile, run } = repository({
      'contracts/one.ts': loaded,
      'infra/cli/use.ts': `import { one } from '../../contracts/one';\n${use}`,
      'services/use.ts': `import { one } from '../contracts/one';\n${use}`,
    });
    compile();
    expect(run('infra/cli/use.js')).toBe('begun loaded 2');
    expect(run('services/use.js')).toBe('loaded begun 2');
  });

  it('leaves what browsers load in modules, and its types out', () => {
    const { root, compile } = repository({
      'infra/console/browser/main.tsx': `import type { Fee } from '../../../contracts/fee';
import { row } from './row';
export const Page = ({ fees }: { fees: Fee[] }) => <table>{fees.map(row)}</table>;`,
    });
    expect(compile().status).toBe(0);
    const compiled = readFileSync(join(root, 'dist/infra/console/browser/main.js'), 'utf8');
    expect([...compiled.matchAll(/from ["'](.*)["']/g)].map(([, from]) => from)).toEqual([
      'preact/jsx-runtime',
      './row',
    ]);
  });

  it('removes what was compiled from a file that is no longer there', () => {
    const { root, compile } = repository({ 'contracts/one.ts': ONE });
    compile();
    rmSync(join(root, 'contracts/one.ts'));
    compile();
    expect(existsSync(join(root, 'dist/contracts/one.js'))).toBe(false);
    expect(existsSync(join(root, 'dist/infra/config/supported-node.js'))).toBe(true);
  });

  it('fails with a line for a file that is no TypeScript', () => {
    const { compile } = repository({ 'contracts/one.ts': 'export const = ;' });
    expect(compile()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('not compiled: contracts/one.ts: '),
    });
  });

  it.each([
    ['tidemark', 'infra/cli/main.ts'],
    ['tidemark-verify', 'infra/verifier/main.ts'],
  ])('runs before the first use of %s, which passes its arguments and exit code', (script, main) => {
    const { npm } = repository({
      'package.json': readFileSync(join(ROOT, 'package.json'), 'utf8'),
      [main]: `process.stdout.write(process.argv.slice(2).join());\nprocess.exitCode = 5;`,
    });
    const compiled = expect.stringContaining('compiling 2 of 2 files') as string;
    const ran = { status: 5, stdout: 'a,--b' };
    expect(npm('run', '-s', script, '--', 'a', '--b')).toMatchObject({ ...ran, stderr: compiled });
    expect(npm('run', '-s', script, '--', 'a', '--b')).toMatchObject({ ...ran, stderr: '' });
  });

  it('says that packages are not installed', () => {
    const { root, compile } = repository({ 'contracts/one.ts': ONE });
    rmSync(join(root, 'node_modules'));
    expect(compile()).toMatchObject({
      status: 1,
      stderr: 'the packages are not installed: run `npm ci` first\n',
    });
  });
});
