/**
 * The one template of all emails: tables and inline styles, which every mail program shows, and one style block for dark
 * screens, which the others leave out. Pure. Whatever comes from people is escaped here and nowhere else.
 */

type Button = { label: string; address: string }

/** A campaign's lines in a digest. */
type MailSection = { title: string; items: readonly { subject: string; address: string; when: string }[] }

export type MailContent = {
  subject: string
  /** Null where nobody has shown yet that the address is theirs. */
  name: string | null
  /** Paragraphs are parted by an empty line. One that is nothing but the button’s address becomes the button. */
  text: string
  button: Button
  sections?: readonly MailSection[]
  /** Why this email came, and where it can be turned off. */
  foot: { because: string; turnOff: Button | null }
}

const light = { page: '#fbfaf7', card: '#ffffff', text: '#1c1f1b', muted: '#5d625a', border: '#e3e1d9' }
const green = { fill: '#0e5a4a', on: '#ffffff', link: '#0b6552' }

/** `!important`, because the light colors stand in the elements. */
const dark = `:root{color-scheme:light dark;supported-color-schemes:light dark}
a{text-underline-offset:3px}
@media (prefers-color-scheme:dark){
.page{background-color:#121512!important}
.card{background-color:#1a1e1a!important;border-color:#2d332d!important}
.text{color:#ecede7!important}
.muted{color:#a3a99f!important}
.link{color:#74d9bb!important}
.rule{border-color:#2d332d!important}
.fill{background-color:#66d1b1!important}
.on-fill{color:#06251d!important}
}`

const font = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const wrapped = 'word-break:break-word;overflow-wrap:anywhere'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (words: string): string => words.replaceAll(/[&<>"']/g, sign => entities[sign]!)

const greetingOf = (name: string | null) => `Hello${name === null ? '' : ` ${name}`},`

const paragraphsOf = (text: string) => text.split(/\n{2,}/).filter(paragraph => paragraph.trim() !== '')

/** What a mailbox shows behind the subject. */
const previewOf = ({ text, button }: MailContent): string => {
  const words = paragraphsOf(text).filter(paragraph => paragraph !== button.address)
  const line = words.join(' ').replaceAll(/\s+/g, ' ').trim()
  return line.length > 140 ? `${line.slice(0, 139).trimEnd()}…` : line
}

const paragraphHtml = (words: string) =>
  `<p class="text" style="margin:0 0 16px;color:${light.text};${wrapped}">${escaped(words).replaceAll('\n', '<br>')}</p>`

const buttonHtml = ({ label, address }: Button) =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 20px"><tr><td class="fill" bgcolor="${green.fill}" style="border-radius:8px;background-color:${green.fill}"><a class="on-fill" href="${escaped(address)}" style="display:inline-block;padding:12px 22px;${font};font-size:16px;line-height:20px;font-weight:600;color:${green.on};text-decoration:none">${escaped(label)}</a></td></tr></table>`

/** For programs that show no button, and for those who read where a link leads before they follow it. */
const addressHtml = (address: string) =>
  `<p class="muted" style="margin:0 0 16px;font-size:13px;line-height:19px;color:${light.muted};${wrapped}">If the button does not work, open this address:<br><a class="link" href="${escaped(address)}" style="color:${green.link}">${escaped(address)}</a></p>`

const sectionHtml = ({ title, items }: MailSection) =>
  `<h2 class="text" style="margin:20px 0 4px;font-size:16px;line-height:22px;font-weight:600;color:${light.text};${wrapped}">${escaped(title)}</h2><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed">${items
    .map(
      ({ subject, address, when }) =>
        `<tr><td class="rule" style="padding:10px 0;border-top:1px solid ${light.border};${wrapped}"><a class="link" href="${escaped(address)}" style="color:${green.link}">${escaped(subject)}</a><br><span class="muted" style="font-size:13px;line-height:19px;color:${light.muted}">${escaped(when)}</span></td></tr>`,
    )
    .join('')}</table>`

const linkHtml = ({ label, address }: Button) =>
  ` <a class="link" href="${escaped(address)}" style="color:${green.link}">${escaped(label)}</a>`

const footHtml = ({ because, turnOff }: MailContent['foot']) =>
  `<p class="muted" style="margin:0;font-size:13px;line-height:20px;color:${light.muted};${wrapped}">${escaped(because)}${turnOff ? linkHtml(turnOff) : ''}</p>`

const bodyHtml = ({ text, button, sections = [] }: MailContent) => {
  const paragraphs = paragraphsOf(text)
  const written = paragraphs.map(words => (words === button.address ? buttonHtml(button) : paragraphHtml(words)))
  const end = paragraphs.includes(button.address) ? addressHtml(button.address) : buttonHtml(button)
  return [...written, ...sections.map(sectionHtml), end].join('')
}

export const htmlOf = (content: MailContent): string => {
  const { subject, name, foot } = content
  return `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>${escaped(subject)}</title>
<style>${dark}</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:${light.page}">
<div aria-hidden="true" style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escaped(previewOf(content))}${'&#8199;&#847; '.repeat(40)}</div>
<div role="main" aria-label="Email">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${light.page}" style="background-color:${light.page};table-layout:fixed"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;table-layout:fixed">
<tr><td class="text" style="padding:0 4px 16px;${font};font-size:18px;line-height:24px;font-weight:700;color:${light.text}">Fieldtest</td></tr>
<tr><td class="card" bgcolor="${light.card}" style="padding:28px 24px 12px;border:1px solid ${light.border};border-radius:12px;background-color:${light.card};${font};font-size:16px;line-height:24px;color:${light.text}">
<h1 class="text" style="margin:0 0 16px;font-size:21px;line-height:28px;font-weight:600;color:${light.text};${wrapped}">${escaped(subject)}</h1>
${paragraphHtml(greetingOf(name))}${bodyHtml(content)}
</td></tr>
<tr><td style="padding:20px 4px 8px;${font}">${footHtml(foot)}</td></tr>
</table>
</td></tr></table>
</div>
</body>
</html>
`
}

const sectionText = ({ title, items }: MailSection) =>
  `${title}\n\n${items.map(({ subject, address, when }) => `- ${subject} (${when})\n  ${address}`).join('\n')}`

/** The same in plain text. */
export const textOf = ({ name, text, button, sections = [], foot }: MailContent, home: string): string => {
  const end = text.includes(button.address) ? home : button.address
  const parts = [greetingOf(name), text, ...sections.map(sectionText), `Fieldtest\n${end}`]
  const turnOff = foot.turnOff && `${foot.turnOff.label}:\n${foot.turnOff.address}`
  return `${[...parts, ...(turnOff ? [turnOff] : [])].join('\n\n')}\n`
}
