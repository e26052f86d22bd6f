import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { CommandError } from './command-error.ts'

/** Reads a JSON or YAML file. @throws {CommandError} with exit code 2 */
export async function readValue(file: string): Promise<unknown> {
  let text
  try {
    text = await readFile(file, 'utf8')
    if (!/^\.ya?ml$/i.test(extname(file))) return JSON.parse(text)
  } catch (error) {
    throw new CommandError(`Cannot read ${file}: ${(error as Error).message}`, { exitCode: 2 })
  }
  const { parseYaml } = await import('../fixtures/parse-yaml.ts')
  const result = parseYaml(text)
  if ('problem' in result) throw new CommandError(`${file}: ${result.problem}`, { exitCode: 2 })
  return result.value
}
