/*
 * The binary format of WebAssembly (webassembly.github.io/spec/core/binary), and `try` of its first proposal of exceptions, which all
 * versions of Node know.
 */
const [MAGIC, VERSION] = [
  [0, 0x61, 0x73, 0x6d],
  [1, 0, 0, 0],
];
const [TYPES, IMPORTS, FUNCTIONS, EXPORTS, CODES] = [1, 2, 3, 7, 10];
const [FUNCTION, TABLE, FUNCTION_TYPE, ANY_FUNCTION, NOTHING] = [0, 1, 0x60, 0x70, 0x40];
const [IF, TRY, RETHROW, END, CATCH_ALL] = [0x04, 0x06, 0x09, 0x0b, 0x19];
const [CALL, CALL_INDIRECT, LOCAL_GET, LOCAL_SET, I32_CONST, I32_EQZ] = [0x10, 0x11, 0x20, 0x21, 0x41, 0x45];

/** By the letters that Emscripten has for them: integers of 32 and 64 bits, then numbers with a fraction. */
const VALUE_TYPES: Readonly<Record<string, number>> = { i: 0x7f, j: 0x7e, f: 0x7d, d: 0x7c };
const ZEROS: Readonly<Record<string, readonly number[]>> = {
  v: [],
  i: [I32_CONST, 0],
  j: [0x42, 0],
  f: [0x43, 0, 0, 0, 0],
  d: [0x44, 0, 0, 0, 0, 0, 0, 0, 0],
};

/** Functions of the machine that the module calls, by their places in a table of three. */
export const STACK_FUNCTIONS = ['_emscripten_stack_get_current', '__emscripten_stack_restore', '_setThrew'];
/** What they take and return. */
const STACK_TYPES = ['i', 'vi', 'vii'];

/**
 * A module of functions that call others by their places in a table, as the ones in JavaScript do that Emscripten makes: `invoke_vij`
 * calls a function `(i32, i64) -> ()`. An exception of C++ is caught: the stack is as it was before, and the machine is told of it.
 * Imports: the tables `functions` and `stack`, and `takeThrown`, which says whether what was thrown is such an exception.
 */
export function invokersModule(names: readonly string[]): Uint8Array {
  const signatures = names.map(name => name.slice('invoke_'.length));
  const types = [...STACK_TYPES, ...signatures.flatMap(called => [invokerOf(called), called])];
  const invokerType = (index: number): number => STACK_TYPES.length + 2 * index;
  return Uint8Array.from([
    ...MAGIC!,
    ...VERSION!,
    ...section(TYPES!, types.map(functionType)),
    ...section(IMPORTS!, [
      [...imported('takeThrown'), FUNCTION!, 0],
      [...imported('functions'), TABLE!, ANY_FUNCTION!, 0, 0],
      [...imported('stack'), TABLE!, ANY_FUNCTION!, 0, 0],
    ]),
    ...section(
      FUNCTIONS!,
      signatures.map((_, index) => unsigned(invokerType(index))),
    ),
    ...section(
      EXPORTS!,
      names.map((name, index) => [...text(name), FUNCTION!, ...unsigned(index + 1)]),
    ),
    ...section(
      CODES!,
      signatures.map((called, index) => code(called, invokerType(index) + 1)),
    ),
  ]);
}

/** Before the arguments it takes the place of what is called. */
const invokerOf = (called: string): string => `${called[0]}i${called.slice(1)}`;

function functionType(signature: string): number[] {
  const [result, ...parameters] = signature;
  const valueTypes = (letters: readonly string[]): number[] => vector(letters.map(of => [VALUE_TYPES[of]!]));
  return [FUNCTION_TYPE!, ...valueTypes(parameters), ...valueTypes(result === 'v' ? [] : [result!])];
}

function code(called: string, type: number): number[] {
  const [result, ...parameters] = called;
  const stackPointer = parameters.length + 1;
  const locals = vector([[1, VALUE_TYPES['i']!]]);
  return sized([
    ...locals,
    ...[...callStack(0), LOCAL_SET!, stackPointer],
    ...[TRY!, result === 'v' ? NOTHING! : VALUE_TYPES[result!]!],
    ...parameters.flatMap((_, index) => [LOCAL_GET!, index + 1]),
    ...[LOCAL_GET!, 0, CALL_INDIRECT!, ...unsigned(type), 0],
    ...[CATCH_ALL!, CALL!, 0, I32_EQZ!, IF!, NOTHING!, RETHROW!, 1, END!],
    ...[LOCAL_GET!, stackPointer, ...callStack(1)],
    ...[I32_CONST!, 1, I32_CONST!, 0, ...callStack(2)],
    ...[...ZEROS[result!]!, END!, END!],
  ]);
}

const callStack = (place: number): number[] => [I32_CONST!, place, CALL_INDIRECT!, place, 1];

const imported = (name: string): number[] => [...text('machine'), ...text(name)];
const text = (value: string): number[] => sized([...Buffer.from(value)]);
const section = (id: number, items: readonly (readonly number[])[]): number[] => [
  id,
  ...sized(vector(items)),
];
const vector = (items: readonly (readonly number[])[]): number[] => [
  ...unsigned(items.length),
  ...items.flat(),
];
const sized = (bytes: readonly number[]): number[] => [...unsigned(bytes.length), ...bytes];
/** LEB128. */
const unsigned = (value: number): number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >> 7)];
