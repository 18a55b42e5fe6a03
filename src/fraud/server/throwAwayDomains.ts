/** The public list of domains of throw-away addresses (disposable-email-domains on GitHub), as of its package's version. */
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'
import manifest from 'disposable-email-domains-js/package.json' with { type: 'json' }

export const { version } = manifest

let domains: ReadonlySet<string> | undefined

/** Read when a scan first asks for it. */
export const throwAwayDomains = (): ReadonlySet<string> => (domains ??= disposableEmailBlocklistSet())
