import type { z } from 'zod';
import type { AdapterChoice, AdapterSettings, ProviderVariable } from '../providers/adapter.ts';
import { GATEWAYS, type GatewayName } from '../providers/gateway/registry.ts';
import { OPERATORS, type OperatorName } from '../providers/mobile-money/registry.ts';
import { httpUrl, text, word } from './forms.ts';

/** The part of the configuration that follows from the tables of gateways and operators. */

export const GATEWAY_NAMES = Object.keys(GATEWAYS) as [GatewayName, ...GatewayName[]]; // Object.keys forgets the keys
export const OPERATOR_NAMES = Object.keys(OPERATORS) as [OperatorName, ...OperatorName[]]; // as above

const TABLES = [GATEWAYS, OPERATORS] as const;

/** For each adapter, the variables that are set together. */
const GROUPS: readonly (readonly ProviderVariable[])[] = TABLES.flatMap((table) =>
  Object.values(table).map(({ variables }) => Object.values(variables)),
);

export const ADAPTER_VARIABLES: readonly ProviderVariable[] = GROUPS.flat();

/** Each group of variables by name, for the check that a group is whole. */
export const ADAPTER_GROUPS: readonly (readonly string[])[] = GROUPS.map((group) => group.map(({ name }) => name));

type Complaint = { readonly variable: string; readonly problem: string };
type Read = (variable: string) => string;

const FORMS = {
  host: httpUrl,
  word,
  aes256Key: text.regex(/^[0-9a-f]{64}$/i, '64 hex digits'),
} as const satisfies Record<ProviderVariable['form'], z.ZodType<string>>;

/** The faults in the form of the variables that are set. */
export function malformedAdapterVariables(read: Read): Complaint[] {
  return ADAPTER_VARIABLES.filter(({ name }) => read(name) !== '').flatMap(({ name, form }) => {
    const problems = FORMS[form].safeParse(read(name)).error?.issues ?? [];
    return problems.map(({ message }) => ({ variable: name, problem: `must be ${message}` }));
  });
}

/** The variables of the selected adapters, which production requires. */
export function missingAdapterVariables(read: Read, chosen: AdapterNames): Complaint[] {
  const variables = [GATEWAYS[chosen.gateway].variables, OPERATORS[chosen.mobileMoney].variables];
  return variables
    .flatMap((group): ProviderVariable[] => Object.values(group))
    .filter(({ name }) => read(name) === '')
    .map(({ name, expected }) => ({ variable: name, problem: `is required; it must be ${expected}` }));
}

export type AdapterNames = { readonly gateway: GatewayName; readonly mobileMoney: OperatorName };
export const DEFAULT_ADAPTERS: AdapterNames = { gateway: 'oppwa', mobileMoney: 'http' };
export type ConfiguredAdapters = {
  readonly gateways: AdapterChoice<GatewayName>;
  readonly operators: AdapterChoice<OperatorName>;
};

export function readAdapters(read: Read, { gateway, mobileMoney }: AdapterNames): ConfiguredAdapters {
  const settingsOf = <Name extends string>(
    table: Readonly<Record<Name, { readonly variables: Readonly<Record<string, ProviderVariable>> }>>,
    names: readonly Name[],
  ) => Object.fromEntries(names.map((name) => [name, settingsFrom(table[name].variables, read)]));
  return {
    gateways: { chosen: gateway, settings: settingsOf(GATEWAYS, GATEWAY_NAMES) },
    operators: { chosen: mobileMoney, settings: settingsOf(OPERATORS, OPERATOR_NAMES) },
  };
}

/** `undefined` if any is missing. */
function settingsFrom(variables: Readonly<Record<string, ProviderVariable>>, read: Read): AdapterSettings | undefined {
  // A malformed variable was reported before.
  const entries = Object.entries(variables).map(([key, { name, form }]) => [
    key,
    FORMS[form].safeParse(read(name)).data,
  ]);
  return entries.every(([, value]) => value !== undefined && value !== '') ? Object.fromEntries(entries) : undefined;
}
