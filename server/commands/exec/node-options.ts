import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { CommandError } from '../command-error.ts'

/**
 * The files of `--import`, as Node takes them on every system.
 * @throws {CommandError} with exit code 2 where there is no such file
 */
export function importedModules(files: readonly string[]): string[] {
  return files.map((file) => {
    const address = moduleAddress(file)
    if (statSync(fileURLToPath(address), { throwIfNoEntry: false })?.isFile() === true) {
      return address
    }
    throw new CommandError(`--import: there is no file ${file}. Give the path of a module.`, {
      exitCode: 2,
    })
  })
}

/** A path or an address as an address. */
function moduleAddress(file: string): string {
  return /^file:/i.test(file) ? new URL(file).href : pathToFileURL(resolve(file)).href
}

/**
 * `NODE_OPTIONS` that have Node programs load these modules first, after all that was in it.
 * @param modules paths or `file:` addresses
 */
export function nodeOptions(existing: string | undefined, modules: readonly string[]): string {
  const options = modules.map((module) => `--import=${quoteOption(moduleAddress(module))}`)
  return [...(existing === undefined || existing.trim() === '' ? [] : [existing]), ...options].join(
    ' ',
  )
}

/** Node splits the variable at spaces, but for those in double quotes, where a backslash keeps the next character. */
function quoteOption(text: string): string {
  return /[\s"\\]/.test(text) ? `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"` : text
}
