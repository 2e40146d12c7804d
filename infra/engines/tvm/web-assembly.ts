export interface Instance {
  readonly exports: Readonly<Record<string, unknown>>;
}

export interface Table {
  readonly length: number;
  get(index: number): unknown;
  set(index: number, value: unknown): void;
  grow(by: number): number;
}

/** Functions by module and name. */
export type Imports = Record<string, Record<string, ImportedFunction>>;
export type ImportedFunction = (...parameters: never[]) => unknown;

/** The types of the language have none of it. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(compiled: object, imports: Imports): Promise<Instance>;
  readonly Table: { new (): Table; readonly prototype: Table };
};

// `export declare` would be an export of this module, which has none.
const { compile, instantiate, Table: TableOf } = WebAssembly;
export { compile, instantiate, TableOf };
