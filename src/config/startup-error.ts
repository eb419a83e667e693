/**
 * A reason not to start that a person can act on. Its message is all that is shown: it says what is wrong and what to do,
 * so no stack trace follows it unless LOG_LEVEL is debug.
 */
export class StartupError extends Error {
  override readonly name: string = 'StartupError';
}

/** Thrown when the environment makes no configuration. Its message names every wrong variable. */
export class ConfigError extends StartupError {
  override readonly name = 'ConfigError';
}
