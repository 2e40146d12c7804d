import type { Endpoint, Example } from '../../../contracts/http/endpoint';
import type { Schema } from './component-schemas';
import type { Components } from './components';
import { operationIdOf, typeName } from './names';
import { parametersOf } from './parameters';
import { problemResponses } from './problems';
import { successResponses } from './responses';

/** A body of text may have any type: some generators of clients know only the second one. */
const MEDIA_TYPES = {
  json: ['application/json'],
  text: ['text/plain', 'application/octet-stream'],
} as const;

const isSigned = (body: unknown): boolean => typeof body === 'object' && body !== null && 'signature' in body;

/** The operation at a path of an endpoint: its own, or an alias. */
export function operationOf(endpoint: Endpoint, spelling: string, components: Components): Schema {
  const { group, kind = 'json', path, summary, auth = 'none', role } = endpoint;
  const { bodyType = 'json', examples = [] } = endpoint;
  const isAlias = spelling !== path;
  // An alias has the schemas of its endpoint.
  const { body, response, responsesByAction } = schemasOf(endpoint, components);
  return {
    tags: [group],
    operationId: operationIdOf(endpoint, spelling),
    // Pages show it as it is.
    summary: summary.replaceAll('`', ''),
    ...describe([
      isAlias && `Another spelling of \`${path}\`.`,
      endpoint.body &&
        endpoint.bodyLimit !== undefined &&
        `${kind === 'websocket' ? 'A message' : 'The body'} may have at most ${endpoint.bodyLimit} bytes.`,
      endpoint.cors && 'Pages of any origin may call it (CORS).',
      endpoint.longPoll && 'It waits for a change.',
      examples.some(({ body }) => isSigned(body)) &&
        'The signature of the example is a placeholder, which is refused: sign a request of your own.',
      responsesByAction &&
        'The response to each action is in `x-responses-by-action` of [/openapi.json](/openapi.json), which pages such as /docs do not show.',
      kind === 'websocket' &&
        'A WebSocket. `x-messages` has the schemas of its JSON messages, from the client and to it.',
    ]),
    // In OpenAPI 3.1 those of a scheme without scopes are roles.
    security: auth === 'none' ? [] : [{ [auth]: role ? [role] : [] }],
    parameters: parametersOf(endpoint, components),
    ...(body &&
      kind !== 'websocket' && {
        requestBody: {
          required: !endpoint.body!.safeParse(undefined).success,
          content: Object.fromEntries(
            MEDIA_TYPES[bodyType].map(type => [type, { schema: body, ...bodyExamples(examples) }]),
          ),
        },
      }),
    ...(kind === 'websocket' && {
      'x-messages': { ...(body && { received: body }), ...(response && { sent: response }) },
    }),
    ...(responsesByAction && { 'x-responses-by-action': responsesByAction }),
    responses: {
      ...successResponses(endpoint, response, components),
      ...problemResponses(endpoint, components),
    },
  };
}

interface OperationSchemas {
  readonly body: Schema | undefined;
  readonly response: Schema | undefined;
  readonly responsesByAction: Schema | undefined;
}

const REQUEST_AND_RESPONSE = ['Request', 'Response'] as const;
const MESSAGES = ['MessageReceived', 'MessageSent'] as const;

/** Named after the operation, so that generated types have names. */
function schemasOf(endpoint: Endpoint, { schemas }: Components): OperationSchemas {
  const { kind, path, body, response, actions, actionResponses } = endpoint;
  const suffixes = kind === 'websocket' ? MESSAGES : REQUEST_AND_RESPONSE;
  const name = typeName(operationIdOf(endpoint, path));
  const named = (schema: Schema, suffix: string): Schema =>
    isStructured(schema) ? schemas.name(name + suffix, schema) : schema;
  const request = body && schemas.add(body, 'input');
  return {
    body: request && named(actions ? byAction(request, { schemas }) : request, suffixes[0]),
    // Clients cannot tell which answer of all it is, but know which one they have asked for.
    response: response && named(actionResponses ? ANSWER : schemas.add(response, 'output'), suffixes[1]),
    responsesByAction:
      actionResponses &&
      schemas.name(`${name}Responses`, {
        description: 'The response to each action, by name. No message has this form.',
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(actionResponses).map(([action, each]) => [action, schemas.add(each, 'output')]),
        ),
        required: Object.keys(actionResponses),
      }),
  };
}

const ANSWER: Schema = {
  description:
    'An object: `x-responses-by-action` of the operation, in [/openapi.json](/openapi.json), has its schema for each action.',
  type: 'object',
  additionalProperties: true,
};

const isStructured = (schema: Schema): boolean =>
  ['properties', 'items', 'prefixItems', 'oneOf', 'anyOf', 'allOf', 'additionalProperties'].some(
    keyword => keyword in schema,
  );

/** The request of each action as a component, distinguished by the member `action`. */
function byAction({ oneOf, ...rest }: Schema, { schemas }: Pick<Components, 'schemas'>): Schema {
  const requests = (oneOf as { properties: { action: { const: string } } }[]).map(request => {
    const { const: action } = request.properties.action;
    return [action, schemas.name(`${typeName(action)}Request`, request as unknown as Schema)] as const;
  });
  return {
    ...rest,
    oneOf: requests.map(([, reference]) => reference),
    discriminator: {
      propertyName: 'action',
      mapping: Object.fromEntries(requests.map(([action, { $ref }]) => [action, $ref])),
    },
  };
}

function describe(parts: readonly (string | false | undefined)[]): { description?: string } {
  const text = parts.filter(Boolean).join(' ');
  return text === '' ? {} : { description: text };
}

function bodyExamples(examples: readonly Example[]): Schema {
  const bodies = examples.flatMap((example, place) =>
    example.body ? [[nameOf(example, place), { value: example.body }]] : [],
  );
  return bodies.length === 0 ? {} : { examples: Object.fromEntries(bodies) as Schema };
}

const nameOf = ({ name, body }: Example, place: number): string =>
  name ?? (body as { action?: string }).action ?? String(place + 1);
