import { dirname } from 'node:path';
import express, { Router } from 'express';

/** The folder of the package, found without importing it: its main module would load all files as code. */
const ASSETS = dirname(require.resolve('swagger-ui-dist/package.json'));

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>Tidemark API</title>
  <link rel="stylesheet" href="/docs/assets/swagger-ui.css">
</head>
<body>
  <div id="swagger-ui"></div>
  <script src="/docs/assets/swagger-ui-bundle.js"></script>
  <script src="/docs/start.js"></script>
</body>
</html>`;

/** A file of its own, because the content security policy allows no inline script. */
const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger-ui', deepLinking: true });`;

/**
 * `/openapi.json` and a page to browse and try it at `/docs`; nothing is loaded from elsewhere.
 * @param document called at the first request: a start need not wait for it
 */
export function docsPages(document: () => object): Router {
  let text: string | undefined;
  const router = Router();
  router.get(
    '/openapi.json',
    (_request, response) => void response.type('application/json').end((text ??= JSON.stringify(document()))),
  );
  router.get('/docs', (_request, response) => void response.type('html').end(PAGE));
  router.get('/docs/start.js', (_request, response) => void response.type('text/javascript').end(START));
  router.use('/docs/assets', express.static(ASSETS, { index: false }));
  return router;
}
