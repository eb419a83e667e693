/**
 * A reason not to start that a person can act on. Only its message is shown, which says what is wrong and what to do,
 * without a stack trace unless LOG_LEVEL is debug.
 */
export class StartupError extends Error {
  override readonly name: string = 'StartupError';
}

/** Thrown if the environment is not a valid configuration. The message names every wrong variable. */
export class ConfigError extends StartupError {
  override readonly name = 'ConfigError';
}
