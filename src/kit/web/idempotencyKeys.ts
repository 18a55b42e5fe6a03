import { isUncertain } from './apiError.ts'
import { randomId } from './randomId.ts'

/** Keys of requests that have no definite reply yet. They outlive the dialog or form that sent the request. */
const unsettled = new Map<string, string>()

/**
 * Sends a request with an idempotency key. `request` identifies it: who asks for what. After an uncertain outcome, the same
 * request repeats its key, so nothing is done or paid twice; a success or a refusal ends the key.
 */
export const withIdempotencyKey = async <T>(request: string, send: (key: string) => Promise<T>): Promise<T> => {
  const key = unsettled.get(request) ?? randomId()
  unsettled.set(request, key)
  const settle = () => {
    if (unsettled.get(request) === key) unsettled.delete(request)
  }
  try {
    const reply = await send(key)
    settle()
    return reply
  } catch (error) {
    if (!isUncertain(error)) settle()
    throw error
  }
}
