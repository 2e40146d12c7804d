import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from '../contracts/http/endpoint';

const FOLDER = join(__dirname, '..', 'contracts', 'http');

const isEndpoint = (exported: unknown): exported is Endpoint =>
  typeof exported === 'object' && exported !== null && 'path' in exported && 'method' in exported;

/** Every endpoint that a file of `contracts/http` exports. */
export const ENDPOINTS: readonly Endpoint[] = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter(name => /(?<!\.test|\.d)\.ts$|\.js$/.test(name))
  .map(name => jest.requireActual<object>(join(FOLDER, name)))
  .flatMap(contract => Object.values(contract) as unknown[])
  .filter(isEndpoint);
