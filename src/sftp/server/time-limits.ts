/** Time for the answer to a log-in or a request, as of a request over HTTP. */
export const answerMsMax = 5_000;
/** For requests that commit a document, as of a document over HTTP. */
export const documentAnswerMsMax = 120_000;
