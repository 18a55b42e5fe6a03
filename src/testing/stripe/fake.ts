/**
 * A stateful fake of Stripe, for tests only: the real SDK talks to it over HTTP. README.md says what it does as Stripe does, and
 * what could not be checked.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import * as accounts from './accounts.ts'
import * as checkout from './checkout.ts'
import { checked, routeOf } from './document.ts'
import { type Fault, faultsOf } from './faults.ts'
import { readForm } from './form.ts'
import { type Answer, keysOf } from './keys.ts'
import { expanded } from './lists.ts'
import * as money from './money.ts'
import { answerOddly } from './oddAnswers.ts'
import { operations, pass } from './operations.ts'
import { rememberReturn, visited } from './pages.ts'
import { invalidRequest, keyInUse, serverError, StripeRefusal, tooManyRequests } from './refusals.ts'
import { webhooksOf } from './webhooks.ts'
import { type Fields, type StateOptions, stateOf } from './state.ts'

export type { Fault } from './faults.ts'
export { dayMs, hourMs } from './state.ts'

export type FakeOptions = Omit<StateOptions, 'pages'> & {
  secretKey?: string
  /** People pay and onboard on the fake's pages instead of Stripe's. */
  ownPages?: boolean
  port?: number
}

/** A call and its answer; `status` 0 stands for a cut connection. */
type Call = { name: string; key: string | undefined; params: Fields; status: number; replayed: boolean }

export type StripeFake = Awaited<ReturnType<typeof startStripeFake>>

const answerOf = (status: number, body: unknown): Answer => ({ status, body: JSON.stringify(body) })

const refusalAnswer = ({ status, fields }: StripeRefusal) => answerOf(status, { error: fields })

