import { errorsOf, type Endpoint } from '../../../contracts/http/endpoint';
import { RESPONSE_EXAMPLES } from '../../../contracts/http/response-examples';
import type { Schema } from './component-schemas';
import type { Components } from './components';
import { alwaysSent, declaredHeaders, generalHeaders, isIdempotent } from './headers';
import { operationIdOf } from './names';

/** The responses of success. @param body the schema of the response, or nothing */
export function successResponses(
  endpoint: Endpoint,
  body: Schema | undefined,
  components: Components,
): Schema {
  const { kind = 'json', status = 200, etag = false, contentType = 'application/octet-stream' } = endpoint;
  const headers = headersOf(endpoint, components);
  const examples = responseExamples(operationIdOf(endpoint, endpoint.path));
  const withContent = (description: string, type: string, schema: Schema): Schema => ({
    [status]: { description, headers, content: { [type]: { schema, ...examples } } },
  });
  switch (kind) {
    case 'json':
      return {
        ...(status === 204
          ? { [status]: { description: 'OK', headers } }
          : {
              [status]: {
                description: 'OK',
                headers,
                content: { 'application/json': { schema: body ?? {}, ...examples } },
                // Beside JSON some generators would take every answer for a file.
                ...(endpoint.attachments && { 'x-attachments': endpoint.attachments }),
              },
            }),
        ...(etag && { 304: components.refer('responses', 'NotModified', () => notModified(components)) }),
      };
    case 'sse':
      return withContent(
        'Server-sent events; the schema describes the JSON in `data`.',
        'text/event-stream',
        body ?? {},
      );
    case 'websocket':
      return { 101: { description: 'The connection becomes a WebSocket.' } };
    case 'raw':
      return withContent('OK', contentType, {});
    case 'proxy':
      return { default: { description: 'The response of the server behind this path.' } };
  }
}

/** The answers to the examples of an operation, as they were recorded; nothing for one that has none. */
export function responseExamples(operationId: string): Schema {
  const recorded = RESPONSE_EXAMPLES[operationId];
  if (!recorded) return {};
  const examples = Object.entries(recorded).map(([name, value]) => [name, { value }]);
  return { examples: Object.fromEntries(examples) as Schema };
}

function notModified(components: Components): Schema {
  return {
    description: 'The cached answer of the client is current.',
    headers: { ...generalHeaders([], components), ...alwaysSent('ETag') },
  };
}

function headersOf(endpoint: Endpoint, components: Components): Schema {
  return {
    ...generalHeaders(
      [
        ...(errorsOf(endpoint).has('rate_limited') ? (['RateLimit', 'RateLimit-Policy'] as const) : []),
        ...(isIdempotent(endpoint) ? (['Idempotent-Replayed'] as const) : []),
        ...(endpoint.etag ? (['ETag'] as const) : []),
      ],
      components,
    ),
    ...declaredHeaders(endpoint),
  };
}
