/** Of a console that a test starts without a service. */
export const CONSOLE_SETTINGS = {
  version: 'test',
  isProduction: false,
  mayOnlyPlatformCapture: false,
  temporalUiUrl: null,
  temporalNamespace: 'default',
  maxExportedRows: 10_000,
} as const;
