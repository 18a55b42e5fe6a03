/**
 * The addresses that each screen requests first, for public/early.js: made at build time by running prefetch.ts without sending
 * anything. Ids are written as `:id`. A screen that asks for something else if its address has a filter is marked as filtered. A
 * part that the address can name stands before its screen, with that address: `/dashboard/campaigns/:id?tab=bugs`. What follows from
 * the first answer is listed with its needs, and may name fields of that answer in its address, as `:developer.id`.
 */
import type { Campaign } from '../../campaigns/contract.ts'
import type { Needs } from '../../kit/web/ui/Said.tsx'

let asked: string[] = []

// What the page's modules need from a browser, some of them while they are being loaded.
Object.assign(globalThis, {
  addEventListener: () => undefined,
  localStorage: { getItem: () => null },
  fetch: (address: string) => {
    // Exactly as the page will request it, except for the id.
    asked.push(address.replaceAll('%3A', ':'))
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

type Next = { needs: Needs; address: string }
type Asked = { filtered: boolean; byRole: Record<string, string[]>; next?: Record<string, Next[]> }

const askedBy = async (screen: (typeof screens)[number], part?: string): Promise<Asked> => {
  const of: Asked = { filtered: false, byRole: {} }
  for (const role of screen.roles) {
    asked = []
    queryClient.clear()
    const visit = {
      role,
      id: ':id',
      part,
      get params() {
        of.filtered = true
        return new URLSearchParams()
      },
    }
    void askFor(screen, visit)
    await new Promise(sent => setTimeout(sent))
    of.byRole[role] = asked
    for (const { needs, ask } of screen.next?.(visit) ?? []) {
      asked = []
      void ask({ developer: { id: ':developer.id' } } as Campaign)
      await new Promise(sent => setTimeout(sent))
      of.next ??= {}
      ;(of.next[role] ??= []).push({ needs, address: asked[0]! })
    }
  }
  return of
}

/** By the screen's address. */
const firstRequests = async (): Promise<Record<string, Asked>> => {
  const found: Record<string, Asked> = {}
  for (const screen of screens) {
    const { path, parts } = screen
    // The address names a part and nothing else, so it has no filter.
    for (const part of parts?.names ?? [])
      found[`${path}?${parts!.parameter}=${part}`] = { ...(await askedBy(screen, part)), filtered: false }
    found[path] = await askedBy(screen)
  }
  return found
}

export const renderFirstRequests = async (): Promise<string> =>
  `<script type="application/json" id="first-requests">${JSON.stringify(await firstRequests())}</script>`
