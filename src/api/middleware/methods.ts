import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { Refusal } from '../../domain/errors.ts';
import type { Api, ApiEnv } from '../context.ts';

/** Refuses a method that a known path does not have, before the credential is checked, and names those that it has. */

type Methods = ReadonlySet<string>;

export function createMethods(app: Api) {
  // Routes are registered after the middleware.
  let table: Table | undefined;
  const known = () => {
    table ??= tableOf(app);
    return table;
  };

  /** Throws `method_not_allowed` unless the path is unknown, or has the method of the request. */
  function refuse(c: Context<ApiEnv>, methods: Methods | undefined): void {
    const method = c.req.method === 'HEAD' ? 'GET' : c.req.method;
    if (methods === undefined || methods.has(method)) return;
    const allowed = [...methods].flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])).join(', ');
    c.header('Allow', allowed);
    throw new Refusal('method_not_allowed', `this path has ${allowed}`);
  }

  return {
    refuse,
    /** The methods of a path with parameters. */
    ofPattern: (path: string) => known().patterns.find(({ pattern }) => pattern.test(path))?.methods,
    /** A path without parameters is refused here: the router takes `GET /v1/escrow/initiate` for an escrow's id. */
    refuseWrong: createMiddleware<ApiEnv>((c, next) => {
      refuse(c, known().paths.get(c.req.path));
      return next();
    }),
  };
}

type Table = {
  readonly paths: ReadonlyMap<string, Methods>;
  readonly patterns: readonly { readonly pattern: RegExp; readonly methods: Methods }[];
};

function tableOf(app: Api): Table {
  const methodsOf = new Map<string, Set<string>>();
  for (const { method, path } of app.routes) {
    if (method === 'ALL' || path.includes('*')) continue; // middleware
    const methods = methodsOf.get(path) ?? new Set();
    methodsOf.set(path, methods.add(method));
  }
  const all = [...methodsOf];
  return {
    paths: new Map(all.filter(([path]) => !path.includes(':'))),
    patterns: all
      .filter(([path]) => path.includes(':'))
      .map(([path, methods]) => ({ pattern: new RegExp(`^${path.replace(/:\w+(\{[^}]*\})?/g, '[^/]+')}$`), methods })),
  };
}
