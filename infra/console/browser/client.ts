import type { ProblemDocument } from '../../../contracts/problem/problem';
import { Refusal, Unanswered } from './refusal';
import { tokenOf, type Account } from './session';
import { askForToken } from './token-requests';

export interface Call {
  readonly path: string;
  /** @param token of the account, which some calls have in their body */
  body(token: string): object;
  readonly account: Account;
  readonly headers?: Readonly<Record<string, string>>;
}

const UNAUTHENTICATED = 401;

/**
 * Makes a call; when its token is refused, asks for another one and makes it again.
 * @throws Refusal, Unanswered
 */
export async function call(request: Call): Promise<Response> {
  for (;;) {
    const token = tokenOf(request.account) ?? '';
    try {
      return await callWith(token, request);
    } catch (error) {
      if (!(error instanceof Refusal) || error.problem.status !== UNAUTHENTICATED) throw error;
      // Another call may have been given a new one meanwhile.
      if ((tokenOf(request.account) ?? '') === token) await askForToken(request.account, error);
    }
  }
}

/** Makes a call with one token, which need not be that of the session. @throws Refusal, Unanswered */
export async function callWith(token: string, { path, body, account, headers }: Call): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(account === 'billing' && { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: JSON.stringify(body(token)),
    });
  } catch {
    throw new Unanswered('The program does not answer. Nothing is lost: try again.');
  }
  if (response.ok) return response;
  const problem = await response.json().catch(() => null);
  if (isProblem(problem)) throw new Refusal(problem);
  throw new Unanswered(`The answer is a ${response.status} without an explanation. Try again.`);
}

function isProblem(document: unknown): document is ProblemDocument {
  return typeof document === 'object' && document !== null && 'code' in document && 'detail' in document;
}
