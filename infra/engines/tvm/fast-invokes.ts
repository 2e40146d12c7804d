import { invokesModule, SLOTS } from './invokes-module';
import {
  compile,
  instantiate,
  TableOf,
  type ImportedFunction,
  type Imports,
  type Instance,
} from './web-assembly';

/** Replaces the functions by which a machine calls what may throw. */
export interface FastInvokes {
  readonly imports: Imports;
  /** Before the machine runs: what it calls is in its table. */
  connect(machine: Instance): void;
}

/** Exports of a machine have short names; the package's JavaScript says of which function. */
const EXPORTS: Readonly<Record<(typeof SLOTS)[number], RegExp>> = {
  stackSave: /\b_emscripten_stack_get_current=wasmExports\["(\w+)"\]/,
  stackRestore: /\b__emscripten_stack_restore=wasmExports\["(\w+)"\]/,
  setThrew: /\b_setThrew=wasmExports\["(\w+)"\]/,
};
const INVOKE = /^invoke_[vijfd][ijfd]*$/;
const THROWS = new Set(['___cxa_throw', '___cxa_rethrow', '___resumeException']);

let compiling: Promise<object> | undefined;

/** @param glue the JavaScript of the machine. @throws when it is not as Emscripten writes it */
export async function fastInvokes(imports: Imports, glue: string): Promise<FastInvokes> {
  const exported = SLOTS.map(slot => {
    const [, name] = EXPORTS[slot].exec(glue) ?? [];
    if (name === undefined) throw new Error(`the virtual machine has no ${slot}`);
    return name;
  });
  const given = Object.values(imports).flatMap(each => Object.values(each).map(({ name }) => name));
  const invokes = given.filter(name => INVOKE.test(name));
  const compiled = await (compiling ??= compile(invokesModule(invokes)));

  let isException = false;
  const noting =
    (run: ImportedFunction): ImportedFunction =>
    (...parameters) => {
      try {
        return run(...parameters);
      } catch (error) {
        // C++ throws the address of an exception; all else is the end of the machine.
        isException = typeof error === 'number';
        throw error;
      }
    };
  const { exports } = await instantiate(compiled, {
    tvm: {
      isException() {
        const was = isException;
        isException = false;
        return Number(was);
      },
    },
  });
  const functions = exports['functions'] as InstanceType<typeof TableOf>;
  const replaced = (run: ImportedFunction): ImportedFunction => {
    if (INVOKE.test(run.name)) return exports[run.name] as ImportedFunction;
    return THROWS.has(run.name) ? noting(run) : run;
  };
  return {
    imports: mapImports(imports, replaced),
    connect(machine) {
      const table = Object.values(machine.exports).find(each => each instanceof TableOf)!;
      exported.forEach((name, slot) => functions.set(slot, machine.exports[name]));
      functions.grow(table.length);
      for (let n = 0; n < table.length; n++) functions.set(SLOTS.length + n, table.get(n));
    },
  };
}

function mapImports(imports: Imports, change: (run: ImportedFunction) => ImportedFunction): Imports {
  const ofModule = (functions: Imports[string]): Imports[string] =>
    Object.fromEntries(Object.entries(functions).map(([name, run]) => [name, change(run)]));
  return Object.fromEntries(Object.entries(imports).map(([name, functions]) => [name, ofModule(functions)]));
}
