import { Executor } from '@ton/sandbox/dist/executor/Executor';
// Neither has types.
/* eslint-disable @typescript-eslint/no-require-imports */
const openEmulator = require('@ton/sandbox/dist/executor/emulator-emscripten.js') as OpenEmulator;
const { EmulatorEmscriptenWasm } =
  require('@ton/sandbox/dist/executor/emulator-emscripten.wasm.js') as Record<string, string>;
/* eslint-enable @typescript-eslint/no-require-imports */

type OpenEmulator = (options: {
  instantiateWasm(imports: object, done: (instance: Instance) => void): void;
}) => Promise<object>;

interface Instance {
  readonly exports: object;
}

interface Table {
  readonly length: number;
  get(index: number): unknown;
}

/** As far as it is used here: the types of Node have none. */
const { WebAssembly: wasm } = globalThis as unknown as {
  WebAssembly: {
    compile(bytes: Buffer): Promise<object>;
    Instance: new (compiled: object, imports: object) => Instance;
    Table: new () => Table;
  };
};

const PublicExecutor = Executor as unknown as new (emulator: object) => Executor;

let compiling: Promise<object> | undefined;

/**
 * `Executor.create` with a faster table of functions: the machine calls what may throw through JavaScript, which looks the function
 * up in the table, some thousand times in a transaction.
 */
export async function createExecutor(): Promise<Executor> {
  compiling ??= wasm.compile(Buffer.from(EmulatorEmscriptenWasm!, 'base64'));
  const compiled = await compiling;
  const emulator = await openEmulator({
    instantiateWasm(imports, done) {
      const instance = new wasm.Instance(compiled, imports);
      for (const exported of Object.values(instance.exports))
        if (exported instanceof wasm.Table) lookUpInArray(exported);
      done(instance);
    },
  });
  return new PublicExecutor(emulator);
}

/** The machine does not change its table. */
function lookUpInArray(table: Table): void {
  const functions = Array.from({ length: table.length }, (_, index) => table.get(index));
  table.get = index => functions[index];
}
