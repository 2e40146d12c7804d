import { ComponentSchemas, type Schema } from './component-schemas';

type Kind = 'headers' | 'parameters' | 'responses' | 'examples';

/** What a document describes once, and refers to by name. */
export class Components {
  readonly schemas = new ComponentSchemas();
  readonly #named: Readonly<Record<Kind, Map<string, Schema>>> = {
    headers: new Map(),
    parameters: new Map(),
    responses: new Map(),
    examples: new Map(),
  };

  /** A reference to a component, which is made on its first use. */
  refer(kind: Kind, name: string, make: () => Schema): Schema {
    const named = this.#named[kind];
    if (!named.has(name)) named.set(name, make());
    return { $ref: `#/components/${kind}/${name}` };
  }

  all(): { readonly schemas: Readonly<Record<string, Schema>> } & Schema {
    const named = Object.entries(this.#named).map(([kind, components]) => [
      kind,
      Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
    ]);
    return { schemas: this.schemas.all(), ...(Object.fromEntries(named) as Schema) };
  }
}
