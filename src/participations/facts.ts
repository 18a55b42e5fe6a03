/** What a check-in says of the day. Pure. */
import { DomainError } from '../kit/errors.ts'

/** In the order of the campaign's list; throws when one is not on it. */
export const featuresTried = (ofCampaign: readonly string[], tried: readonly string[]): string[] => {
  const unknown = tried.find(feature => !ofCampaign.includes(feature))
  if (unknown === undefined) return ofCampaign.filter(feature => tried.includes(feature))
  const message =
    ofCampaign.length === 0
      ? 'This campaign has no list of features.'
      : `"${unknown}" is not on this campaign’s list of features.`
  throw new DomainError('INVALID_INPUT', message, { fields: { features: message } })
}

export type Said = { note: string | null; minutes: number | null; features: readonly string[] }

/** With what an earlier check-in of the same day said, if this one takes its place: nothing of it is lost. */
export const saidOnDay = <T extends Said>(said: T, earlier: Said | undefined): T =>
  earlier === undefined
    ? said
    : {
        ...said,
        note: [...new Set([earlier.note, said.note])].filter(note => note !== null).join(' ') || null,
        minutes: said.minutes ?? earlier.minutes,
        features: [...new Set([...earlier.features, ...said.features])],
      }

/** Nothing that looks like something else, on paper or on a small screen: no 0 and O, 1, I and L, 2 and Z, 5 and S, 8 and B. */
const letters = 'ACDEFGHJKMNPRTUWXY34679'
const codeLength = 6

/** Six characters from at least twelve random bytes. */
export const codeOf = (bytes: Uint8Array): string =>
  Array.from(
    { length: codeLength },
    (_, place) => letters[((bytes[place * 2]! << 8) | bytes[place * 2 + 1]!) % letters.length],
  ).join('')
