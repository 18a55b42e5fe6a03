import lines from './commonPasswords.json' with { type: 'json' }

/**
 * The 10,000 most common passwords of at least six characters, which attackers guess first: lower case, in alphabetical order.
 * From @zxcvbn-ts/language-common 4.1.3 (MIT; Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc., Copyright (c) 2021
 * @zxcvbn-ts). In a file of its own, so a page loads it only when a password is typed.
 */
export const commonPasswords: ReadonlySet<string> = new Set(lines.flatMap(line => line.split(' ')))
