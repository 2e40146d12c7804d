import Ajv from 'ajv/dist/2020';
import type { Exchange } from './client';

interface Header {
  readonly required?: boolean;
}
interface Response {
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Readonly<Record<string, object>>;
  /** Further media types, of files. */
  readonly 'x-attachments'?: readonly string[];
}
interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-responses-by-action'?: { readonly $ref: string };
}
type Json = Readonly<Record<string, unknown>>;

export interface OpenApiDocument extends Json {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** The operation that a request reached, and where its answer differs from what is documented. */
interface Comparison {
  readonly operationId: string;
  readonly faults: readonly string[];
}

const ID = 'openapi.json';
const escaped = (step: string): string =>
  encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));
const literalFirst = (path: string): string => path.replace(/\{\w+\}/g, '~');

/** Compares answers of the program with its OpenAPI document: status, headers, media type, and each member of the body. */
export function comparisonWith(document: OpenApiDocument): (exchange: Exchange) => Comparison | null {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: false });
  ajv.addSchema(withoutFurtherMembers(document) as object, ID);
  const routes = Object.entries(document.paths)
    .sort(([a], [b]) => (literalFirst(a) < literalFirst(b) ? -1 : 1))
    .map(([path, operations]) => ({ path, operations, pattern: patternOf(path) }));
  const names = headerNames(document);
  const isAnyOf = ({ $ref }: { readonly $ref: string }, body: unknown): boolean => {
    const { properties } = resolved(document, { $ref }) as { properties: Json };
    return Object.keys(properties).some(
      action => ajv.getSchema(`${ID}${$ref}/properties/${escaped(action)}`)!(body) === true,
    );
  };

  return ({ method, path: target, status, headers, body }) => {
    const route = routes.find(({ pattern }) => pattern.test(target.split('?')[0]!));
    if (!route) return null;
    const named = route.operations[method.toLowerCase()];
    // A method that the path does not have is answered as any of its operations says.
    const [verb, operation] = named ? [method.toLowerCase(), named] : Object.entries(route.operations)[0]!;
    const { operationId } = operation;
    const declared = operation.responses[status];
    if (!declared) return { operationId, faults: [`no status ${status}`] };
    const at = `#/paths/${escaped(route.path)}/${verb}/responses/${status}`;
    const response = resolved(document, declared) as Response;
    const faults = headerFaults(document, response, headers, names);
    const type = headers.get('content-type')?.split(';')[0] ?? null;
    const types = [
      ...Object.keys(response.content ?? {}),
      ...(response['x-attachments'] ?? []).map(each => each.split(';')[0]!),
    ];
    if (type !== null && !types.includes(type)) faults.push(`no media type ${type}`);
    else if (type !== null && /[/+]json$/.test(type)) {
      const { $ref: place = at } = declared as { $ref?: string };
      const validate = ajv.getSchema(`${ID}${place}/content/${escaped(type)}/schema`)!;
      if (!validate(body)) faults.push(ajv.errorsText(validate.errors));
      const byAction = status === 200 && operation['x-responses-by-action'];
      if (byAction && !isAnyOf(byAction, body)) faults.push('the response to no action');
    }
    return { operationId, faults };
  };
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);

/** A part of a document, or what it refers to. */
export function resolved(document: Json, value: object): object {
  const { $ref } = value as { $ref?: string };
  if ($ref === undefined) return value;
  return $ref
    .slice(2)
    .split('/')
    .reduce((at, step) => at[step] as Json, document);
}

/** The names of all headers that responses may have. */
function headerNames({ paths, components }: OpenApiDocument): ReadonlySet<string> {
  const { responses } = components as { responses: Readonly<Record<string, Response>> };
  const all = [
    ...Object.values(responses),
    ...Object.values(paths).flatMap(each =>
      Object.values(each).flatMap(({ responses: own }) => Object.values(own)),
    ),
  ];
  return new Set(all.flatMap(({ headers = {} }) => Object.keys(headers)));
}

/** Every response has these for browsers; an endpoint declares its own values. */
const PROTECTION = /^(?:Content-Security-Policy|Cross-Origin-Resource-Policy)$/;

function headerFaults(
  document: Json,
  { headers: declared = {} }: Response,
  sent: Headers,
  names: ReadonlySet<string>,
): string[] {
  const missing = Object.entries(declared).filter(
    ([name, header]) => (resolved(document, header) as Header).required && !sent.has(name),
  );
  const undeclared = [...names].filter(
    name => sent.has(name) && !(name in declared) && !PROTECTION.test(name),
  );
  return [...missing.map(([name]) => `sends no ${name}`), ...undeclared.map(name => `declares no ${name}`)];
}

/** Clients have to accept further members; that there are none shows that all are documented. */
function withoutFurtherMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFurtherMembers);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      key,
      key === 'allOf' ? child : withoutFurtherMembers(child),
    ]),
  );
  return copy['type'] === 'object' && 'properties' in copy && !('additionalProperties' in copy)
    ? // `_id`, which repeats `id`, is not documented.
      { ...copy, additionalProperties: false, patternProperties: { '^_id$': {} } }
    : copy;
}
