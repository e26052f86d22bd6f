import type { ValidateYamlAnswer } from '../contract/hub-files.ts'
import type { RepoType } from '../contract/words/hub.ts'
import { readmeHeader } from './readme-metadata.ts'
import { problemsOfMetadata } from './readme-rules.ts'

/** Reads YAML; handed in, since only who needs it loads it. */
export type ReadYaml = (text: string) => { value: unknown } | { problem: string }

/** Where the README of a repo is. */
export const readmePath = 'README.md'

/** Why the hub takes a README from nobody; empty where it does. */
export function readmeProblems(
  readYaml: ReadYaml,
  readme: { content: string; repoType: RepoType },
): string[] {
  return checkReadme(readYaml, readme).errors.map(({ message }) => message)
}

/** What the hub says of the metadata of a README. Without any there is nothing wrong, only less to be found by. */
export function checkReadme(
  readYaml: ReadYaml,
  { content, repoType }: { content: string; repoType: RepoType },
): ValidateYamlAnswer {
  const header = readmeHeader(content)
  if (header === undefined || header.trim() === '') {
    return { errors: [], warnings: [{ message: 'empty or missing yaml metadata in repo card' }] }
  }
  const parsed = readYaml(header)
  const errors = 'problem' in parsed ? [parsed.problem] : problemsOfMetadata(parsed.value, repoType)
  return { errors: errors.map((message) => ({ message })), warnings: [] }
}
