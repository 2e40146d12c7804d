import { z } from 'zod';
import { nameSchemas } from './named-schemas';

export type Schema = Record<string, unknown>;

/** Of a request or of a response: they may differ (defaults, transformations). */
export type Direction = 'input' | 'output';

/** The schema that zod has of it refers to itself; many generators of clients refuse that, and everything that contains it. */
const JSON_VALUE = 'Json';
const DEFS = '#/$defs/';
const COMPONENTS = '#/components/schemas/';

/**
 * The named schemas of a document. A schema with an `id` in its metadata is a component and referenced; that of a request is
 * `<id>Input` where it differs from that of a response.
 */
export class ComponentSchemas {
  readonly #schemas = new Map<string, Schema>();

  /** The schema inline, or a reference to it. */
  add(schema: z.ZodType, io: Direction): Schema {
    const { $schema: _, $defs = {}, ...root } = jsonSchemaOf(schema, io);
    const names = new Map(Object.entries($defs).map(([id, def]) => [id, this.#nameOf(id, def, io)]));
    if (root['$ref'] === '#' || JSON.stringify(root).includes('"$ref":"#"'))
      throw new Error('a schema that refers to itself needs an id');
    const resolved = <S extends Schema>(part: S): S =>
      JSON.parse(JSON.stringify(part), (key, value: unknown) =>
        key === '$ref' && typeof value === 'string' && value.startsWith(DEFS)
          ? COMPONENTS + names.get(decodeURIComponent(value.slice(DEFS.length)))!
          : value,
      ) as S;
    for (const [id, def] of Object.entries($defs)) {
      const name = names.get(id)!;
      this.#schemas.set(name, name === JSON_VALUE ? { description: 'Any JSON value' } : resolved(def));
    }
    return resolved(root);
  }

  /** A reference to the schema under a name, or under its own where it has one. @throws Error when another one has the name */
  name(name: string, schema: Schema): Schema {
    if ('$ref' in schema) return schema;
    const known = this.#schemas.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`two schemas are named ${name}`);
    this.#schemas.set(name, schema);
    return { $ref: COMPONENTS + name };
  }

  /** All of them, by name. */
  all(): Record<string, Schema> {
    return Object.fromEntries([...nameSchemas(this.#schemas)].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #nameOf(id: string, def: Schema, io: Direction): string {
    if (!id.startsWith('__schema')) {
      const known = this.#schemas.get(id);
      return io === 'output' || isSame(known, def) ? id : `${id}Input`;
    }
    if (withoutName(id, def) !== ANY_JSON) throw new Error('a schema that refers to itself needs an id');
    return JSON_VALUE;
  }
}

/** Schemas with references may have equal text although their references differ, so they are never the same. */
const isSame = (known: Schema | undefined, def: Schema): boolean => {
  const text = JSON.stringify(def);
  return !text.includes('"$ref"') && JSON.stringify(known) === text;
};

type JsonSchema = Schema & { $defs?: Record<string, Schema> };

function jsonSchemaOf(schema: z.ZodType, io: Direction): JsonSchema {
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
    // Clients must accept what later versions add to a response.
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      if (io === 'output' && def.type === 'object' && !def.catchall) delete jsonSchema.additionalProperties;
      if (def.type === 'tuple') limitLength(jsonSchema);
      dropSafeBounds(jsonSchema);
    },
  }) as JsonSchema;
}

/** What every number of JSON is within says nothing, and tools make examples of it. */
function dropSafeBounds(schema: z.core.JSONSchema.JSONSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/** The length of a tuple as bounds: some generators of clients refuse schemas that are `false`. */
function limitLength(tuple: z.core.JSONSchema.JSONSchema): void {
  const length = tuple.prefixItems?.length ?? 0;
  tuple.minItems = length;
  if (tuple.items !== undefined && tuple.items !== false) return;
  delete tuple.items;
  tuple.maxItems = length;
}

const withoutName = (id: string, def: Schema): string => JSON.stringify(def).replaceAll(DEFS + id, '#');

/** What zod makes of `z.json()`, which refers to itself without an id. */
const ANY_JSON = anyJson();

function anyJson(): string {
  const { $defs } = jsonSchemaOf(z.array(z.json()), 'output');
  const [[id, def]] = Object.entries($defs!) as [[string, Schema]];
  return withoutName(id, def);
}
