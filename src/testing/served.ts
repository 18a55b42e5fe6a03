/** Requests that a busy machine has no time for: they are sent again, as a client does. */

/** Far more than any machine needs. */
const mostTries = 50

/** Refused because the machine was too slow for the limits of a request (decision 015): nothing was done. */
const isTooBusy = (answer: unknown): boolean =>
  answer instanceof Object &&
  (('status' in answer && answer.status === 503) || ('statusCode' in answer && answer.statusCode === 503))

/** For what a test prepares, and for races, which are about who wins, not how fast. */
export const served = async <T>(send: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries++) {
    const answer = await send()
    if (!isTooBusy(answer) || tries === mostTries) return answer
  }
}
