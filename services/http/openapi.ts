import { z } from 'zod';
import type { Endpoint } from '../../contracts/http/endpoint';

type Schema = Record<string, unknown>;

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Schema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
  });
  return rest;
};

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): Schema[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, of]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: of,
  }));
}

const headerParameters = (headers: Endpoint['headers'] = {}): Schema[] =>
  Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  }));

const problemResponse = (codes: readonly string[]): Schema => ({
  description: codes.join(', '),
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
});

function operation(endpoint: Endpoint, alias: boolean): Schema {
  const takesInput = endpoint.body ?? endpoint.query ?? endpoint.params;
  const errors: Record<number, readonly string[]> = {
    ...(takesInput && { 400: ['invalid_request'] }),
    ...(endpoint.auth === 'bearer' && { 401: ['unauthenticated'] }),
    ...endpoint.errors,
    503: [...(endpoint.errors?.[503] ?? []), 'engine_unavailable'],
  };
  return {
    tags: [endpoint.group],
    summary: endpoint.summary,
    ...(alias && { description: `Another spelling of \`${endpoint.path}\`.` }),
    parameters: [
      ...parametersOf(endpoint.params, 'path'),
      ...parametersOf(endpoint.query, 'query'),
      ...headerParameters(endpoint.headers),
    ],
    ...(endpoint.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(endpoint.body, 'input') } },
      },
    }),
    ...(endpoint.auth === 'bearer' && { security: [{ bearer: [] }] }),
    responses: {
      200: {
        description: 'OK',
        content: { 'application/json': { schema: schemaOf(endpoint.response, 'output') } },
      },
      ...Object.fromEntries(
        Object.entries(errors).map(([status, codes]) => [status, problemResponse(codes)]),
      ),
    },
  };
}

/** The OpenAPI 3.1 document of what is mounted, made from the endpoints themselves. */
export function openApiDocument(endpoints: readonly Endpoint[]): Schema {
  const paths: Record<string, Schema> = {};
  for (const endpoint of endpoints) {
    for (const path of [endpoint.path, ...(endpoint.aliases ?? [])]) {
      paths[path] = {
        ...paths[path],
        [endpoint.method.toLowerCase()]: operation(endpoint, path !== endpoint.path),
      };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tidemark',
      version: '0.1.0',
      description: 'Wallet backend for TON and Solana, and billing administration of the instance.',
    },
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Problem: PROBLEM },
    },
  };
}

const PROBLEM: Schema = {
  type: 'object',
  description: 'RFC 9457 problem document.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId', 'ok', 'error'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    code: { type: 'string', description: 'Stable; what programs should look at.' },
    requestId: { type: 'string' },
    ok: { const: false },
    error: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { pointer: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
};
