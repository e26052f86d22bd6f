import { suggestion } from '../contract/suggestion.ts'
import { ControlError } from '../web/control-error.ts'
import { CommandError } from './command-error.ts'

/** Alias of the newest id. */
export const latestWord = 'latest'

export interface Kind {
  /** Name of the kind, as in "Unknown delivery x". */
  what: string
  /** Returns the ids, newest first, up to one page. */
  ids: () => Promise<readonly string[]>
  /**
   * Returns the sandbox's own message for an unknown id, if any.
   * Default: a 404 gets the message below.
   */
  ownSentence?: (error: ControlError) => string | undefined
}

/** Maximum number of ids in the message. */
const mostNamed = 5

/**
 * Calls `act` with an id, or with the newest one for `latest`.
 * @throws {CommandError} for an unknown id, with a suggestion and the known ids
 */
export async function withId<T>(
  given: string,
  { what, ids, ownSentence }: Kind,
  act: (id: string) => Promise<T>,
): Promise<T> {
  if (given === latestWord) {
    const [newest] = await ids()
    if (newest === undefined) throw new CommandError(`No ${what} yet.`)
    return act(newest)
  }
  try {
    return await act(given)
  } catch (error) {
    if (!(error instanceof ControlError)) throw error
    const said = ownSentence?.(error)
    if (said === undefined && error.status !== 404) throw error
    const known = await ids()
    // The id exists: something else is missing.
    if (known.includes(given)) throw error
    const none = known.length === 0 ? '; there is none' : ''
    const sentence = said ?? `Unknown ${what} ${given}${suggestion(given, known)}${none}.`
    const others =
      known.length > 0 ? describeKnown(known) : said === undefined ? '' : `No ${what} now.`
    throw new CommandError(`${sentence} ${others}`.trimEnd(), { cause: error })
  }
}

function describeKnown(known: readonly string[]): string {
  const named = known.slice(0, mostNamed).join(', ')
  // Only the first page was read, so the total is unknown.
  const more = known.length > mostNamed ? ' and more' : ''
  return `Known: ${named}${more}.`
}

/** Returns the message for an empty list. @param filters of the request */
export function nothingOf(
  what: string,
  filters: readonly (string | boolean | undefined)[],
): string {
  const isFiltered = filters.some((filter) => filter !== undefined)
  return isFiltered ? `No ${what} matches.` : `No ${what} yet.`
}
