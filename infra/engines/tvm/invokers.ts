import { invokersModule, STACK_FUNCTIONS } from './invokers-module';
import { WebAssembly, type Instance } from './webassembly';

type Imports = Record<string, (...given: never[]) => unknown>;

/** They throw exceptions of C++, and nothing else does. */
const THROWING = ['___cxa_throw', '___cxa_rethrow', '___resumeException'];

/**
 * The machine calls whatever may throw through a function in JavaScript, 40,000 times in the emulation of a transfer. Here these are
 * functions of WebAssembly, which call each other much faster; and its clock, which its log reads with every line, stands still.
 * @param imports of the machine, which are changed
 * @param glue the JavaScript around it, where Emscripten says what the exports are
 * @returns what has to be called with the machine before it runs
 */
export function useInvokers(imports: Imports, glue: string): (machine: Instance) => void {
  const keys = new Map(Object.entries(imports).map(([key, { name }]) => [name, key]));
  const replace = (name: string, by: (before: Imports[string]) => unknown): void => {
    const key = keys.get(name);
    if (key === undefined) throw new Error(`the virtual machine has no ${name}`);
    imports[key] = by(imports[key]!) as Imports[string];
  };

  let isThrown = false;
  for (const name of THROWING)
    replace(name, before => (...given: never[]) => {
      isThrown = true;
      return before(...given);
    });
  const takeThrown = (): boolean => {
    const was = isThrown;
    isThrown = false;
    return was;
  };

  const names = [...keys.keys()].filter(name => name.startsWith('invoke_'));
  const functions = new WebAssembly.Table({ element: 'anyfunc', initial: 0 });
  const stack = new WebAssembly.Table({ element: 'anyfunc', initial: STACK_FUNCTIONS.length });
  const compiled = new WebAssembly.Module(invokersModule(names));
  const { exports } = new WebAssembly.Instance(compiled, { machine: { takeThrown, functions, stack } });
  for (const name of names) replace(name, () => exports[name]);

  let memory = new BigInt64Array();
  let bufferOf = (): ArrayBuffer => memory.buffer;
  replace('_clock_time_get', () => (_clock: number, _precision: bigint, at: number) => {
    // It grows into another buffer.
    if (memory.length === 0) memory = new BigInt64Array(bufferOf());
    memory[at / BigInt64Array.BYTES_PER_ELEMENT] = 0n;
    return 0;
  });

  return ({ exports: machine }) => {
    STACK_FUNCTIONS.forEach((name, place) => stack.set(place, machine[exportOf(name, glue)]));
    for (const exported of Object.values(machine)) {
      if (exported instanceof WebAssembly.Memory) bufferOf = () => exported.buffer;
      if (!(exported instanceof WebAssembly.Table)) continue;
      // The machine does not change its table.
      functions.grow(exported.length);
      for (let n = 0; n < exported.length; n++) functions.set(n, exported.get(n));
    }
  };
}

function exportOf(name: string, glue: string): string {
  const [, exported] = new RegExp(`\\b${name}=wasmExports\\["(\\w+)"\\]`).exec(glue) ?? [];
  if (exported === undefined) throw new Error(`the virtual machine exports no ${name}`);
  return exported;
}
