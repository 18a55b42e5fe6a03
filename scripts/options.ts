/** A command's options: an unknown option or an unusable value is answered with a sentence. */
import { parseArgs, type ParseArgsConfig } from 'node:util'

/** The exit code that most programs use for wrong arguments. */
const misuse = 2

/** Ends the command before it has done anything. */
export const refuse = (sentence: string, exitCode = misuse): never => {
  process.stderr.write(`${sentence}\n`)
  process.exit(exitCode)
}

/** In some sentences Node adds other ways to pass the value, which none of our commands accepts. */
const firstSentence = (message: string) => message.split(/\. To |\.?\n/, 1)[0]!

/**
 * `exitCode` is for commands in which 2 means something else. An empty value is refused: as a place it would mean the current
 * folder.
 */
export const optionsOf = <T extends ParseArgsConfig>(config: T, exitCode = misuse): ReturnType<typeof parseArgs<T>> => {
  try {
    const parsed = parseArgs(config)
    for (const [name, value] of Object.entries(parsed.values))
      if (value === '' && config.options?.[name]?.default !== '') refuse(`--${name} must not be empty.`, exitCode)
    return parsed
  } catch (error) {
    return refuse(`${firstSentence((error as Error).message)}.`, exitCode)
  }
}

const wholeFrom = (least: 0 | 1) => (text: string, name: string) =>
  /^(0|[1-9]\d{0,8})$/.test(text) && Number(text) >= least
    ? Number(text)
    : refuse(`--${name} must be a whole number of at least ${least}.`)

export const countOf = wholeFrom(0)
export const positiveCountOf = wholeFrom(1)

/** A filter of names. */
export const patternOf = (text: string, name: string): RegExp => {
  try {
    return new RegExp(text, 'i')
  } catch {
    return refuse(`--${name} must be a regular expression.`)
  }
}
