/** Loaded before the product under test, whose people register by the hundred: their passwords are hashed at once. */
import { setHashCost } from '../../src/accounts/server/passwords.ts'

setHashCost({ memoryCost: 8, timeCost: 1 })
