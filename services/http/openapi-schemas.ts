import { z } from 'zod';

export type Schema = Record<string, unknown>;

const DEFS = '#/$defs/';
const COMPONENTS = '#/components/schemas/';

/**
 * The named schemas of a document. A schema with an `id` in its metadata, and one that refers to itself, is a component
 * and referenced. Requests and responses may differ (defaults, transformations): a request's is then `<id>Input`.
 */
export class ComponentSchemas {
  readonly #schemas = new Map<string, Schema>();
  #recursive = 0;

  /** The schema inline, or a reference to it. */
  add(schema: z.ZodType, io: 'input' | 'output'): Schema {
    const {
      $schema: _,
      $defs = {},
      ...root
    } = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      target: 'draft-2020-12',
    }) as Schema & { $defs?: Record<string, Schema> };
    const names = new Map(Object.entries($defs).map(([id, def]) => [id, this.#nameOf(id, def, io)]));
    if (root['$ref'] === '#' || JSON.stringify(root).includes('"$ref":"#"'))
      throw new Error('a schema that refers to itself needs an id');
    const resolved = <S extends Schema>(part: S): S =>
      JSON.parse(JSON.stringify(part), (key, value: unknown) =>
        key === '$ref' && typeof value === 'string' && value.startsWith(DEFS)
          ? COMPONENTS + names.get(decodeURIComponent(value.slice(DEFS.length)))!
          : value,
      ) as S;
    for (const [id, def] of Object.entries($defs)) this.#schemas.set(names.get(id)!, resolved(def));
    return resolved(root);
  }

  /** All of them, by name. */
  all(): Record<string, Schema> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #nameOf(id: string, def: Schema, io: 'input' | 'output'): string {
    if (id.startsWith('__schema')) return `Recursive${++this.#recursive}`;
    const known = this.#schemas.get(id);
    if (io === 'output' || isSame(known, def)) return id;
    return `${id}Input`;
  }
}

/** Schemas with references may have equal text although their references differ, so they are never the same. */
const isSame = (known: Schema | undefined, def: Schema): boolean => {
  const text = JSON.stringify(def);
  return !text.includes('"$ref"') && JSON.stringify(known) === text;
};
