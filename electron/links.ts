import { everyDashboardPage, furtherPages, movedPages } from '../server/contract/dashboard-pages.ts'

/** The scheme of links that open in the app. */
export const linkScheme = 'hub-sandbox'

/** Target of a link: a dashboard page below `/_sandbox`, or the reason for an invalid link. */
export type LinkReading = { path: string } | { problem: string }

/** One path segment without special characters. */
const idPattern = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,127}$/
/** Maximum length of an invalid link in a message. */
const shownCharacters = 120

const pages: ReadonlyMap<string, string> = new Map(
  [
    ...everyDashboardPage.map(({ path }) => [path === '/' ? '/home' : path, path] as const),
    ...furtherPages.map((path) => [path, path] as const),
    ...movedPages,
  ].map(([name, path]) => [name.slice(1), path]),
)
const withoutList: ReadonlySet<string> = new Set(furtherPages)

/** Returns whether an argument is a link. */
export function isLink(text: string): boolean {
  return text.toLowerCase().startsWith(`${linkScheme}:`)
}

/**
 * Parses `hub-sandbox://PAGE` or `hub-sandbox://PAGE/ID`. Any web page can open such a link, so it can only name
 * a page: no query, no fragment, and no id beyond one word.
 */
export function readLink(link: string): LinkReading {
  const [, name = '', id, rest = ''] =
    /^[^:]*:(?:\/\/)?([^/?#]*)(?:\/([^/?#]+))?\/?(.*)$/s.exec(link) ?? []
  const page = pages.get(name.toLowerCase())
  if (page === undefined) {
    return refuse(link, `names no page. Use one of ${[...pages.keys()].join(', ')}`)
  }
  if (rest !== '') return refuse(link, 'has more than a page and an id')
  if (id === undefined) {
    return withoutList.has(page) ? refuse(link, 'lacks an id') : { path: page }
  }
  if (page === '/' || !idPattern.test(id)) return refuse(link, `has an invalid id for ${name}`)
  return { path: `${page}/${id}` }
}

function refuse(link: string, why: string): LinkReading {
  // Untrusted text: show one short line.
  const text = link.replaceAll(/[^\x21-\x7e]+/g, '…')
  const shown = text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text
  return { problem: `${shown} ${why}.` }
}
