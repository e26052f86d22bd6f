import { extname } from 'node:path'
import { largestFileBytes } from '../contract/fixtures/limits.ts'
import { readUserText, UserFileError } from '../core/user-file.ts'
import { CommandError } from './command-error.ts'

/** Reads a JSON or YAML file. @throws {CommandError} with exit code 2 */
export async function readValue(file: string): Promise<unknown> {
  let text
  try {
    text = await readUserText(file, largestFileBytes)
    if (!/^\.ya?ml$/i.test(extname(file))) return JSON.parse(text)
  } catch (error) {
    const { message } = error as Error
    throw new CommandError(
      error instanceof UserFileError ? `${file} ${message}.` : `Cannot read ${file}: ${message}`,
      { exitCode: 2 },
    )
  }
  const { parseYaml } = await import('../core/parse-yaml.ts')
  const result = parseYaml(text)
  if ('problem' in result) throw new CommandError(`${file}: ${result.problem}`, { exitCode: 2 })
  return result.value
}
