import request from 'supertest';
import { localIssuer } from '../../infra/program/auth/auth';
import { issueToken } from '../../services/auth/issue-token';
import type { TestProgram } from '../program';

/** What finance reads of the ledger of a program, up to its newest event. */
export async function askAsFinance<Body>(
  { app, deps: { config, engines } }: TestProgram,
  action: object,
): Promise<Body> {
  const token = await issueToken(await localIssuer(config, 'instance', Date.now), {
    subject: 'finance@test',
    role: 'finance',
    secure: false,
    ttl: 3_600,
  });
  const { body } = await request(app)
    .post('/api/instance-admin')
    .set('Authorization', `Bearer ${token}`)
    .set('X-Min-Position', String(await engines.store.head()))
    .send(action)
    .expect(200);
  return body as Body;
}
