/** Repeats requests that a busy machine had no time for, as a client does. */

/** Far more than any machine should need. */
const mostTries = 50

/** Refused without effect because the machine was too slow for a request's limits (decision 015). */
const isTooBusy = (answer: unknown): boolean =>
  answer instanceof Object &&
  (('status' in answer && answer.status === 503) || ('statusCode' in answer && answer.statusCode === 503))

/** For a test's preparations, and for races, where it matters who wins and not how fast. */
export const served = async <T>(send: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries++) {
    const answer = await send()
    if (!isTooBusy(answer) || tries === mostTries) return answer
  }
}
