/** What the types of the language lack of WebAssembly. */
export interface Instance {
  readonly exports: Readonly<Record<string, unknown>>;
}

export interface Table {
  readonly length: number;
  get(index: number): unknown;
  set(index: number, called: unknown): void;
  grow(by: number): number;
}

interface Api {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (compiled: object, imports: object) => Instance;
  readonly Table: new (limits: { readonly element: 'anyfunc'; readonly initial: number }) => Table;
  readonly Memory: new (limits: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(compiled: object, imports: object): Promise<Instance>;
}

export const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: Api };
