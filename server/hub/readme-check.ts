import type { ValidateYamlAnswer } from '../contract/hub-files.ts'
import { type RepoType, spaceSdks } from '../contract/words/hub.ts'
import { own } from '../core/own.ts'

/** Reads YAML; handed in, since only who needs it loads it. */
export type ReadYaml = (text: string) => { value: unknown } | { problem: string }

/** Where the README of a repo is. */
export const readmePath = 'README.md'

/** Why the hub takes a README from nobody; `undefined` where it does. */
export function readmeProblem(
  readYaml: ReadYaml,
  readme: { content: string; repoType: RepoType },
): string | undefined {
  const { errors } = checkReadme(readYaml, readme)
  return errors.length === 0 ? undefined : errors.map(({ message }) => message).join('; ')
}

/** What the hub says of the metadata of a README. Without any there is nothing wrong, only less to be found by. */
export function checkReadme(
  readYaml: ReadYaml,
  { content, repoType }: { content: string; repoType: RepoType },
): ValidateYamlAnswer {
  const header = metadataOf(content)
  if (header === undefined || header.trim() === '') {
    return { errors: [], warnings: [{ message: 'empty or missing yaml metadata in repo card' }] }
  }
  const parsed = readYaml(header)
  const errors = 'problem' in parsed ? [parsed.problem] : problemsOf(parsed.value, repoType)
  return { errors: errors.map((message) => ({ message })), warnings: [] }
}

/** What stands between the first two lines of dashes, above which nothing but blanks may stand. */
function metadataOf(readme: string): string | undefined {
  const lines = readme
    .replace(/^\uFEFF/, '')
    .trimStart()
    .split(/\r?\n/)
  if (lines[0]?.trimEnd() !== '---') return undefined
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---')
  return end === -1 ? undefined : lines.slice(1, end).join('\n')
}

function problemsOf(value: unknown, repoType: RepoType): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return ['the metadata must be an object']
  }
  const metadata = value as Readonly<Record<string, unknown>>
  const [tags, sdk, index] = ['tags', 'sdk', 'model-index'].map((name) => own(metadata, name))
  const problems: string[] = []
  if (tags !== undefined && tags !== null && !isTexts(tags)) {
    problems.push('"tags" must be an array of texts')
  }
  if (index !== undefined && index !== null && !Array.isArray(index)) {
    problems.push('"model-index" must be an array')
  }
  if (repoType === 'space' && !spaceSdks.some((known) => known === sdk)) {
    problems.push(`"sdk" must be one of [${spaceSdks.join(', ')}]`)
  }
  return problems
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
