import { Router, type Response } from 'express';
import { ERROR_EXPLANATIONS } from '../../../contracts/problem/error-explanations';
import { ERRORS, type ErrorCode } from '../../../contracts/problem/errors';
import type { ProblemDocument } from '../../../contracts/problem/problem';
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

/** What a person sees in a browser of a problem document. */
export function sendProblemPage(response: Response, document: ProblemDocument): void {
  const { title, status, detail, code, requestId } = document;
  sendPage(
    response,
    `${title} · Tidemark`,
    html`<p class="muted"><a href="/">Tidemark</a></p>
      <h1>${title}</h1>
      <p>${detail}</p>
      <p class="muted">
        Status ${status}, code <a href="/problems/${code}"><code>${code}</code></a
        >, request <code>${requestId}</code>
      </p>`,
  );
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
    ${occurrences(answering, endpoints, ELSEWHERE[code] ?? IN_OTHERS)}
    <p class="muted">
      A problem document has <code>detail</code>, and <code>requestId</code>, which is also in the log. A 400
      names each field at fault in <code>errors</code>, by a JSON pointer.
    </p>`;
}

const OF_A_FEE = html`No operation answers with it as a whole: it is the result of one fee of
  <code>POST /api/fees</code>, or of one line of <code>tidemark fees import</code>.`;

/** Of codes that no operation declares. */
const ELSEWHERE: Partial<Record<ErrorCode, Html>> = {
  not_found: html`Where a path does not exist.`,
  method_not_allowed: html`Where a path exists, and the method does not.`,
  headers_too_large: html`Any request may be answered with it.`,
  fee_exists: OF_A_FEE,
  fee_not_pending: OF_A_FEE,
  fee_not_collected: OF_A_FEE,
};

/** Of the others. */
const IN_OTHERS = html`No operation answers with it: it is the result of a command of <code>tidemark</code>,
  or the reason for another answer.`;

function occurrences(answering: readonly Endpoint[], endpoints: readonly Endpoint[], elsewhere: Html): Html {
  if (answering.length === 0) return html`<p>${elsewhere}</p>`;
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
