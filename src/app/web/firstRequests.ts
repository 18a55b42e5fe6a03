/**
 * The addresses that each screen asks for first, for public/shell.js: made at build time by having prefetch.ts ask for
 * them while nothing is sent. Ids stand as `:id`.
 */

let asked: string[] = []

// What the page's modules need of a browser until then, some of them when they are loaded.
Object.assign(globalThis, {
  addEventListener: () => undefined,
  localStorage: { getItem: () => null },
  fetch: (address: string) => {
    // To the letter as the page will ask for it, but for the place of an id.
    asked.push(address.replaceAll('%3Aid', ':id'))
    return new Promise(() => undefined)
  },
})

const [{ askFor, screens }, { queryClient }, { provideCalls }, { endpointTable }] = await Promise.all([
  import('./prefetch.ts'),
  import('../../kit/web/query.ts'),
  import('../../kit/web/api.ts'),
  import('./endpointTable.ts'),
])
provideCalls(endpointTable)
// Its timers would keep the build waiting for five minutes.
queryClient.setDefaultOptions({ queries: { gcTime: Infinity } })

/** By the screen's path, then by role. */
const firstRequests = async (): Promise<Record<string, Record<string, string[]>>> => {
  const found: Record<string, Record<string, string[]>> = {}
  for (const screen of screens) {
    const byRole: [string, string[]][] = []
    for (const role of screen.roles) {
      asked = []
      queryClient.clear()
      void askFor(screen, { role, id: ':id', params: new URLSearchParams() })
      await new Promise(sent => setTimeout(sent))
      byRole.push([role, asked])
    }
    found[screen.path] = Object.fromEntries(byRole)
  }
  return found
}

export const renderFirstRequests = async (): Promise<string> =>
  `<script type="application/json" id="first-requests">${JSON.stringify(await firstRequests())}</script>`
