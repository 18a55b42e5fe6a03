/**
 * What a tester agrees to before they are asked for a Play address. A text that somebody has agreed to is never edited. A change is
 * a new version, and each agreement names its version.
 */
export type ConsentFacts = { developer: string; inGroup: boolean }

const versions: Record<number, (facts: ConsentFacts) => string[]> = {
  1: ({ developer, inGroup }) => [
    inGroup
      ? `Fieldtest gives this address to ${developer}, who adds it to the Google Group of this test. Whoever owns the group sees it, and its other members may, depending on its settings.`
      : `Fieldtest gives this address to ${developer}, who adds it to the list of testers of this app in Google Play Console.`,
    `${developer} gets it in the export of that list and nowhere else. On Fieldtest you stay anonymous, as “Tester 7” for example.`,
    'We store it encrypted. We erase it 30 days after the campaign has ended, or when you delete your account. That you agreed, to which text and when, is kept.',
  ],
}

export const consentVersion = 1

/** One element for each paragraph. */
export const consentText = (facts: ConsentFacts, version: number = consentVersion): string[] => {
  const text = versions[version]
  if (!text) throw new Error(`There is no consent text ${version}`)
  return text(facts)
}
