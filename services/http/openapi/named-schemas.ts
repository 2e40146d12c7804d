import { typeName } from './names';

type Schema = Record<string, unknown>;

/** How null is said beside a reference: generators of clients stumble over a type that is only null. */
const NULL = { enum: [null] };
const COMPONENTS = '#/components/schemas/';

/**
 * Components whose nested objects are components too, named after where they stand, and in which null is a type among others:
 * generators of clients name nested objects each in their own way, some of them twice alike, and few know a type that is only
 * null. Unions that a member distinguishes say so.
 */
export function nameSchemas(components: ReadonlyMap<string, Schema>): ReadonlyMap<string, Schema> {
  const named = new Map<string, Schema>(components);
  for (const [name, schema] of components) named.set(name, withNamedParts(schema, name, named));
  return new Map([...named].map(([name, schema]) => [name, withDiscriminators(schema, named)]));
}

/** The schema of a parameter, which is no object. */
export function parameterSchema(schema: Schema): Schema {
  return withNamedParts(schema, '', new Map());
}

function withNamedParts(given: Schema, name: string, named: Map<string, Schema>): Schema {
  const schema = withoutSecondId(given);
  const part = (child: unknown, childName: string): Schema => referred(child as Schema, childName, named);
  const { properties, items, prefixItems, additionalProperties, allOf } = schema;
  const union = unionIn(schema);
  const result: Schema = {
    ...schema,
    ...(isObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, child]) => [key, part(child, name + wordsOf(key))]),
      ),
    }),
    ...(isObject(items) && { items: part(items, `${name}Item`) }),
    ...(isObject(additionalProperties) && {
      additionalProperties: part(additionalProperties, `${name}Value`),
    }),
    ...(Array.isArray(prefixItems) && {
      prefixItems: numbered(prefixItems as Schema[], `${name}Item`, part),
    }),
    ...(Array.isArray(allOf) && { allOf: numbered(allOf as Schema[], name, part) }),
  };
  // Not all generators know values of a boolean.
  if (schema['type'] === 'boolean' && 'const' in schema) return booleanSaid(result);
  if (schema['type'] === 'null') return { ...without(result, 'type'), description: 'Always null.' };
  if (!union) return result;
  const names = variantNames(union.variants, name);
  const variants = union.variants.map((variant, index) => part(variant, names[index]!));
  const rest = without(result, union.keyword);
  if (union.isNullable) return { ...rest, ...orNull(variants) };
  return variants.length === 1 ? { ...rest, ...variants[0] } : { ...rest, [union.keyword]: variants };
}

const booleanSaid = ({ const: value, description, ...rest }: Schema): Schema => ({
  ...rest,
  description: [`Always ${String(value)}.`, ...(description === undefined ? [] : [description])].join(' '),
});

const numbered = (
  schemas: readonly Schema[],
  name: string,
  part: (schema: Schema, name: string) => Schema,
): Schema[] => schemas.map((schema, index) => part(schema, `${name}${index + 1}`));

interface Union {
  readonly keyword: 'anyOf' | 'oneOf';
  /** Without null, and without unions. */
  readonly variants: readonly Schema[];
  readonly isNullable: boolean;
}

function unionIn(schema: Schema): Union | null {
  const keyword = (['anyOf', 'oneOf'] as const).find(each => Array.isArray(schema[each]));
  if (keyword === undefined) return null;
  const variants = (schema[keyword] as Schema[]).flatMap(
    variant => (Object.keys(variant).length === 1 && (variant['anyOf'] ?? variant['oneOf'])) || [variant],
  ) as Schema[];
  const some = variants.filter(({ type }) => type !== 'null');
  return { keyword, variants: oneText(some), isNullable: some.length < variants.length };
}

/** Texts of several forms are a text: generators of clients would make a type of each form. */
function oneText(variants: readonly Schema[]): readonly Schema[] {
  const isText = ({ type, enum: values }: Schema): boolean => type === 'string' && values === undefined;
  if (variants.length < 2 || !variants.every(isText)) return variants;
  const example = variants.find(variant => 'example' in variant)?.['example'];
  return [{ type: 'string', ...(example !== undefined && { example }) }];
}

