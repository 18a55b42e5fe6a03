/** Requests that public/shell.js sent for the first screen while its code was loading. */

type Early = { token: string; response: Promise<Response> }

declare global {
  interface Window {
    /** By address. */
    earlyRequests?: Map<string, Early>
  }
}

/** A later screen asks for itself. */
const freshForMs = 10_000

/** The answer to this very request of this very session, once; undefined when it was not sent early. */
export const takeEarly = (method: string, address: string, token: string | null): Promise<Response> | undefined => {
  const early = globalThis.window?.earlyRequests?.get(address)
  if (!early || method !== 'GET') return undefined
  window.earlyRequests?.delete(address)
  return early.token === token && performance.now() < freshForMs ? early.response : undefined
}
