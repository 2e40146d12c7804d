import { Router } from 'express';
import { ERROR_EXPLANATIONS } from '../../../contracts/problem/error-explanations';
import { ERRORS, type ErrorCode } from '../../../contracts/problem/errors';
import { errorsOf, type Endpoint } from '../../../contracts/http/endpoint';
import { operationIdOf } from '../openapi/names';
import { html, type Html } from './html';
import { sendPage } from './page';

const isCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

/** `/problems`, and a page for each code, which the `type` of a problem document leads to. */
export function problemPages(endpoints: readonly Endpoint[]): Router {
  const router = Router();
  router.get('/problems', (_request, response) => sendPage(response, 'Problems · Tidemark', list()));
  router.get('/problems/:code', ({ params: { code } }, response, next) => {
    if (!isCode(code)) return next();
    sendPage(response, `${ERRORS[code].title} · Tidemark`, explanation(code, endpoints));
  });
  return router;
}

/** By status, and by code within one. */
function inOrder(): ErrorCode[] {
  return (Object.keys(ERRORS) as ErrorCode[]).sort(
    (a, b) => ERRORS[a].status - ERRORS[b].status || (a < b ? -1 : 1),
  );
}

function list(): Html {
  const rows = inOrder().map(
    code =>
      html`<tr>
        <td>${ERRORS[code].status}</td>
        <td><a href="/problems/${code}">${code}</a></td>
        <td>${ERRORS[code].title}</td>
      </tr>`,
  );
  return html`<p class="muted"><a href="/">Tidemark</a></p>
    <h1>Problems</h1>
    <p class="muted">
      A request that is refused or fails is answered with a problem document (RFC 9457), whose
      <code>code</code> is stable: these are all, by status. Two answers are not of this form: the 503 of
      <code>/health/ready</code> says whether reads and writes are possible; and a 400 has no body where what
      was sent is not HTTP.
    </p>
    <table>
      <tr>
        <th>Status</th>
        <th>Code</th>
        <th>Title</th>
      </tr>
      ${rows}
    </table>`;
}

function explanation(code: ErrorCode, endpoints: readonly Endpoint[]): Html {
  const {
    status,
    title,
    retryAfter = false,
  } = ERRORS[code] as { retryAfter?: true } & (typeof ERRORS)[ErrorCode];
  const answering = endpoints.filter(endpoint => errorsOf(endpoint).has(code));
  return html`<p class="muted"><a href="/">Tidemark</a> / <a href="/problems">Problems</a></p>
    <h1>${title}</h1>
    <p class="muted">Status ${status}, code <code>${code}</code></p>
    <p>${ERROR_EXPLANATIONS[code]}</p>
    ${
      retryAfter
        ? html`<p>
            The response has <code>Retry-After</code>: the same request may succeed after that many seconds.
          </p>`
        : html``
    }
    <h2>Where it occurs</h2>
    ${occurrences(answering, endpoints)}
    <p class="muted">
      A problem document has <code>detail</code>, and <code>requestId</code>, which is also in the log. A 400
      names each field at fault in <code>errors</code>, by a JSON pointer.
    </p>`;
}

function occurrences(answering: readonly Endpoint[], endpoints: readonly Endpoint[]): Html {
  if (answering.length === 0)
    return html`<p>
      No operation answers with it as a whole: it is the result of one part of a request, of a command of
      <code>tidemark</code>, or of a path or method that does not exist.
    </p>`;
  if (answering.length === endpoints.length) return html`<p>Every operation may answer with it.</p>`;
  return html`<ul>
    ${answering.map(operation)}
  </ul>`;
}

function operation(endpoint: Endpoint): Html {
  const { group, method, path } = endpoint;
  const anchor = `/docs#/${encodeURIComponent(group)}/${operationIdOf(endpoint, path)}`;
  return html`<li><a href="${anchor}">${method} ${path}</a></li>`;
}
