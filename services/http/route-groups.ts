import { Router, type IRoute, type RequestHandler } from 'express';

/** Routes by the first segment of their paths, which is none of their parameters. */
export interface RouteGroups {
  /** @param path as Express writes it */
  route(path: string): IRoute;
  readonly handle: RequestHandler;
}

/**
 * A router tries its routes one after the other, with a pattern each. Here it has only those of one group, however many groups there are.
 * Paths are compared as Express does by default: without regard to case.
 */
export function createRouteGroups(): RouteGroups {
  const routers = new Map<string, Router>();
  return {
    route(path) {
      const group = firstSegment(path);
      if (group.startsWith(':')) throw new Error(`${path} begins with a parameter`);
      const router = routers.get(group) ?? Router();
      routers.set(group, router);
      return router.route(path);
    },
    handle(request, response, next) {
      const router = routers.get(firstSegment(request.path));
      if (router) router(request, response, next);
      else next();
    },
  };
}

function firstSegment(path: string): string {
  const end = path.indexOf('/', 1);
  return path.slice(1, end < 0 ? undefined : end).toLowerCase();
}
