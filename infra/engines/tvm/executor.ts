import { readFile } from 'node:fs/promises';
// By file: the whole package loads an assembler, a debugger and tables, too.
import { Executor } from '@ton/sandbox/dist/executor/Executor';
import { fastInvokes } from './fast-invokes';
import { compile, instantiate, type Imports, type Instance } from './web-assembly';

interface EmulatorOptions {
  instantiateWasm(imports: Imports, use: (instance: Instance, compiled: object) => void): void;
}

type CreateEmulator = (options: EmulatorOptions) => Promise<object>;
const ExecutorOf = Executor as unknown as new (emulator: object) => Executor;

let compiling: Promise<object> | undefined;

/** The text of the package's file is read and forgotten: `Executor.create` keeps it and its bytes, 12 MB in each thread. */
async function compileEmulator(): Promise<object> {
  const file = require.resolve('@ton/sandbox/dist/executor/emulator-emscripten.wasm.js');
  const [, base64] = /'([^']+)'/.exec(await readFile(file, 'latin1'))!;
  return compile(Buffer.from(base64!, 'base64'));
}

/** A virtual machine with a memory of its own, as `Executor.create` makes it, but faster. Those of a thread share its code. */
export async function createExecutor(): Promise<Executor> {
  const compiled = await (compiling ??= compileEmulator());
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const createEmulator = require('@ton/sandbox/dist/executor/emulator-emscripten.js') as CreateEmulator;
  const start = async (imports: Imports): Promise<Instance> => {
    const invokes = await fastInvokes(imports, createEmulator.toString());
    const instance = await instantiate(compiled, invokes.imports);
    invokes.connect(instance);
    return instance;
  };
  const emulator = await new Promise<object>((resolve, reject) => {
    createEmulator({
      instantiateWasm: (imports, use) => void start(imports).then(each => use(each, compiled), reject),
    }).then(resolve, reject);
  });
  return new ExecutorOf(emulator);
}
