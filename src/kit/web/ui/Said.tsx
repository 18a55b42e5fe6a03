import type { ReactNode } from 'react'

/**
 * In what the document shows before the screen's code has loaded: the place of a field of the server's answer, for example
 * `campaign.title`. public/shell.js fills it in, and `:campaign.title` in the address of a link. A month such as `2026-11` can be
 * shown in words. `others.0.timeZone` is a field of the second answer that the screen asks for.
 * All this is only for the document: in what React draws, nothing would fill it in.
 */
export const Said = ({ field, as }: { field: string; as?: 'month' }) => <span data-field={field} data-as={as} />

/** The values that a field may have. '' stands for null and for a field that is missing. */
export type Needs = Record<string, readonly (string | number | boolean)[]>

/**
 * What is shown once the server has answered, if the answer meets all the needs: `{ status: ['ACTIVE'], nda: [''] }` is an active
 * test without an NDA. `until` is in its place before, and stays if it does not.
 */
export const OnceSaid = ({ needs = {}, until, children }: { needs?: Needs; until: ReactNode; children: ReactNode }) => (
  <div data-once>
    <template data-needs={JSON.stringify(needs)}>{children}</template>
    {until}
  </div>
)
