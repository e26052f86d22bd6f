import { suggestion } from '../core/suggestion.ts'
import { ControlError } from '../handle/control-error.ts'
import { CommandError } from './command-error.ts'

/** Stands for the newest wherever an id is asked for. */
export const latestWord = 'latest'

interface Kind {
  /** What it is, as in "There is no delivery x". */
  what: string
  /** The ids there are, newest first; of very many the first. */
  ids: () => Promise<readonly string[]>
  /**
   * What the sandbox says where it knows none of this id, if it has a sentence of its own.
   * Default: it answers 404, and the sentence is made here.
   */
  ownSentence?: (error: ControlError) => string | undefined
}

/** So many are named where one was asked for that is not there. */
const mostNamed = 5

/**
 * Does something with what was named by its id, or as `latest`.
 * @throws {CommandError} when there is none: with the one that was likely meant, and those there are
 */
export async function withId<T>(
  given: string,
  { what, ids, ownSentence }: Kind,
  act: (id: string) => Promise<T>,
): Promise<T> {
  if (given === latestWord) {
    const [newest] = await ids()
    if (newest === undefined) throw new CommandError(`There is no ${what} yet.`)
    return act(newest)
  }
  try {
    return await act(given)
  } catch (error) {
    if (!(error instanceof ControlError)) throw error
    const said = ownSentence?.(error)
    if (said === undefined && error.status !== 404) throw error
    const known = await ids()
    // It is there: something else is missing.
    if (known.includes(given)) throw error
    const none = known.length === 0 ? '; there is none now' : ''
    const sentence = said ?? `There is no ${what} ${given}${suggestion(given, known)}${none}.`
    const others =
      known.length > 0 ? describeKnown(known) : said === undefined ? '' : `There is no ${what} now.`
    throw new CommandError(`${sentence} ${others}`.trimEnd(), { cause: error })
  }
}

function describeKnown(known: readonly string[]): string {
  const named = known.slice(0, mostNamed).join(', ')
  // How many is not known: a list is read as far as its first page.
  const more = known.length > mostNamed ? ' and more' : ''
  return `There ${known.length === 1 ? 'is' : 'are'} ${named}${more}.`
}

/** How a list begins that has nothing in it. @param filters what it was asked for */
export function nothingOf(
  what: string,
  filters: readonly (string | boolean | undefined)[],
): string {
  const isFiltered = filters.some((filter) => filter !== undefined)
  return isFiltered ? `There is no ${what} like that.` : `There is no ${what} yet.`
}
