import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nextCommand } from './connect.ts'
import { suggestion } from '../contract/suggestion.ts'
import { CommandError } from './command-error.ts'
import { printResponse, printList } from './output.ts'
import { readPages } from './pages.ts'
import { listSamples } from './samples.ts'

/** Prints a page of the documentation, or the list of pages. */
export function docs(name: string | undefined, options: { json?: boolean }): void {
  if (name !== undefined) {
    const page = pageNamed(name)
    return printResponse(options, page, page.text.trimEnd())
  }
  const items = readPages().map((page) => ({ name: page.name, title: page.title, path: page.path }))
  printList(options, items, (item) => [item.name, item.title], 'This package has no pages.')
}

/**
 * Returns a page, or the README.md of a sample.
 * @throws {CommandError} for an unknown name
 */
function pageNamed(given: string): { name: string; title: string; text: string } {
  const wanted = given.toLowerCase()
  const [pages, samples] = [readPages(), listSamples()]
  const page = pages.find(({ name, path }) => name === wanted || path === given)
  if (page !== undefined) return page
  const sample = samples.find(({ name }) => name === wanted)
  if (sample !== undefined) {
    const { name, title, folder } = sample
    return { name, title, text: readFileSync(join(folder, 'README.md'), 'utf8') }
  }
  const names = [...pages, ...samples].map(({ name }) => name)
  throw new CommandError(
    `Unknown page ${given}${suggestion(given, names)}. List them: ${nextCommand(['docs'], {})}`,
  )
}
