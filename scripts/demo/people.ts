/** The people of the demo, all of them fictional: 5 developers, and 60 testers from all over the world. */
import type { DeviceInfo } from '../../src/participations/contract.ts'

export type Profile = { name: string; email: string; country: string; timeZone: string }
/** Whether a tester checks in every day, skips a day now and then, or tends to disappear. */
type Habit = 'STEADY' | 'FORGETFUL' | 'FLEETING'
export type TesterProfile = Profile & { habit: Habit; device: DeviceInfo }

/** The name in Latin letters without accents, for an email address. */
const addressOf = (name: string, domain: string) => {
  const plain = name.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ø', 'o').replaceAll('ł', 'l')
  return `${plain.toLowerCase().replaceAll(/[^a-z]+/g, '.')}@${domain}`
}

const profile = (line: string, domain: string): Profile => {
  const [name = '', country = '', timeZone = ''] = line.split('|')
  return { name, country, timeZone, email: addressOf(name, domain) }
}

export const developers: readonly Profile[] = [
  'Maya Lindqvist|SE|Europe/Stockholm',
  'Tomás Herrera|AR|America/Argentina/Buenos_Aires',
  'Priya Raman|IN|Asia/Kolkata',
  'Jonas Weber|DE|Europe/Berlin',
  'Aiko Tanabe|JP|Asia/Tokyo',
].map(line => profile(line, 'example.com'))

/** The demo prints the login of the first tester. */
const testerLines = `Sofia Almeida|PT|Europe/Lisbon
Daniel Okafor|NG|Africa/Lagos
Emma Thompson|GB|Europe/London
Lucas Moreau|FR|Europe/Paris
Hana Novotná|CZ|Europe/Prague
Arjun Mehta|IN|Asia/Kolkata
Grace Wanjiru|KE|Africa/Nairobi
Mateo Rojas|CO|America/Bogota
Olivia Carter|US|America/New_York
Noah Bennett|US|America/Chicago
Isabella Rossi|IT|Europe/Rome
Kenji Watanabe|JP|Asia/Tokyo
Linh Tran|VN|Asia/Ho_Chi_Minh
Omar Haddad|JO|Asia/Amman
Ingrid Solberg|NO|Europe/Oslo
Piotr Kowalski|PL|Europe/Warsaw
Ana Petrović|RS|Europe/Belgrade
Liam O’Connor|IE|Europe/Dublin
Chloe Martin|CA|America/Toronto
Ethan Walker|US|America/Los_Angeles
Fatima Zahra Idrissi|MA|Africa/Casablanca
Rahul Verma|IN|Asia/Kolkata
Mei Ling Tan|SG|Asia/Singapore
Diego Fernández|MX|America/Mexico_City
Camila Souza|BR|America/Sao_Paulo
Thabo Nkosi|ZA|Africa/Johannesburg
Elif Demir|TR|Europe/Istanbul
Andrei Popescu|RO|Europe/Bucharest
Lars Nielsen|DK|Europe/Copenhagen
Zoe Papadaki|GR|Europe/Athens
Min-jun Park|KR|Asia/Seoul
Siti Rahmawati|ID|Asia/Jakarta
Jack Wilson|AU|Australia/Sydney
Aroha Ngata|NZ|Pacific/Auckland
Viktor Horváth|HU|Europe/Budapest
Katarzyna Zielińska|PL|Europe/Warsaw
Bruno Carvalho|BR|America/Sao_Paulo
Valentina Gómez|CL|America/Santiago
Samuel Mensah|GH|Africa/Accra
Yara Khoury|LB|Asia/Beirut
Mohammed Rahman|BD|Asia/Dhaka
Nadia Sheikh|PK|Asia/Karachi
Paolo Santos|PH|Asia/Manila
Somchai Wongsa|TH|Asia/Bangkok
Elena Marković|HR|Europe/Zagreb
Jan de Vries|NL|Europe/Amsterdam
Lea Schmid|CH|Europe/Zurich
Felix Bauer|AT|Europe/Vienna
Marta Ruiz|ES|Europe/Madrid
Pekka Virtanen|FI|Europe/Helsinki
Kristiina Tamm|EE|Europe/Tallinn
Ruta Kazlauskiene|LT|Europe/Vilnius
Abigail Stewart|US|America/Denver
Marcus Johnson|US|America/New_York
Hannah Fischer|DE|Europe/Berlin
Ben Achieng|UG|Africa/Kampala
Lucía Quispe|PE|America/Lima
Nuwan Perera|LK|Asia/Colombo
Tereza Dvořáková|CZ|Europe/Prague
Giulia Conti|IT|Europe/Rome`.split('\n')

const devices = `android|Google|Pixel 8|15
android|Samsung|Galaxy S23|14
ios|Apple|iPhone 15|18.1
android|Xiaomi|Redmi Note 13|14
android|Samsung|Galaxy A54|14
android|OnePlus|Nord 3|13
android|Google|Pixel 6a|14
ios|Apple|iPhone 13 mini|17.6
android|Motorola|Moto G84|13
android|Samsung|Galaxy S21 FE|13
android|Nothing|Phone (2a)|14
ios|Apple|iPhone 14 Pro|18.0
android|OPPO|Reno 10|13
android|Sony|Xperia 10 V|14`.split('\n')

const deviceAt = (place: number): DeviceInfo => {
  const [platform, manufacturer, model = '', osVersion] = devices[place % devices.length]!.split('|')
  return {
    platform: platform === 'ios' ? 'ios' : 'android',
    manufacturer,
    model,
    osVersion,
    fingerprint: `demo-device-${String(place + 1).padStart(3, '0')}`,
  }
}

const habitAt = (place: number): Habit => {
  if (place % 13 === 6) return 'FLEETING'
  return place % 5 === 3 ? 'FORGETFUL' : 'STEADY'
}

const mailDomains = ['example.com', 'example.org', 'example.net']

export const testers: readonly TesterProfile[] = testerLines.map((line, place) => ({
  ...profile(line, mailDomains[place % mailDomains.length]!),
  habit: habitAt(place),
  device: deviceAt(place),
}))

export const admin = { name: 'Robin Keller', email: 'admin@example.com', timeZone: 'Europe/London' }
