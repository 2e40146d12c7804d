import { Router } from 'express';
import { LOCAL_APP_ORIGIN } from '../../../../contracts/chain/local-app';
import { LOCAL_APP_PATH } from '../local-origin';

/** 128 pixels a side. */
const ICON =
  'iVBORw0KGgoAAAANSUhEUgAAAIAAAACAAgMAAAC+UIlYAAAACVBMVEULKkotf7jo8fiIvQ/9AAAACXBIWXMAAAsTAAALEwEAmpwYAAAAL0lEQVRYw+3ToQEAMAgEMZbskkyJRRQ6QBN98j8CWGQjEAgEArg5D4K/AvzCHhgURfw936VdwykAAAAASUVORK5CYII=';

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>Local application - an example</title>
  <meta name="description" content="An application that exists on this machine only.">
  <meta name="theme-color" content="#0b2a4a">
  <link rel="icon" href="/icon.png" sizes="128x128">
</head>
<body>A double: there is nothing to do here.</body>
</html>`;

/** The local application, a double: its page, its manifest for TON Connect, and its icon. */
export function localAppRoutes(): Router {
  const router = Router();
  router.get(LOCAL_APP_PATH, (_request, response) => void response.type('html').send(PAGE));
  router.get(
    `${LOCAL_APP_PATH}/tonconnect-manifest.json`,
    (_request, response) =>
      void response.json({
        url: LOCAL_APP_ORIGIN,
        name: 'Local application',
        iconUrl: `${LOCAL_APP_ORIGIN}/icon.png`,
      }),
  );
  router.get(
    `${LOCAL_APP_PATH}/icon.png`,
    (_request, response) => void response.type('png').send(Buffer.from(ICON, 'base64')),
  );
  return router;
}