/** `_id` repeats `id` for wallets, and generators of clients give both the same name. */
function withoutSecondId(schema: Schema): Schema {
  const { properties, required } = schema;
  if (!isObject(properties) || !('id' in properties && '_id' in properties)) return schema;
  return {
    ...schema,
    properties: without(properties, '_id'),
    ...(Array.isArray(required) && { required: required.filter(name => name !== '_id') }),
  };
}

/** A reference, where the schema is an object or a choice. */
function referred(schema: Schema, name: string, named: Map<string, Schema>): Schema {
  const union = unionIn(schema);
  if (union && union.variants.length > 1 && union.isNullable && !('discriminator' in schema)) {
    const { keyword, variants } = union;
    return { anyOf: [referred({ ...schema, [keyword]: variants }, name, named), NULL] };
  }
  const isChoice = union !== null && union.variants.length > 1;
  if (!('properties' in schema) && !isChoice) return withNamedParts(schema, name, named);
  const free = freeName(name, named);
  // Nobody else may take the name while its parts are named.
  named.set(free, schema);
  named.set(free, withNamedParts(schema, free, named));
  return { $ref: COMPONENTS + free };
}

function freeName(name: string, named: ReadonlyMap<string, Schema>): string {
  let free = name;
  for (let n = 2; named.has(free); n++) free = `${name}${n}`;
  return free;
}

/** After the constant by which they differ, else numbered. What is either something or null has the name of the whole. */
function variantNames(variants: readonly Schema[], name: string): readonly string[] {
  if (variants.length === 1) return [name];
  const key = distinguishingKey(variants);
  return variants.map((variant, index) =>
    key === null ? `${name}${index + 1}` : name + wordsOf(constantsOf(variant, key)![0]!),
  );
}

/** The member whose constants differ in all of them. */
function distinguishingKey(variants: readonly Schema[]): string | null {
  const [first] = variants;
  if (variants.length < 2 || !first) return null;
  const keys = Object.keys((first['properties'] as Schema | undefined) ?? {});
  return (
    keys.find(key => {
      const constants = variants.map(variant => constantsOf(variant, key));
      return (
        constants.every(each => each !== null) && new Set(constants.flat()).size === constants.flat().length
      );
    }) ?? null
  );
}

/** The texts that a required member may be. */
function constantsOf({ properties, required = [] }: Schema, key: string): readonly string[] | null {
  const member = (properties as Record<string, Schema> | undefined)?.[key];
  if (!member || !(required as string[]).includes(key)) return null;
  const values = 'const' in member ? [member['const']] : (member['enum'] as unknown[] | undefined);
  return values?.every(value => typeof value === 'string') ? values : null;
}

/** One of the variants, or null: a type among others where that is enough. */
function orNull(variants: readonly Schema[]): Schema {
  const [{ type, const: constant, enum: values, ...rest } = {}] = variants;
  if (variants.length > 1 || typeof type !== 'string') return { anyOf: [...variants, NULL] };
  const allowed = constant === undefined ? (values as unknown[] | undefined) : [constant];
  return { type: [type, 'null'], ...(allowed && { enum: [...allowed, null] }), ...rest };
}

function withDiscriminators(schema: Schema, named: ReadonlyMap<string, Schema>): Schema {
  return JSON.parse(JSON.stringify(schema), (_key, value: unknown) => {
    if (!isObject(value) || 'discriminator' in value) return value;
    const keyword = ['anyOf', 'oneOf'].find(each => Array.isArray(value[each]));
    if (keyword === undefined) return value;
    const refs = (value[keyword] as Schema[]).map(({ $ref }) => $ref as string | undefined);
    const variants = refs.map(ref => ref && named.get(ref.slice(COMPONENTS.length)));
    if (!variants.every(isObject)) return value;
    const key = distinguishingKey(variants);
    // Generators make `oneOf` fail where more than one fits.
    if (key === null) return { ...without(value, keyword), anyOf: value[keyword] };
    const mapping = variants.flatMap((variant, index) =>
      constantsOf(variant, key)!.map(constant => [constant, refs[index]] as const),
    );
    return {
      ...without(value, keyword),
      oneOf: value[keyword],
      discriminator: { propertyName: key, mapping: Object.fromEntries(mapping) },
    };
  }) as Schema;
}

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const without = (schema: Schema, key: string): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([each]) => each !== key));

/** `jetton-transfer` as `JettonTransfer`. */
const wordsOf = (text: string): string => typeName(text.replace(/[^A-Za-z0-9]+/g, '_'));
