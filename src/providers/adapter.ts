import type { Logger } from 'pino';
import { ProviderError } from './outcome.ts';

/**
 * Card gateways and mobile money operators are tables of adapters: gateway/registry.ts and mobile-money/registry.ts. The configuration
 * chooses one of each for new payments. A payment attempt records which adapter took it, and that one is asked about it, so
 * an adapter that is not chosen any more stays configured until its payments have come to their end.
 */

/** An environment variable that configures an adapter. */
export type ProviderVariable = {
  readonly name: string;
  readonly form: 'host' | 'word' | 'aes256Key';
  /** Completes "must be …" in the configuration's complaints. */
  readonly expected: string;
  /** Set for a secret: how long it must be in production. */
  readonly minSecretCharacters?: number;
};

export type AdapterSettings = Readonly<Record<string, string>>;

/** One row of a table. The variables are set all together or not at all. */
export type Adapter<Port> = {
  readonly variables: Readonly<Record<string, ProviderVariable>>;
  readonly create: (settings: AdapterSettings, log?: Logger) => Port;
};

/** Ties the variables of a row to the settings that its `create` takes. */
export function adapter<Settings extends AdapterSettings, Port>(
  variables: { readonly [Key in keyof Settings]: ProviderVariable },
  create: (settings: Settings, log?: Logger) => Port,
): Adapter<Port> {
  return { variables, create: (settings, log) => create(settings as Settings, log) }; // read by these variables, key by key
}

/** What the configuration says about one table. */
export type AdapterChoice<Name extends string> = {
  /** Takes new payments. */
  readonly chosen: Name;
  /** By adapter; one that is not configured is absent. */
  readonly settings: { readonly [Key in Name]?: AdapterSettings | undefined };
};

/** The adapters of one table, ready for use. */
export type Adapters<Name extends string, Port> = {
  /** Takes new payments. */
  readonly chosen: Name;
  /** The one that a payment attempt names. One that is not configured throws ProviderError `unreachable` when it is asked. */
  readonly named: (name: string) => Port;
  /** The first answer that a configured adapter gives; `undefined` where none gives any. */
  readonly firstAnswer: <Answer>(question: (port: Port) => Answer | undefined) => Answer | undefined;
};

export function createAdapters<Name extends string, Port>(
  table: Readonly<Record<Name, Adapter<Port>>>,
  { chosen, settings }: AdapterChoice<NoInfer<Name>>,
  notConfigured: Port,
  log?: Logger,
): Adapters<Name, Port> {
  const names = Object.keys(table) as Name[]; // Object.keys forgets the keys
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
