/**
 * The security headers of every answer, made once at startup. Pages get all of them; the API's answers get those that matter for
 * data that no browser displays: it is not sniffed, framed or run.
 */
import type { FastifyInstance } from 'fastify'
import { apiBase } from '../../kit/server/http.ts'

type Headers = Record<string, string>

/** A page loads nothing from other origins and runs no inline scripts. Positioned layers set inline styles. */
const pagePolicy = (secure: boolean) =>
  [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(secure ? ['upgrade-insecure-requests'] : []),
  ].join(';')

/** If a browser takes an answer for a document after all, nothing loads or runs. */
const apiPolicy = "default-src 'none';frame-ancestors 'none'"

/** No screen uses these devices and sensors, and only our own pages may use passkeys. */
const permissionsPolicy = [
  ...['accelerometer', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'magnetometer', 'microphone', 'midi']
    .concat(['payment', 'serial', 'usb'])
    .map(feature => `${feature}=()`),
  ...['publickey-credentials-create', 'publickey-credentials-get'].map(feature => `${feature}=(self)`),
].join(', ')

const everywhere = (secure: boolean): Headers => ({
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  ...(secure && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
})

const ofPages = (secure: boolean): Headers => ({
  ...everywhere(secure),
  'content-security-policy': pagePolicy(secure),
  'permissions-policy': permissionsPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-permitted-cross-domain-policies': 'none',
  // The XSS filter of old browsers could be turned against the page.
  'x-xss-protection': '0',
})

const ofApi = (secure: boolean): Headers => ({
  ...everywhere(secure),
  'content-security-policy': apiPolicy,
  'cache-control': 'no-store',
})

export const mountHeaders = (app: FastifyInstance, publicUrl: string | undefined): void => {
  const secure = publicUrl?.startsWith('https:') ?? false
  const [page, api] = [ofPages(secure), ofApi(secure)]
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(request.url.startsWith(apiBase) ? api : page).header('x-request-id', request.id)
    done()
  })
}
