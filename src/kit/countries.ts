/**
 * The countries to choose from: the 193 members and 2 observers of the United Nations, plus Taiwan and Kosovo (spec §5:
 * about 195). Codes are ISO 3166-1 alpha-2, with XK as commonly used for Kosovo; names come from the platform, except where
 * platforms differ.
 */
import { once } from './once.ts'

export const countryCodes = (
  'AD AE AF AG AL AM AO AR AT AU AZ BA BB BD BE BF BG BH BI BJ BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CL CM CN CO ' +
  'CR CU CV CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FM FR GA GB GD GE GH GM GN GQ GR GT GW GY HN HR HT HU ID ' +
  'IE IL IN IQ IR IS IT JM JO JP KE KG KH KI KM KN KP KR KW KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MG MH MK ' +
  'ML MM MN MR MT MU MV MW MX MY MZ NA NE NG NI NL NO NP NR NZ OM PA PE PG PH PK PL PS PT PW PY QA RO RS RU RW SA SB ' +
  'SC SD SE SG SI SK SL SM SN SO SR SS ST SV SY SZ TD TG TH TJ TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VN ' +
  'VU WS XK YE ZA ZM ZW'
).split(' ')

type Country = { code: string; name: string }

const english = once(() => new Intl.DisplayNames('en', { type: 'region' }))

/** Browsers and Node call it "Palestine" or "Palestinian Territories", depending on their version. */
const ownNames: Record<string, string> = { PS: 'Palestine' }

export const countryName = (code: string): string => ownNames[code] ?? english().of(code) ?? code

const withArticle = new Set('AE BS CF DO GB GM KM MH MV NL PH SB SC US'.split(' '))

/** "the United States", as in "from the United States". */
export const countryInSentence = (code: string): string =>
  withArticle.has(code) ? `the ${countryName(code)}` : countryName(code)

/** Codes and English names, sorted by name. */
export const countries = once((): Country[] =>
  countryCodes.map(code => ({ code, name: countryName(code) })).toSorted((a, b) => a.name.localeCompare(b.name, 'en')),
)

/** Puts ISO's "Congo, Democratic Republic of the" and the United Nations' "Iran (Islamic Republic of)" into reading order. */
const inReadingOrder = (text: string) =>
  text.replace(/^([^,]+),\s*([^,]+)$/, '$2 $1').replace(/^([^(]+?)\s*\(([^()]+ of)\)\s*$/i, '$2 $1')

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/\bthe\b/g, '')
    .replaceAll(/\bsaint\b(?=.)/g, 'st')
    .replaceAll('&', 'and')
    .replaceAll(/[^a-z]/g, '')

/** "Myanmar (Burma)" is found by either name. */
const namesIn = (name: string): string[] => [name, ...name.split(/[()]/).filter(part => part.trim() !== '')]

const codeByName = once(
  () =>
    new Map<string, string>([
      ...countryCodes.map(code => [plain(code), code] as const),
      ...countries().flatMap(({ code, name }) => namesIn(name).map(each => [plain(each), code] as const)),
      ['usa', 'US'],
      ['unitedstatesofamerica', 'US'],
      ['america', 'US'],
      ['uk', 'GB'],
      ['greatbritain', 'GB'],
      ['england', 'GB'],
      ['uae', 'AE'],
      ['czechrepublic', 'CZ'],
      ['turkey', 'TR'],
      ['ivorycoast', 'CI'],
      ['palestinianterritories', 'PS'],
      ['stateofpalestine', 'PS'],
      ['peoplesrepublicofchina', 'CN'],
      ['hongkong', 'CN'],
      ['macao', 'CN'],
      ['macau', 'CN'],
      ['korea', 'KR'],
      ['republicofkorea', 'KR'],
      ['democraticpeoplesrepublicofkorea', 'KP'],
      ['dprk', 'KP'],
      ['russianfederation', 'RU'],
      ['holland', 'NL'],
      ['scotland', 'GB'],
      ['wales', 'GB'],
      ['northernireland', 'GB'],
      ['unitedkingdomofgreatbritainandnorthernireland', 'GB'],
      ['republicofireland', 'IE'],
      ['congo', 'CG'],
      ['republicofcongo', 'CG'],
      ['congobrazzaville', 'CG'],
      ['democraticrepublicofcongo', 'CD'],
      ['drcongo', 'CD'],
      ['drc', 'CD'],
      ['congokinshasa', 'CD'],
      ['zaire', 'CD'],
      ['caboverde', 'CV'],
      ['capeverde', 'CV'],
      ['easttimor', 'TL'],
      ['swaziland', 'SZ'],
      ['macedonia', 'MK'],
      ['holysee', 'VA'],
      ['vatican', 'VA'],
      ['bosnia', 'BA'],
      ['federatedstatesofmicronesia', 'FM'],
      ['laopeoplesdemocraticrepublic', 'LA'],
      ['syrianarabrepublic', 'SY'],
      ['unitedrepublicoftanzania', 'TZ'],
      ['republicofmoldova', 'MD'],
      ['islamicrepublicofiran', 'IR'],
      ['bolivarianrepublicofvenezuela', 'VE'],
      ['plurinationalstateofbolivia', 'BO'],
      ['bruneidarussalam', 'BN'],
      ['slovakrepublic', 'SK'],
      ['kyrgyzrepublic', 'KG'],
    ]),
)

/** "Germany", "germany", "DE", "UK" → its code; null if no country matches. */
export const countryCodeOf = (text: string): string | null =>
  codeByName().get(plain(text)) ?? codeByName().get(plain(inReadingOrder(text))) ?? null
