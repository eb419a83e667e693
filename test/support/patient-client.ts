import { Client, isGrpcServiceError, ServiceError, type WorkflowClientInterceptor } from '@temporalio/client';
import { converterOf, lazyClient, type TemporalSettings } from '../../src/temporal/connection.ts';
import { eventually } from './eventually.ts';

const DEADLINE_EXCEEDED = 4;

/** A worker of a busy machine may not answer a query within Temporal's time limit. A query changes nothing, so it is repeated. */
const repeatQueries: WorkflowClientInterceptor = {
  query: async (input, next) => {
    const { answer } = await eventually(async () => {
      try {
        return { answer: await next(input) };
      } catch (error) {
        if (error instanceof ServiceError && isGrpcServiceError(error.cause) && error.cause.code === DEADLINE_EXCEEDED)
          return false;
        throw error;
      }
    });
    return answer;
  },
};

/** The client of a test, on a connection of its own. */
export function patientClient(settings: TemporalSettings) {
  const { connection } = lazyClient(settings);
  const client = new Client({
    connection,
    namespace: settings.temporalNamespace,
    interceptors: { workflow: [repeatQueries] },
    ...converterOf(settings),
  });
  return { client, connection };
}
