/** A bug as text for an issue tracker: plain Markdown, or in the format of GitHub's issue forms. Pure. */
import { deviceName } from '../kit/words.ts'
import { platformNames } from '../campaigns/terms.ts'
import type { WholeBug } from './csv.ts'
import { severityWords, statusWords } from './rules.ts'
import type { BugTextForm } from './terms.ts'

/** A line of nothing but these is a rule, or turns the line above it into a heading. */
const isUnderline = (text: string) => /^(=+|-[-\s]*)$/.test(text.trim())

/** The markers of lists, each with one space after it: with more, Markdown reads what follows as code. */
const markersOf = (line: string): [markers: string, rest: string] => {
  // From there on there are only dashes and spaces, which are a rule and no list.
  let ruleAt = line.length
  while (/[-\s]/.test(line.charAt(ruleAt - 1))) ruleAt--
  const next = /([-+]|\d{1,9}[.)])(?:\s+|$)/y
  let [markers, at] = ['', 0]
  while (at < ruleAt) {
    const marker = next.exec(line)?.[1]
    if (marker === undefined) break
    markers += `${marker} `
    at = next.lastIndex
  }
  return [markers, line.slice(at)]
}

/** Indented further, and not going on with a paragraph or a list, a line is code. */
const deepestIndent = 3

const lineOfText = (line: string, goesOn: boolean): { text: string; goesOn: boolean } => {
  const bare = line.trimStart()
  const [markers, rest] = markersOf(bare)
  const indent = line.slice(0, line.length - bare.length)
  const kept = goesOn || (!/\t/.test(indent) && indent.length <= deepestIndent) ? indent : ' '.repeat(deepestIndent)
  return { text: `${kept}${markers}${isUnderline(rest) ? '\\' : ''}${rest}`, goesOn: rest.trim() !== '' }
}

/** Keeps lists and line breaks. */
const withoutBlocks = (text: string): string => {
  let goesOn = false
  const lines = text.split('\n').map(line => {
    const safe = lineOfText(line, goesOn)
    goesOn = safe.goesOn
    return safe.text
  })
  return lines.join('\n')
}

/** Between two dollar signs GitHub reads mathematics. */
const withoutMath = (text: string) => (/\$[^$]*\$/.test(text) ? text.replaceAll('$', '&#36;') : text)

/** Mentions of people, and references to issues and merge requests by their numbers, up to where they are divided. */
const mentions = /@(?=\w)|#(?=\w)|!(?=\d)|&amp;(?=\d)|\bGH-(?=\d)/gi

/**
 * The same for addresses, on whatever server GitHub or GitLab runs: the trackers link to each of them back from the issue or commit,
 * in other people's projects as well. Underscores are escaped by then.
 */
const addresses =
  /\/(?:issues(?:\/incident)?|pulls?|discussions|epics|merge\\_requests|work\\_items)\/(?=\d)|\/commits?\/(?=[\da-f]{4})/gi

/**
 * Keeps what testers wrote as plain text: it cannot add markup or pictures from elsewhere, mention anybody, or refer to another
 * issue. Lists and line breaks are kept. GitHub has no escape for mentions and references, so an empty comment divides them: what is
 * shown and copied, addresses included, is what was written.
 */
export const plainText = (text: string): string => {
  const escaped = text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[\\`*_[\]~|]|#(?!\w)/g, String.raw`\$&`)
    .replaceAll(mentions, '$&<!-- -->')
    .replaceAll(addresses, '$&<!-- -->')
  return withoutMath(withoutBlocks(escaped))
}

/** Names of the fields, in the order of an issue form. */
const fieldsOf = (bug: WholeBug): [string, string | null][] => {
  const { device } = bug
  const system = [device.platform && platformNames[device.platform], device.osVersion].filter(Boolean).join(' ')
  return [
    ['Steps to reproduce', bug.steps],
    ['Expected', bug.expected],
    ['Actual', bug.actual],
    ['App version', bug.appVersion],
    ['Device', [deviceName(device), system].filter(Boolean).join(', ')],
    ['Severity', severityWords[bug.severity]],
  ]
}

const stateOf = ({ status, fixedIn, duplicateOf }: WholeBug) => {
  if (status === 'FIXED') return `Fixed in ${fixedIn}`
  return duplicateOf === null ? statusWords[status] : `Duplicate of bug ${duplicateOf.number}`
}

/** What GitHub writes for a field that was left empty. */
const noResponse = '_No response_'

const ofForm = (bug: WholeBug) =>
  fieldsOf(bug)
    .map(([label, value]) => `### ${label}\n\n${value ? plainText(value) : noResponse}\n`)
    .join('\n')

const asMarkdown = (bug: WholeBug) =>
  fieldsOf(bug)
    .filter(([, value]) => value)
    .map(([label, value]) =>
      value!.includes('\n') ? `**${label}**\n\n${plainText(value!)}\n` : `**${label}:** ${plainText(value!)}\n`,
    )
    .join('\n')

const originOf = (bug: WholeBug) =>
  `\nReported by ${bug.alias} on Fieldtest as bug ${bug.number}, ${bug.reportedAt.slice(0, 10)}. ${plainText(stateOf(bug))}.\n`

export const markdownOf = (bug: WholeBug, form: BugTextForm, head: 'titled' | 'untitled'): string =>
  `${head === 'titled' ? `## ${plainText(bug.title)}\n\n` : ''}${form === 'github' ? ofForm(bug) : asMarkdown(bug)}${originOf(bug)}`

export const titleOfAll = '# Bugs\n'

/** The longest URL that GitHub accepts. */
const longestAddress = 8000

/**
 * The URL of GitHub's form for a new issue, filled in; `repository` is "owner/name". Null if the text is too long for a URL and has
 * to be copied.
 */
export const newIssueLink = (bug: WholeBug, repository: string): string | null => {
  const query = new URLSearchParams({ title: bug.title, body: markdownOf(bug, 'github', 'untitled') })
  const link = `https://github.com/${repository}/issues/new?${query.toString()}`
  return link.length <= longestAddress ? link : null
}

export const isRepository = (text: string): boolean => /^[\w.-]{1,100}\/[\w.-]{1,100}$/.test(text)
