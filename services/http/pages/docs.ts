import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Router } from 'express';
import { immutable } from '../../../contracts/http/immutable-response';
import { Reply } from '../call';
import { markAsset, sendFile, sendJson } from '../send';
import { STYLESHEET } from './page';

/** The folder of the package, found without importing it: its main module would load all files as code. */
const ASSETS = dirname(require.resolve('swagger-ui-dist/package.json'));

const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

const FILES = [
  ['swagger-ui.css', CSS],
  ['swagger-ui-bundle.js', SCRIPT],
] as const;

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width">
  <title>Tidemark API</title>
  <link rel="stylesheet" href="/docs/assets/swagger-ui.css">
  <link rel="stylesheet" href="/docs/narrow.css">
</head>
<body>
  <div id="swagger-ui"></div>
  <script src="/docs/assets/swagger-ui-bundle.js"></script>
  <script src="/docs/start.js"></script>
</body>
</html>`;

/** On a narrow screen the description of a group would be one character wide beside its name: it goes below. */
const NARROW = `@media (max-width: 48rem) {
  .swagger-ui .opblock-tag { flex-wrap: wrap; }
  .swagger-ui .opblock-tag small { flex: 1 0 100%; order: 1; padding: 0; }
}`;

const OPTIONS = {
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
  tryItOutEnabled: true,
};

/** A file of its own, because the content security policy allows no inline script. */
const START = `SwaggerUIBundle(${JSON.stringify(OPTIONS)});`;

const TEXTS = [
  ['start.js', START, SCRIPT],
  ['narrow.css', NARROW, CSS],
  ['page.css', STYLESHEET, CSS],
] as const;

/**
 * `/openapi.json` and a page to browse and try it at `/docs`; nothing is loaded from elsewhere.
 * @param document called at the first request: a start need not wait for it
 */
export function docsPages(document: () => object): Router {
  let reply: Reply<object> | undefined;
  const router = Router();
  router.get('/openapi.json', async (request, response) => {
    await sendJson(request, response, (reply ??= new Reply(immutable(document()))));
  });
  router.get('/docs', (_request, response) => void response.type('html').end(PAGE));
  // Browsers ask for an icon: there is none.
  router.get('/favicon.ico', (_request, response) => {
    markAsset(response);
    response.status(204).end();
  });
  for (const [name, text, type] of TEXTS) {
    const bytes = Buffer.from(text);
    router.get(`/docs/${name}`, (request, response) => sendFile(request, response, bytes, type));
  }
  for (const [name, type] of FILES) {
    let bytes: Buffer | undefined;
    router.get(`/docs/assets/${name}`, async (request, response) => {
      await sendFile(request, response, (bytes ??= readFileSync(join(ASSETS, name))), type);
    });
  }
  return router;
}
