import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Page of the documentation. */
export interface Document {
  /** From the root of the project, with slashes. */
  readonly path: string
  readonly text: string
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const folders = ['.github', 'electron', 'fixtures', 'renderer', 'server', 'test']

/** README.md and every reference page. */
export const documents: readonly Document[] = [
  'README.md',
  ...folders.flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
      .filter((path) => path.endsWith('.md') && !path.includes('node_modules')),
  ),
].map((path) => ({ path, text: readFileSync(`${root}${path}`, 'utf8') }))

const repository = 'https://github.com/hub-sandbox/hub-sandbox'

/** Links and pictures of a page that point into this project, as paths from its root. */
export function localLinks({
  path,
  text,
}: Document): { link: string; target: string; anchor?: string }[] {
  const prose = text.replaceAll(/^```.*?^```/gms, '').replaceAll(/`[^`\n]*`/g, '')
  const ours = new RegExp(`^${repository}/(?:blob|tree|raw)/main/`)
  return [...prose.matchAll(/(?:src(?:set)?="|\]\()([^)"\s]+)[")]/g)]
    .map(([, link = '']) => link)
    .filter((link) => ours.test(link) || !/^\w+:/.test(link))
    .map((link) => {
      const [file = '', anchor] = link.split('#')
      const target = ours.test(file)
        ? file.replace(ours, '')
        : file === ''
          ? path
          : posix.join(posix.dirname(path), file)
      return { link, target, ...(anchor === undefined ? {} : { anchor }) }
    })
}

/** Returns the code blocks of one language, each with the page that shows it. */
export function codeBlocks(language: string): { path: string; code: string }[] {
  const fence = new RegExp(`^ *\`\`\`${language}\n(.*?)^ *\`\`\``, 'gms')
  return documents.flatMap(({ path, text }) =>
    [...text.matchAll(fence)].map(([, code = '']) => ({ path, code })),
  )
}

/**
 * Returns the one code block that contains a word.
 * @throws {Error} if no block or several contain it
 */
export function codeBlockWith(language: string, word: string): string {
  const found = codeBlocks(language).filter(({ code }) => code.includes(word))
  const [first] = found
  if (first === undefined || found.length > 1) {
    throw new Error(`${found.length} ${language} blocks of the documentation contain "${word}"`)
  }
  return first.code
}

/** Returns the table that `npm run docs` wrote between `<!-- name -->` and `<!-- /name -->`. */
export function generatedTable(name: string): string {
  const tables = documents.flatMap(({ text }) => {
    const [, table] = new RegExp(`<!-- ${name} -->(.*)<!-- /${name} -->`, 's').exec(text) ?? []
    return table ?? []
  })
  const [first] = tables
  if (first === undefined || tables.length > 1) {
    throw new Error(`${tables.length} pages of the documentation have a table named ${name}`)
  }
  return first
}
