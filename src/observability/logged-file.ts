/** The variables of the request that the file answers. */
type RequestVariables = {
  readonly log: { readonly error: (fields: object, text: string) => void };
  readonly requestId: string;
};

/**
 * Wraps a file. If it fails, logs the error with the request's id, and passes the HTTP server an error without details, because
 * the server prints it, and a database error contains values. The server then closes the connection before the answer is
 * complete.
 */
export function loggedFile(file: ReadableStream, { log, requestId }: RequestVariables): ReadableStream {
  const reader = file.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        log.error({ err: error, requestId }, 'a file download failed');
        controller.error(new Error(`a file download failed, see the log of request ${requestId}`));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
