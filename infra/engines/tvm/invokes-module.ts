/*
 * Emscripten compiles every call that may throw into a call of `invoke_…` in JavaScript, some thousand in a transaction: that looks the
 * function up in a table, and catches. What is made here does the same in WebAssembly, which has exceptions of its own: an emulation
 * takes a tenth of its time less.
 */

/** The binary format of WebAssembly, with the exceptions that every version of Node in use has. */
const MAGIC_AND_VERSION = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const SECTION = { types: 1, imports: 2, functions: 3, tables: 4, exports: 7, code: 10 };
const TYPE = { i: 0x7f, j: 0x7e, f: 0x7d, d: 0x7c } as const;
const [FUNCTION_TYPE, FUNCTION_REFERENCE, NO_RESULT] = [0x60, 0x70, 0x40];
const ZERO = { i: [0x41, 0], j: [0x42, 0], f: [0x43, 0, 0, 0, 0], d: [0x44, 0, 0, 0, 0, 0, 0, 0, 0], v: [] };
const [IF, TRY, RETHROW, END, CALL, CALL_INDIRECT, CATCH_ALL] = [0x04, 0x06, 0x09, 0x0b, 0x10, 0x11, 0x19];
const [LOCAL_GET, LOCAL_SET, I32_CONST, I32_EQZ, I32_ADD] = [0x20, 0x21, 0x41, 0x45, 0x6a];

type Value = keyof typeof TYPE;
type Result = Value | 'v';

/** Of a function: `iij` takes an i32 and an i64, and returns an i32. */
interface Signature {
  readonly result: Result;
  readonly parameters: readonly Value[];
}

/** Where the table has what the machine itself exports; its functions come after them. */
export const SLOTS = ['stackSave', 'stackRestore', 'setThrew'] as const;
const [STACK_SAVE, STACK_RESTORE, SET_THREW] = [0, 1, 2];

const unsigned = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
const vector = (items: readonly (readonly number[])[]): number[] => [
  ...unsigned(items.length),
  ...items.flat(),
];
const sized = (bytes: readonly number[]): number[] => [...unsigned(bytes.length), ...bytes];
const text = (value: string): number[] => sized([...Buffer.from(value)]);
const constant = (value: number): number[] => [I32_CONST, ...unsigned(value)];

/**
 * A module that exports functions of these names, such as `invoke_iij`, and the table `functions` in which they look up. Its import
 * `tvm.isException` tells whether what was caught is an exception of C++; anything else is thrown again.
 */
export function invokesModule(names: readonly string[]): Uint8Array {
  const types = typeList();
  const isExceptionType = types.of({ result: 'i', parameters: [] });
  const invokes = names.map(name => {
    const callee = signatureOf(name);
    return { name, callee, type: types.of({ ...callee, parameters: ['i', ...callee.parameters] }) };
  });
  const code = invokes.map(({ callee }) => sized(bodyOf(callee, types)));
  const section = (id: number, items: readonly (readonly number[])[]): number[] => [
    id,
    ...sized(vector(items)),
  ];
  return Uint8Array.from([
    ...MAGIC_AND_VERSION,
    ...section(SECTION.types, types.all()),
    ...section(SECTION.imports, [[...text('tvm'), ...text('isException'), 0, isExceptionType]]),
    ...section(
      SECTION.functions,
      invokes.map(({ type }) => unsigned(type)),
    ),
    ...section(SECTION.tables, [[FUNCTION_REFERENCE, 0, ...unsigned(SLOTS.length)]]),
    ...section(SECTION.exports, [
      [...text('functions'), 1, 0],
      // The import is the first function.
      ...invokes.map(({ name }, index) => [...text(name), 0, ...unsigned(index + 1)]),
    ]),
    ...section(SECTION.code, code),
  ]);
}

/** @param name `invoke_` and the letters of the result and the parameters of the function that is called */
function signatureOf(name: string): Signature {
  const [result, ...parameters] = name.slice('invoke_'.length) as Iterable<Value>;
  return { result: result!, parameters };
}

interface TypeList {
  /** Its number. */
  of(signature: Signature): number;
  all(): number[][];
}

function typeList(): TypeList {
  const numbers = new Map<string, number>();
  const all: number[][] = [];
  return {
    of({ result, parameters }) {
      const key = [result, ...parameters].join('');
      const known = numbers.get(key);
      if (known !== undefined) return known;
      const results = result === 'v' ? [] : [[TYPE[result]]];
      all.push([FUNCTION_TYPE, ...vector(parameters.map(each => [TYPE[each]])), ...vector(results)]);
      numbers.set(key, all.length - 1);
      return all.length - 1;
    },
    all: () => all,
  };
}

/** As Emscripten has it in JavaScript: the stack is restored, and what is called next asks whether something was thrown. */
function bodyOf({ result, parameters }: Signature, types: TypeList): number[] {
  const callAt = (signature: Signature): number[] => [CALL_INDIRECT, ...unsigned(types.of(signature)), 0];
  const stack = 1 + parameters.length;
  return [
    ...vector([[1, TYPE.i]]),
    ...[...constant(STACK_SAVE), ...callAt({ result: 'i', parameters: [] }), LOCAL_SET, stack],
    ...[TRY, result === 'v' ? NO_RESULT : TYPE[result]],
    ...parameters.flatMap((_, index) => [LOCAL_GET, index + 1]),
    ...[LOCAL_GET, 0, ...constant(SLOTS.length), I32_ADD, ...callAt({ result, parameters })],
    CATCH_ALL,
    ...[LOCAL_GET, stack, ...constant(STACK_RESTORE), ...callAt({ result: 'v', parameters: ['i'] })],
    ...[CALL, 0, I32_EQZ, IF, NO_RESULT, RETHROW, 1, END],
    ...[...constant(1), ...constant(0), ...constant(SET_THREW)],
    ...callAt({ result: 'v', parameters: ['i', 'i'] }),
    ...[...ZERO[result], END, END],
  ];
}
