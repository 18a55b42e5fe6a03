/** Replacements for Stripe's own pages, where a browser can pay, be declined, and provide what is missing. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { onboard } from './accounts.ts'
import { declineCard, pay } from './checkout.ts'
import type { State } from './state.ts'

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

const button = (value: string, label: string) => `<button name="press" value="${value}">${label}</button>`

/** Where the browser goes after a link was used: the return address of an account's newest link. */
const returnAddresses = new WeakMap<State, Map<string, string>>()

export const rememberReturn = (state: State, account: string, address: string): void => {
  const addresses = returnAddresses.get(state) ?? new Map<string, string>()
  returnAddresses.set(state, addresses.set(account, address))
}

const show = (response: ServerResponse, html: string) =>
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)

const goTo = (response: ServerResponse, address: string) => response.writeHead(303, { location: address }).end()

type Visit = { request: IncomingMessage; response: ServerResponse; path: string; form: URLSearchParams }

/** Whether the address belongs to one of these pages. */
export const visited = (state: State, { request, response, path, form }: Visit): boolean => {
  const [, sessionId] = /^\/c\/pay\/([^/]+)$/.exec(path) ?? []
  const [, accountId] = /^\/setup\/e\/([^/]+)\//.exec(path) ?? []
  const isPress = request.method === 'POST'
  if (sessionId !== undefined) {
    const session = state.find(sessionId, 'checkout.session')
    const fill = (address: unknown) => String(address).replaceAll('{CHECKOUT_SESSION_ID}', sessionId)
    if (!isPress) {
      const back = `<a href="${escaped(fill(session.cancel_url))}">Back</a>`
      const form1 = `<form method="post">${button('pay', 'Pay')}${button('decline', 'Pay with a declined card')}</form>`
      show(
        response,
        page('Fake checkout', session.status === 'open' ? form1 + back : `<p>This session is over.</p>${back}`),
      )
    } else if (session.status === 'open' && form.get('press') === 'pay') {
      pay(state, sessionId)
      goTo(response, fill(session.success_url))
    } else {
      if (session.status === 'open') declineCard(state, sessionId)
      goTo(response, path)
    }
    return true
  }
  if (accountId !== undefined) {
    if (!isPress) {
      const choices = button('all', 'Give everything') + button('some', 'Give one thing')
      show(response, page('Fake onboarding', `<form method="post">${choices}</form>`))
    } else {
      onboard(state, accountId, form.get('press') === 'all' ? undefined : 1)
      goTo(response, returnAddresses.get(state)?.get(accountId) ?? '/')
    }
    return true
  }
  return false
}
