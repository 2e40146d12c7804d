import { readFile } from 'node:fs/promises';
// By file: the whole package loads an assembler, a debugger and tables, too.
import { Executor } from '@ton/sandbox/dist/executor/Executor';
import { useInvokers } from './invokers';
import { WebAssembly, type Instance } from './webassembly';

interface EmulatorOptions {
  instantiateWasm(
    imports: Record<string, Parameters<typeof useInvokers>[0]>,
    use: (instance: Instance, compiled: object) => void,
  ): void;
}

type CreateEmulator = (options: EmulatorOptions) => Promise<object>;
const ExecutorOf = Executor as unknown as new (emulator: object) => Executor;

interface Machine {
  readonly compiled: object;
  /** The JavaScript around it. */
  readonly glue: string;
}

let reading: Promise<Machine> | undefined;

/** The text of the package's file is read and forgotten: `Executor.create` keeps it and its bytes, 12 MB in each thread. */
async function readMachine(): Promise<Machine> {
  const textOf = (file: string): Promise<string> => readFile(require.resolve(file), 'latin1');
  const glue = await textOf('@ton/sandbox/dist/executor/emulator-emscripten.js');
  // Megabytes between quotes: a pattern would need more stack than a call under many others has.
  const [, base64] = (await textOf('@ton/sandbox/dist/executor/emulator-emscripten.wasm.js')).split("'");
  return { glue, compiled: await WebAssembly.compile(Buffer.from(base64!, 'base64')) };
}

/** A virtual machine with a memory of its own, as `Executor.create` makes it. Those of a thread share its code. */
export async function createExecutor(): Promise<Executor> {
  const { compiled, glue } = await (reading ??= readMachine());
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const createEmulator = require('@ton/sandbox/dist/executor/emulator-emscripten.js') as CreateEmulator;
  const emulator = await createEmulator({
    instantiateWasm(imports, use) {
      const [machineImports] = Object.values(imports);
      const connect = useInvokers(machineImports!, glue);
      void WebAssembly.instantiate(compiled, imports).then(instance => {
        connect(instance);
        use(instance, compiled);
      });
    },
  });
  return new ExecutorOf(emulator);
}