export const startStripeFake = async ({
  secretKey = 'sk_test_fake',
  ownPages = false,
  port = 0,
  ...options
}: FakeOptions = {}) => {
  // The address is known only once the server listens.
  const stateOptions: StateOptions = { ...options }
  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${address.port}`
  if (ownPages) stateOptions.pages = origin
  const state = stateOf(stateOptions)
  const keys = keysOf(state)
  const faults = faultsOf(state.random)
  const webhooks = webhooksOf(state)
  const calls: Call[] = []

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', origin)
    const body = await text(request).catch(() => '')
    const send = ({ status, body: content }: Answer, more: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', 'request-id': state.newId('req'), ...more })
        .end(content)
    pass(state)
    try {
      if (visited(state, { request, response, path: url.pathname, form: new URLSearchParams(body) })) return
      await answer(request, response, url, body, send)
    } catch (error) {
      if (!(error instanceof StripeRefusal)) {
        response.destroy()
        throw error
      }
      send(refusalAnswer(error))
    }
  }

  type Send = (answer: Answer, more?: Record<string, string>) => void

  const answer = async (request: IncomingMessage, response: ServerResponse, url: URL, body: string, send: Send) => {
    const { method = 'GET', headers } = request
    const route = routeOf(method, url.pathname)
    const operation = route && operations[route.name]
    if (headers.authorization !== `Bearer ${secretKey}`) {
      throw invalidRequest('Invalid API Key provided.', {}, 401)
    }
    if (!route || !operation) throw invalidRequest(`The fake does not know ${method} ${url.pathname}.`, {}, 404)
    const isJson = String(headers['content-type']).includes('json')
    const sent =
      method === 'GET' ? readForm(url.search.slice(1)) : isJson ? (JSON.parse(body) as Fields) : readForm(body)
    const key = method === 'POST' ? headers['idempotency-key']?.toString() : undefined
    const call: Call = { name: route.name, key, params: sent, status: 0, replayed: false }
    calls.push(call)
    const finish = (result: Answer, more?: Record<string, string>) => {
      call.status = result.status
      send(result, more)
    }
    const cut = () => void response.destroy()
    const fault = faults.next(route.name)
    if (fault === 'cut') return cut()
    if (fault === '429') return finish(refusalAnswer(tooManyRequests()))
    if (fault === '409') return finish(refusalAnswer(keyInUse(key ?? 'none')))
    const version = url.pathname.startsWith('/v2') ? 'v2' : 'v1'
    const claim =
      key === undefined ? undefined : keys.claim(key, `${method} ${url.pathname} ${JSON.stringify(sent)}`, version)
    if (claim && 'replayed' in claim) {
      call.replayed = true
      if (fault === 'lose-answer') return cut()
      return finish(claim.replayed, { 'idempotent-replayed': 'true', 'original-request': 'req_first' })
    }
    let result: Answer
    try {
      result = carriedOut(route.name, route.id, sent, fault)
    } catch (error) {
      if (!(error instanceof StripeRefusal) || !error.kept) claim?.release()
      throw error
    }
    // The answer waits until it is released; meanwhile the key is in use.
    await faults.wait(route.name)
    claim?.keep(result)
    if (fault === 'lose-answer') return cut()
    finish(result)
  }

  /** Invalid parameters are thrown and leave the key unused; all other refusals are answers, which the key keeps. */
  const carriedOut = (name: string, id: string, sent: Fields, fault: Fault | undefined): Answer => {
    const params = checked(name, sent)
    if (fault === '500') return refusalAnswer(serverError())
    try {
      const made = operations[name]!(state, id, params)
      const flow = params.use_case as { account_onboarding?: { return_url?: string } } | undefined
      if (flow?.account_onboarding)
        rememberReturn(state, String(params.account), flow.account_onboarding.return_url ?? '/')
      if (fault === '500-done') return refusalAnswer(serverError())
      const { fake_intent: _, ...shown } = expanded(state, made, params.expand)
      return answerOf(200, shown)
    } catch (error) {
      if (error instanceof StripeRefusal && error.kept) return refusalAnswer(error)
      throw error
    }
  }

  return {
    origin,
    secretKey,
    /** The options of `new Stripe(secretKey, address)`. */
    address: { host: '127.0.0.1', port: address.port, protocol: 'http' as const },
    calls,
    /** The calls of this operation, replayed ones included. */
    callsOf: (name: string) => calls.filter(call => call.name === name),
    faults,
    webhooks,
    advance: state.advance,
    nowMs: state.nowMs,
    availableCents: state.availableCents,
    pendingCents: state.pendingCents,
    all: (object: string) => {
      checkout.endSessions(state)
      return state.all(object)
    },
    objectOf: state.objectOf,
    pay: (sessionId: string) => checkout.pay(state, sessionId),
    payUnbooked: (sessionId: string) => checkout.pay(state, sessionId, false),
    bookPayment: (intentId: string) => checkout.bookPayment(state, intentId),
    payLater: (sessionId: string, status?: 'processing' | 'requires_action') =>
      checkout.payLater(state, sessionId, status),
    settlePayment: (sessionId: string, outcome: 'succeeded' | 'failed') =>
      checkout.settlePayment(state, sessionId, outcome),
    declineCard: (sessionId: string) => checkout.declineCard(state, sessionId),
    onboard: (accountId: string, entries?: number) => accounts.onboard(state, accountId, entries),
    rejectAccount: (accountId: string) => accounts.rejectAccount(state, accountId),
    reverseTransfer: (transferId: string) => money.reverseTransfer(state, transferId),
    failRefund: (refundId: string, status?: 'failed' | 'canceled') => money.failRefund(state, refundId, status),
    oddly: (id: string, fields: Fields, events?: readonly string[]) => answerOddly(state, id, fields, events),
    payFailedRefund: (refundId: string) => money.payFailedRefund(state, refundId),
    settlePayout: (payoutId: string, outcome: 'paid' | 'failed') => money.settlePayout(state, payoutId, outcome),
    openDispute: (intentId: string, terms?: money.DisputeTerms) => money.openDispute(state, intentId, terms),
    reviewDispute: (disputeId: string) => money.reviewDispute(state, disputeId),
    disputeAgain: (disputeId: string) => money.disputeAgain(state, disputeId),
    closeDispute: (disputeId: string, outcome: money.DisputeEnd) => money.closeDispute(state, disputeId, outcome),
    /** Moves money without an event. */
    bookAlone: (amount: number) => state.book({ type: 'adjustment', amount, source: 'unknown' }),
    /** Stripe charges for its own services or, below zero, refunds such a charge. */
    takeFee: (cents: number, type: 'stripe_fee' | 'stripe_fx_fee' | 'tax_fee' = 'stripe_fee') =>
      state.book({ type, amount: -cents, source: null }),
    stop: async (): Promise<void> => {
      server.closeAllConnections()
      await new Promise<unknown>(resolve => server.close(resolve))
      const unmet = faults.unmet()
      if (unmet.length > 0) throw new Error(`Faults that were asked for did not happen: ${unmet.join('; ')}`)
    },
  }
}
