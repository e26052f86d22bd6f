import { existsSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import type { ReportSource } from '../lab/report/report.ts'
import { largestFileBytes } from '../contract/fixtures/limits.ts'
import { readUserText, UserFileError } from '../core/user-file.ts'
import { CommandError } from './command-error.ts'

const usualSources = ['hub-sandbox.json', 'hub-sandbox.yaml', 'hub-sandbox.yml', 'package.json']

/**
 * File that mistakes are shown at: the fixtures file of the project, which names the app.
 * @param given value of `--source`
 * @throws {CommandError} if there is no such file in this folder
 */
export async function sourceOf(given: string | undefined): Promise<ReportSource | undefined> {
  const file = given ?? usualSources.find((name) => existsSync(name))
  if (file === undefined) return undefined
  if (!existsSync(file)) throw new CommandError(`--source: there is no file ${file}.`)
  const path = relative(process.cwd(), resolve(file))
  if (path.startsWith('..') || isAbsolute(path)) {
    throw new CommandError(`--source must be a file of this folder, not ${file}.`)
  }
  const lines = (await readSource(file)).split('\n')
  const lineOf: ReportSource['lineOf'] = (names) => {
    const found = names.flatMap((name) =>
      name ? [lines.findIndex((line) => line.includes(name))] : [],
    )
    return 1 + Math.max(0, found.find((index) => index >= 0) ?? 0)
  }
  return { file: path.replaceAll('\\', '/'), lineOf }
}

async function readSource(file: string): Promise<string> {
  try {
    return await readUserText(file, largestFileBytes)
  } catch (error) {
    if (!(error instanceof UserFileError)) throw error
    throw new CommandError(`--source: ${file} ${error.message}.`)
  }
}
