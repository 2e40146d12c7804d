import type { Response } from 'express';
import { html, type Html } from './html';

export const STYLESHEET = `
:root { color-scheme: light dark; --muted: #57606a; --line: #d0d7de; --link: #0969da; --bad: #cf222e; }
@media (prefers-color-scheme: dark) {
  :root { --muted: #9198a1; --line: #3d444d; --link: #4493f8; --bad: #f85149; }
}
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 3rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: 0.25rem; }
h2 { font-size: 1.1rem; margin-top: 2rem; }
a { color: var(--link); }
a, code { overflow-wrap: anywhere; }
code { font: 0.9em ui-monospace, monospace; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 0.35rem 0.75rem 0.35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; }
@media (max-width: 40rem) {
  body { margin-top: 1.5rem; }
  th { display: none; }
  td { display: block; border: 0; padding: 0; }
  tr { display: block; border-bottom: 1px solid var(--line); padding: 0.35rem 0; }
}
.muted { color: var(--muted); }
.bad { color: var(--bad); }
`;

/** Nothing but the stylesheet is loaded, and nothing is run. */
const POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Answers with a page of the program, in the browser's language of plain HTML: no script, no image. */
export function sendPage(response: Response, title: string, body: Html): void {
  response.setHeader('Content-Security-Policy', POLICY);
  response.type('html').end(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <title>${title}</title>
          <link rel="stylesheet" href="/docs/page.css" />
        </head>
        <body>
          ${body}
        </body>
      </html>`.text,
  );
}
