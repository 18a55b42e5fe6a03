/** Requests that public/early.js sent for the first screen while its code was loading. */

type Early = { token: string; response: Promise<Response> }

declare global {
  interface Window {
    /** By address. */
    earlyRequests?: Map<string, Early>
    /** The token of the last request that the app had to send itself: public/early.js sends no more with it. */
    askedWith?: string
  }
}

/** A later screen sends its own request. */
const freshForMs = 10_000

/** The answer to this request in this session, once; undefined if it was not sent early. */
export const takeEarly = (method: string, address: string, token: string | null): Promise<Response> | undefined => {
  const early = globalThis.window?.earlyRequests?.get(address)
  if (token !== null && globalThis.window && !early) window.askedWith = token
  if (!early || method !== 'GET') return undefined
  window.earlyRequests?.delete(address)
  return early.token === token && performance.now() < freshForMs ? early.response : undefined
}
