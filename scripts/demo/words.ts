/** What people write in the demo, combined from parts so that no two proofs are the same. */
import type { NewCheckIn } from '../../src/participations/contract.ts'
import type { RejectionCode } from '../../src/participations/contract.ts'
import type { Chance } from './timeline.ts'

const openings = [
  'Used it every day, mostly in the evening.',
  'I tested over the two weeks on my way to work and at home.',
  'Went through every screen at least twice, the main one daily.',
  'Tested with Wi-Fi, with mobile data and once without any connection.',
  'I used it as I would use any new app, and wrote down what bothered me.',
  'Tried the main features in the first days, then used it as intended.',
  'Installed from the test link, no trouble. Opened it daily since then.',
]

const findings = [
  'The first start took about four seconds, later ones are fast.',
  'Twice the keyboard covered the button at the bottom, so I had to scroll to save.',
  'In dark mode the gray text on the cards is hard to read.',
  'After I turned the phone, the list jumped back to the top.',
  'The notification came twice on one day, ten minutes apart.',
  'With the largest font size the title is cut off.',
  'Going back from the settings closes the app instead of showing the main screen.',
  'The battery use was normal, about two percent a day.',
  'The date is shown in the American order although my phone is set to another one.',
  'One crash when I switched to the camera and back; I could not repeat it.',
  'Search does not find words with accents.',
  'Sync took long on the train, but nothing was lost.',
  'The onboarding could be one page shorter, I skipped the last two.',
  'The undo after deleting is very good, please keep it.',
  'Pull to refresh spins forever without a connection.',
  'An error message was in English although the rest of the app is translated.',
]

const closings = [
  'Overall it feels close to ready. I would keep it.',
  'Nothing stopped me from using it. Good work.',
  'I would like to see the export in the next version.',
  'Screenshots of the two problems are behind the link.',
  'Happy to test the next version too.',
  'The rest worked as described.',
]

export const proofOf = (chance: Chance, device: string): { text: string; links: string[] } => {
  const found = chance.shuffled(findings).slice(0, chance.between(2, 4))
  const text = [chance.pick(openings), `My device is a ${device}.`, ...found, chance.pick(closings)].join(' ')
  const album = `https://photos.example.com/album/${chance.between(100_000, 999_999)}`
  return { text, links: chance.happens(45) ? [album] : [] }
}

export const betterProofOf = (chance: Chance, device: string): { text: string; links: string[] } => ({
  text: `As you asked, with more detail. ${proofOf(chance, device).text}`,
  links: [`https://photos.example.com/album/${chance.between(100_000, 999_999)}`],
})

export const thinProofs = [
  'Tested, all good.',
  'I used the app and it works fine, thank you.',
  'Nice app, no problems found on my phone.',
]

const checkInNotes = [
  'All fine today.',
  'A bit slow in the morning, later it was fine.',
  'Tried it offline on the bus.',
  'Found a small layout problem, will put it into the proof.',
  'Only had five minutes today.',
  'Tested with dark mode.',
  'The update installed without trouble.',
  'Used it for about half an hour.',
  'Showed it to my sister, she understood it at once.',
]

/** Most people enter the minutes; few write a note. */
export const checkInOf = (chance: Chance, features: readonly string[]): NewCheckIn => ({
  ...(chance.happens(70) && { minutes: chance.between(3, 45) }),
  ...(features.length > 0 && { features: features.filter(() => chance.happens(40)) }),
  ...(chance.happens(22) && { note: chance.pick(checkInNotes) }),
})

export const changeNotes = [
  'Thank you. Could you add a few words about what you did on the later days, and a screenshot of the main screen?',
  'Please say which of the features you tried, and add one picture from your device.',
  'The link to your pictures asks for a password. Please share them openly or describe what is on them.',
]

export const rejections: readonly { code: RejectionCode; reason: string }[] = [
  {
    code: 'NO_EVIDENCE_OF_TESTING',
    reason: 'The text names no feature of our app, and our logs show that it was opened once, on the first day.',
  },
  {
    code: 'WRONG_APP_OR_VERSION',
    reason: 'The pictures show the old version from the store and not the test build that this campaign is about.',
  },
  {
    code: 'INSTRUCTIONS_NOT_FOLLOWED',
    reason:
      'The description asks for two sessions without a connection. Neither the text nor the pictures speak of them.',
  },
]

export const appealReason =
  'I opened it on each of the days, and my check-ins name what I tried: the search, the share button and the start without a connection. Please look at my notes of the days and not only at the proof.'
