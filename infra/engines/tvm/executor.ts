import { readFile } from 'node:fs/promises';
// By file: the whole package loads an assembler, a debugger and tables, too.
import { Executor } from '@ton/sandbox/dist/executor/Executor';

interface Instance {
  readonly exports: object;
}

interface Table {
  readonly length: number;
  get(index: number): unknown;
}

/** The types of the language have none of it. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(compiled: object, imports: object): Promise<Instance>;
  readonly Table: new () => Table;
};

interface EmulatorOptions {
  instantiateWasm(imports: object, use: (instance: Instance, compiled: object) => void): void;
}

type CreateEmulator = (options: EmulatorOptions) => Promise<object>;
const ExecutorOf = Executor as unknown as new (emulator: object) => Executor;

let compiling: Promise<object> | undefined;

/** The text of the package's file is read and forgotten: `Executor.create` keeps it and its bytes, 12 MB in each thread. */
async function compileEmulator(): Promise<object> {
  const file = require.resolve('@ton/sandbox/dist/executor/emulator-emscripten.wasm.js');
  // Megabytes between quotes: a pattern would need more stack than a call under many others has.
  const [, base64] = (await readFile(file, 'latin1')).split("'");
  return WebAssembly.compile(Buffer.from(base64!, 'base64'));
}

/**
 * A virtual machine with a memory of its own, as `Executor.create` makes it. Those of a thread share its code, and find their functions
 * faster: the machine calls what may throw through JavaScript, which looks the function up, some thousand times in a transaction.
 */
export async function createExecutor(): Promise<Executor> {
  const compiled = await (compiling ??= compileEmulator());
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const createEmulator = require('@ton/sandbox/dist/executor/emulator-emscripten.js') as CreateEmulator;
  const emulator = await createEmulator({
    instantiateWasm: (imports, use) =>
      void WebAssembly.instantiate(compiled, imports).then(instance => {
        for (const exported of Object.values(instance.exports))
          if (exported instanceof WebAssembly.Table) lookUpInArray(exported);
        use(instance, compiled);
      }),
  });
  return new ExecutorOf(emulator);
}

/** The machine does not change its table. */
function lookUpInArray(table: Table): void {
  const functions = Array.from({ length: table.length }, (_, index) => table.get(index));
  table.get = index => functions[index];
}
