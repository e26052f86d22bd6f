import { isObject } from '../core/is-object.ts'
import { readUserText, UserFileError } from '../core/user-file.ts'
import { type Findings, subjectOf } from '../lab/report/check-report.ts'
import { nextCommand } from './connect.ts'
import { CommandError } from './command-error.ts'
import { writeWhole } from './exec/written-file.ts'

/** Largest file that is read. */
const mostBytes = 4 * 1024 * 1024

/**
 * Reads the ids of the findings that a project started with.
 * @param mayLack whether the file is about to be written
 * @throws {CommandError} naming the mistake
 */
export async function readBaseline(file: string, mayLack: boolean): Promise<ReadonlySet<string>> {
  const text = await readText(file)
  if (text === undefined) {
    if (mayLack) return new Set()
    throw new CommandError(
      `There is no baseline ${file}. Write it: ${nextCommand(['check', '--baseline', file, '--update-baseline'], {})}`,
    )
  }
  const findings = parse(text)
  if (findings !== undefined) return new Set(findings)
  throw new CommandError(
    `${file} is no baseline: expected {"findings": [{"id": "…"}]}. Write it again with --update-baseline.`,
  )
}

/** Writes the ids of all findings that are not ignored, with what they are about for its reader. */
export async function writeBaseline(file: string, { findings }: Findings): Promise<void> {
  const kept = findings
    .filter(({ ignored }) => ignored === undefined)
    .map((finding) => ({ id: finding.id, rule: finding.rule, subject: subjectOf(finding) }))
    .toSorted((one, other) => (one.rule + one.id < other.rule + other.id ? -1 : 1))
  await writeWhole(file, `${JSON.stringify({ findings: kept }, undefined, 2)}\n`)
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readUserText(file, mostBytes)
  } catch (error) {
    if (!(error instanceof UserFileError)) throw error
    if (error.code === 'ENOENT') return undefined
    throw new CommandError(`--baseline: ${file} ${error.message}.`)
  }
}

function parse(text: string): string[] | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const list: unknown = isObject(value) ? value['findings'] : undefined
  if (!Array.isArray(list)) return undefined
  const ids = list.map((item: unknown) => (isObject(item) ? item['id'] : undefined))
  return ids.every((id) => typeof id === 'string') ? ids : undefined
}
