import { jest } from '@jest/globals';

/** In CI a test that fails is repeated once, after the others of its file, and named at the end of the run. */
jest.retryTimes(1, { logErrorsBeforeRetry: true });
