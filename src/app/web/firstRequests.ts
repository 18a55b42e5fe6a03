/**
 * The addresses that each screen requests first, for public/shell.js: made at build time by running prefetch.ts without sending
 * anything. Ids are written as `:id`.
 */

let asked: string[] = []

// What the page's modules need from a browser, some of them while they are being loaded.
Object.assign(globalThis, {
  addEventListener: () => undefined,
  localStorage: { getItem: () => null },
  fetch: (address: string) => {
    // Exactly as the page will request it, except for the id.
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
// Its timers would keep the build running for five minutes.
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
