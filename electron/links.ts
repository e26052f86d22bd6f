import { everyDashboardPage, furtherPages } from '../server/contract/dashboard-pages.ts'

/** The scheme of links that open in the app. */
export const linkScheme = 'hub-sandbox'

/** Where a link leads: a page of the dashboard, below `/_sandbox`; or why nowhere, as a sentence. */
export type LinkReading = { path: string } | { problem: string }

/** One segment; nothing in it has a meaning in an address. */
const idPattern = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,127}$/
/** How much of a link that is not understood is shown. */
const shownCharacters = 120

const pages: ReadonlyMap<string, string> = new Map(
  [...everyDashboardPage.map(({ path }) => path), ...furtherPages].map((path) => [
    path === '/' ? 'overview' : path.slice(1),
    path,
  ]),
)
const withoutList: ReadonlySet<string> = new Set(furtherPages)

/** Whether a word of a command line, or what the system hands over, is meant as a link. */
export function isLink(text: string): boolean {
  return text.toLowerCase().startsWith(`${linkScheme}:`)
}

/**
 * Reads `hub-sandbox://PAGE` or `hub-sandbox://PAGE/ID`. Any web page can have such a link followed, so a link has no
 * way to say more than which page to look at: neither query nor fragment, nor an id that is more than a word.
 */
export function readLink(link: string): LinkReading {
  const [, name = '', id, rest = ''] =
    /^[^:]*:(?:\/\/)?([^/?#]*)(?:\/([^/?#]+))?\/?(.*)$/s.exec(link) ?? []
  const page = pages.get(name.toLowerCase())
  if (page === undefined) {
    return refuse(link, `leads to no page. Pages are ${[...pages.keys()].join(', ')}`)
  }
  if (rest !== '') return refuse(link, 'says more than a page and an id, and may not')
  if (id === undefined) {
    return withoutList.has(page) ? refuse(link, 'does not say which one') : { path: page }
  }
  if (page === '/' || !idPattern.test(id))
    return refuse(link, `names nothing that ${name} could have`)
  return { path: `${page}/${id}` }
}

function refuse(link: string, why: string): LinkReading {
  // Anybody may have written it: one line, and not a long one.
  const text = link.replaceAll(/[^\x21-\x7e]+/g, '…')
  const shown = text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text
  return { problem: `${shown} ${why}.` }
}
