/** Each kind of email as a phone shows its HTML, light and dark, with names and titles that try to inject HTML. */
import { emailExamples } from '../src/testing/emailExamples.ts'
import { inZone } from '../src/notifications/server/emailParts.ts'
import { type EmailKind, writeEmail } from '../src/notifications/server/emails.ts'
import { htmlOf } from '../src/notifications/server/mailTemplate.ts'
import { violationsOf } from './support/axe.ts'
import { expect, test } from './support/test.ts'

const address = 'https://fieldtest.test/dashboard/campaigns/019e8a00-0000-7000-8000-000000000000?tab=testers'
const turnOff = { label: 'Turn off emails about proofs', address: 'https://fieldtest.test/unsubscribe#token=x' }
const because = 'You get this email because of your choices.'

const sections = [
  {
    title: '<b>Notes</b> & more',
    items: [1, 2].map(number => ({
      subject: `${number} proofs submitted: ${'Long'.repeat(30)}`,
      address,
      when: 'Monday',
    })),
  },
]

const htmlOfKind = (kind: EmailKind): string => {
  const { about: _, button, subject, text: written } = writeEmail(kind, emailExamples[kind] as never)
  const text = inZone(written, 'Europe/Berlin')
  const name = '<i>Ann</i> & “Bea”'
  return htmlOf({
    subject,
    text,
    name,
    button: button ?? { label: 'Open the testers', address },
    foot: { because, turnOff },
  })
}

test('each kind of email is accessible, fits a phone, and its button leads to its subject', async ({ open }) => {
  const page = await open({ screen: 'phone' })
  const kinds = Object.keys(emailExamples) as EmailKind[]
  const digest = htmlOf({
    subject: 'Your daily digest',
    name: 'Ann',
    text: 'This is still open.',
    button: { label: 'Open your notifications', address },
    sections,
    foot: { because, turnOff },
  })
  const emails = [...kinds.map(kind => [kind, htmlOfKind(kind)] as const), ['DIGEST', digest] as const]
  const faults: string[] = []
  for (const [kind, html] of emails) {
    await page.setContent(html)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      faults.push(...(await violationsOf(page, `${kind}, ${colorScheme}`)))
    }
    const { width, background } = await page.evaluate(() => ({
      width: document.documentElement.scrollWidth,
      background: getComputedStyle(document.body).backgroundColor,
    }))
    if (width > 390) faults.push(`${kind} is ${width} px wide`)
    if (background !== 'rgb(18, 21, 18)') faults.push(`${kind} is not dark`)
    if ((await page.locator('a.on-fill').count()) !== 1) faults.push(`${kind} has not one button`)
    if ((await page.locator('img, script, b, i').count()) > 0) faults.push(`${kind} takes words for markup`)
  }
  expect(faults).toEqual([])
})
