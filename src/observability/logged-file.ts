/** The variables of the request that the file answers. */
type RequestVariables = {
  readonly log: { readonly error: (fields: object, text: string) => void };
  readonly requestId: string;
};

/**
 * The same file. If it fails, the error is logged with the request's id. The HTTP server gets an error without details, because it
 * prints what it gets, and a database error contains values. It then closes the connection before the answer is complete.
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
        log.error({ err: error, requestId }, 'a file broke off');
        controller.error(new Error(`a file broke off, see the log of request ${requestId}`));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
