import { expect, test } from 'vitest'
import { isWebLink } from './links.ts'

test.each(['https://example.test', 'http://example.test/path?query#part', 'HTTPS://EXAMPLE.TEST'])(
  '%s is a link that a browser may open',
  link => expect(isWebLink(link)).toBe(true),
)

test.each([
  'ftp://example.test/app.apk',
  'javascript:alert(1)',
  'data:text/html,hello',
  'mailto:ann@example.test',
  'file:///etc/passwd',
  'https://',
  'example.test',
  '/relative',
  '',
])('%j is not one', link => expect(isWebLink(link)).toBe(false))
