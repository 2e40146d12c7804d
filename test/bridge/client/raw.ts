import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { answerOf, randomAddress, type Answer } from './request';

/** Sends `POST` with a body of unknown length, and returns the answer, also one that comes before its end. */
export async function openRaw(
  url: string,
  write: (request: ClientRequest) => Promise<void>,
): Promise<Answer> {
  const sent = request(url, { method: 'POST', headers: { 'x-forwarded-for': randomAddress() } });
  const answered = once(sent, 'response');
  await Promise.race([write(sent), answered]);
  sent.end();
  const [response] = (await answered) as [IncomingMessage];
  sent.on('error', () => undefined);
  return answerOf(response);
}
