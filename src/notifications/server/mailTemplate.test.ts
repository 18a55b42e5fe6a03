import { expect, test } from 'vitest'
import { emailExamples } from '../../testing/emailExamples.ts'
import { inZone } from './emailParts.ts'
import { type EmailKind, writeEmail } from './emails.ts'
import { htmlOf, type MailContent, textOf } from './mailTemplate.ts'

const kinds = Object.keys(emailExamples) as EmailKind[]
const name = '<script>alert("Ann")</script>'
const address = 'https://fieldtest.test/dashboard?a=1&b="2"'

const contentOf = (kind: EmailKind): MailContent => {
  const { about: _, button, subject, text: written } = writeEmail(kind, emailExamples[kind] as never)
  const text = inZone(written, 'Europe/Berlin')
  return { subject, text, name, button: button ?? { label: 'Open', address }, foot: { because: 'Why.', turnOff: null } }
}

test.each(kinds)('%s writes no markup of names, titles and texts into its HTML', kind => {
  const content = contentOf(kind)
  const html = htmlOf(content)
  const own = new Set(
    'html head meta title style body div table tr td p h1 h2 a br span !doctype'
      .split(' ')
      .flatMap(tag => [tag, `/${tag}`]),
  )
  const tags = [...html.matchAll(/<([!/]?[a-z0-9]+)/gi)].map(([, tag]) => tag!.toLowerCase())
  expect(tags.filter(tag => !own.has(tag))).toEqual([])
  expect(html).toContain('Hello &lt;script&gt;alert(&quot;Ann&quot;)&lt;/script&gt;,')
  // Every attribute is closed where it was opened.
  for (const [, link] of html.matchAll(/href="([^"]*)"/g)) expect(link).toMatch(/^https:\/\/fieldtest\.test\//)
})

test.each(kinds)('%s says the same in its text as in its HTML, and has a button', kind => {
  const content = contentOf(kind)
  const html = htmlOf(content)
  const shown = html
    .replace(/^[^]*<h1/, '<h1')
    .replaceAll(/<br>|<\/p>/g, '\n')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(
      /&(amp|lt|gt|quot|#39);/g,
      (_, entity: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[entity]!,
    )
  for (const line of content.text.split('\n')) expect(shown).toContain(line)
  expect(shown).toContain(content.button.label)
  expect(textOf(content, 'https://fieldtest.test/')).toContain(content.text)
})

test('the button of an email with a link stands where its text has the link, and no other button is beside it', () => {
  const html = htmlOf(contentOf('RESET_PASSWORD'))
  const { link } = emailExamples.RESET_PASSWORD
  expect([...html.matchAll(/class="on-fill" href="([^"]*)"/g)].map(([, to]) => to)).toEqual([link])
  // What a mailbox shows beside the subject holds no token.
  expect(/<div aria-hidden[^]*?<\/div>/.exec(html)?.[0]).not.toContain('token')
})

test('a digest lists each matter under its campaign, in the HTML and in the text', () => {
  const items = [{ subject: '3 proofs submitted <now>', address: `${address}#1`, when: 'March 1' }]
  const content = { ...contentOf('ADMIN_MESSAGE'), sections: [{ title: 'Notes & more', items }] }
  expect(htmlOf(content)).toContain('3 proofs submitted &lt;now&gt;')
  expect(htmlOf(content)).toContain('Notes &amp; more</h2>')
  expect(textOf(content, address)).toContain(`- 3 proofs submitted <now> (March 1)\n  ${address}#1`)
})

test('where it can be turned off, text and HTML say how; elsewhere neither does', () => {
  const turnOff = { label: 'Turn off emails about proofs', address: 'https://fieldtest.test/unsubscribe#token=x' }
  const off = { ...contentOf('PROOF_TO_REVIEW'), foot: { because: 'Why.', turnOff } }
  expect(htmlOf(off)).toContain('href="https://fieldtest.test/unsubscribe#token=x"')
  expect(textOf(off, address)).toContain('Turn off emails about proofs:\nhttps://fieldtest.test/unsubscribe#token=x\n')
  expect(htmlOf(contentOf('NEW_DEVICE'))).not.toContain('unsubscribe')
})
