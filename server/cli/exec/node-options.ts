import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { CommandError } from '../command-error.ts'

/**
 * Returns the files of `--import` as URLs, which Node accepts on every system.
 * @throws {CommandError} with exit code 2 for a missing file
 */
export function importedModules(files: readonly string[]): string[] {
  return files.map((file) => {
    const address = moduleAddress(file)
    if (statSync(fileURLToPath(address), { throwIfNoEntry: false })?.isFile() === true) {
      return address
    }
    throw new CommandError(`--import: file ${file} not found. Use the path of a module.`, {
      exitCode: 2,
    })
  })
}

/** Converts a path or URL to a URL. */
function moduleAddress(file: string): string {
  return /^file:/i.test(file) ? new URL(file).href : pathToFileURL(resolve(file)).href
}

/**
 * Returns `NODE_OPTIONS` that preload these modules, after its current options.
 * @param modules paths or `file:` addresses
 */
export function nodeOptions(existing: string | undefined, modules: readonly string[]): string {
  const options = modules.map((module) => `--import=${quoteOption(moduleAddress(module))}`)
  return [...(existing === undefined || existing.trim() === '' ? [] : [existing]), ...options].join(
    ' ',
  )
}

/** Node splits the variable at spaces outside double quotes, in which a backslash escapes the next character. */
function quoteOption(text: string): string {
  return /[\s"\\]/.test(text) ? `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"` : text
}
