/** The public list of throw-away mail domains (disposable-email-domains on GitHub), in the version of its package. */
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'
import manifest from 'disposable-email-domains-js/package.json' with { type: 'json' }

export const { version } = manifest

let domains: ReadonlySet<string> | undefined

/** Read when a scan first needs it. */
export const throwAwayDomains = (): ReadonlySet<string> => (domains ??= disposableEmailBlocklistSet())
