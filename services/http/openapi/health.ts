import { healthReport, liveness } from '../../../contracts/http/health';
import type { Schema } from './component-schemas';
import type { Components } from './components';
import { generalHeaders } from './headers';
import { responsesOf } from './problems';
import { responseExamples } from './responses';

/** The operations of the program's health, which are no endpoints of a group: no limit and no policy applies to them. */
export function healthPaths(components: Components): Record<string, Schema> {
  const { schemas } = components;
  const json = (schema: Schema, operationId?: string): Schema => ({
    headers: generalHeaders([], components),
    content: { 'application/json': { schema, ...(operationId && responseExamples(operationId)) } },
  });
  const live = json(schemas.add(liveness, 'output'), 'getHealthLive');
  const report = schemas.add(healthReport, 'output');
  const problems = responsesOf(['headers_too_large'], false, components);
  const operation = (operationId: string, summary: string, responses: Schema): Schema => ({
    get: {
      tags: ['Health'],
      operationId,
      summary,
      security: [],
      parameters: [],
      responses: { ...responses, ...problems },
    },
  });
  return {
    '/health/live': operation('getHealthLive', 'Whether the process answers', {
      200: { description: 'It does.', ...live },
    }),
    '/health/ready': operation('getHealthReady', 'Whether the program is ready', {
      200: {
        description: '`ready`, or `degraded`: something has failed that reads do not depend on.',
        ...json(report, 'getHealthReady'),
      },
      503: { description: '`not_ready`', ...json(report) },
    }),
  };
}
