import type { Logger } from 'pino';
import { ProviderError } from './provider-error.ts';

/**
 * Card gateways and mobile money operators are tables of adapters: gateway/registry.ts and mobile-money/registry.ts. The
 * configuration selects one of each for new payments. A payment attempt records its adapter, and status checks go to that
 * adapter. An adapter that is no longer selected stays configured until its payments are settled.
 */

/** An environment variable that configures an adapter. */
export type ProviderVariable = {
  readonly name: string;
  readonly form: 'host' | 'word' | 'aes256Key';
  /** Completes "must be …" in configuration errors. */
  readonly expected: string;
  /** Only for a secret: its minimum length in production. */
  readonly minSecretCharacters?: number;
};

export type AdapterSettings = Readonly<Record<string, string>>;

/** One row of a table. Either all of its variables are set, or none. */
type Adapter<Port> = {
  readonly variables: Readonly<Record<string, ProviderVariable>>;
  readonly create: (settings: AdapterSettings, log?: Logger) => Port;
};

/** Connects the variables of a row to the settings of its `create`. */
export function adapter<Settings extends AdapterSettings, Port>(
  variables: { readonly [Key in keyof Settings]: ProviderVariable },
  create: (settings: Settings, log?: Logger) => Port,
): Adapter<Port> {
  return { variables, create: (settings, log) => create(settings as Settings, log) }; // read from these variables, key by key
}

/** The configuration of one table. */
export type AdapterChoice<Name extends string> = {
  /** The adapter for new payments. */
  readonly chosen: Name;
  /** The settings by adapter; an adapter that is not configured is absent. */
  readonly settings: { readonly [Key in Name]?: AdapterSettings | undefined };
};

/** The adapters of one table, ready to use. */
export type Adapters<Name extends string, Port> = {
  /** The adapter for new payments. */
  readonly chosen: Name;
  /** The adapter that a payment attempt names. If it is not configured, its calls throw ProviderError `unreachable`. */
  readonly named: (name: string) => Port;
  /** The first answer that a configured adapter gives; `undefined` if none gives any. */
  readonly firstAnswer: <Answer>(question: (port: Port) => Answer | undefined) => Answer | undefined;
};

export function createAdapters<Name extends string, Port>(
  table: Readonly<Record<Name, Adapter<Port>>>,
  { chosen, settings }: AdapterChoice<NoInfer<Name>>,
  notConfigured: Port,
  log?: Logger,
): Adapters<Name, Port> {
  const names = Object.keys(table) as Name[]; // Object.keys loses the key types
  const ports = new Map<string, Port>();
  for (const name of names) {
    const own = settings[name];
    if (own !== undefined) ports.set(name, table[name].create(own, log));
  }
  return {
    chosen,
    named: (name) => ports.get(name) ?? notConfigured,
    firstAnswer(question) {
      for (const port of ports.values()) {
        const answer = question(port);
        if (answer !== undefined) return answer;
      }
      return undefined;
    },
  };
}

export function rejectsAsNotConfigured(provider: string) {
  return () => Promise.reject(new ProviderError(provider, 'unreachable', 'is not configured'));
}
