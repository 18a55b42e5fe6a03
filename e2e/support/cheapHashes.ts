/** Loaded before the product under test: makes password hashes cheap, because journeys register hundreds of people. */
import { setHashCost } from '../../src/accounts/server/passwords.ts'

setHashCost({ memoryCost: 8, timeCost: 1 })
