import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router } from 'express';
import { sendFile } from '../../services/http/send';
import { STYLESHEET } from './stylesheet';

/** The modules of the library, by the names under which those of the console import them. */
const LIBRARY = {
  preact: 'preact',
  'preact/hooks': 'preact/hooks',
  'preact/jsx-runtime': 'preact/jsx-runtime',
} as const;

const ASSETS = '/console/assets';
const SCRIPT = 'text/javascript; charset=utf-8';

const libraryPath = (name: string): string => `${ASSETS}/library/${name}`;

const IMPORT_MAP = JSON.stringify({
  imports: Object.fromEntries(Object.keys(LIBRARY).map(name => [name, libraryPath(name)])),
});

/** Browsers take an import map only from within the page: it is allowed by its hash, and no other script there is. */
const IMPORT_MAP_HASH = createHash('sha256').update(IMPORT_MAP).digest('base64');

const POLICY = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${IMPORT_MAP_HASH}'`,
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  // A form that no script takes would send what is typed in a URL.
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width">
  <title>Console · Tidemark</title>
  <link rel="stylesheet" href="/docs/page.css">
  <link rel="stylesheet" href="/console/console.css">
  <script type="importmap">${IMPORT_MAP}</script>
  <script type="module" src="${ASSETS}/main"></script>
</head>
<body class="console">
  <div id="console"></div>
  <noscript>The console needs JavaScript.</noscript>
</body>
</html>`;

/**
 * `/console`: pages that use the HTTP API of the program as any client does.
 * @param browserFolder of the compiled modules
 */
export function consolePages(browserFolder: string): Router {
  const router = Router();
  router.get('/console', (_request, response) => {
    response.setHeader('Content-Security-Policy', POLICY);
    response.type('html').end(PAGE);
  });
  const stylesheet = Buffer.from(STYLESHEET);
  router.get('/console/console.css', (request, response) =>
    sendFile(request, response, stylesheet, 'text/css; charset=utf-8'),
  );
  for (const [path, file] of modules(browserFolder)) {
    let bytes: Buffer | undefined;
    router.get(path, (request, response) =>
      sendFile(request, response, (bytes ??= readFileSync(file)), SCRIPT),
    );
  }
  return router;
}

/** Every module that there is, and nothing else, by the path at which it is served: without an ending, as it is imported. */
function modules(browserFolder: string): readonly (readonly [path: string, file: string])[] {
  const own = readdirSync(browserFolder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.js'))
    .map(name => [`${ASSETS}/${name.slice(0, -'.js'.length)}`, join(browserFolder, name)] as const);
  const library = Object.entries(LIBRARY).map(
    ([name, module]) => [libraryPath(name), require.resolve(module)] as const,
  );
  return [...own, ...library];
}
